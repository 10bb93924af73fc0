"""Static reading of graders: rules over Python and shell whose hits are leads until a probe shows them."""

from fairtrial.attack.reading.read import read_grader, read_source, read_sources, unread_files
from fairtrial.attack.reading.rule import Hit, Rule, confirmed_by
from fairtrial.attack.reading.rules import RULES
from fairtrial.attack.reading.sources import Sources, source_of, sources_of

__all__ = [
    "RULES",
    "Hit",
    "Rule",
    "Sources",
    "confirmed_by",
    "read_grader",
    "read_source",
    "read_sources",
    "source_of",
    "sources_of",
    "unread_files",
]
