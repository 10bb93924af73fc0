"""Read graders: every rule over every file. Nothing is run, and nothing is called proof here."""

from __future__ import annotations

from fairtrial.attack.reading.rule import Hit
from fairtrial.attack.reading.rules import RULES
from fairtrial.attack.reading.sources import Sources, source_of, sources_of
from fairtrial.tasks import Key


def read_grader(key: Key) -> tuple[Hit, ...]:
    """Return what the rules find in a task's tests folders, by file and line."""
    return read_sources(sources_of(key))


def read_source(text: str, name: str = "grader.py") -> tuple[Hit, ...]:
    """Return what the rules find in one text grader. Raise FormatError where it is neither Python nor shell.

    >>> [hit.rule for hit in read_source("def reward(completion, answer):\\n    return answer in completion\\n")]
    ['static_piece_of_text']
    """
    return read_sources(source_of(text, name))


def read_sources(sources: Sources) -> tuple[Hit, ...]:
    """Return what the rules find in files that were read before."""
    hits = (hit for rule in RULES for hit in rule.hits(sources))
    return tuple(sorted(hits, key=lambda hit: (hit.file, hit.line, hit.rule)))


def unread_files(key: Key) -> tuple[tuple[str, str], ...]:
    """Return the files of a task's tests that no rule could read, with why: what was not read is not clean."""
    return sources_of(key).unread
