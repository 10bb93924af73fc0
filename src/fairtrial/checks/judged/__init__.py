"""What a language model judges: atomic, binary criteria with citations that are checked."""

from collections.abc import Mapping

from fairtrial.checks.judged.asking import Vote
from fairtrial.checks.judged.criterion import warnings_in, warnings_of
from fairtrial.checks.judged.driver import judged_workflow
from fairtrial.checks.judged.judged import judged
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.pairs import Preference, prefer, preferring
from fairtrial.checks.judged.prompt import Question
from fairtrial.checks.judged.sources import Source, artifacts_of, steps_of, text_source
from fairtrial.checks.judged.voting import Judgement, judge
from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {"judged": judged, "judged_workflow": judged_workflow}

__all__ = [
    "CHECKS",
    "Judgement",
    "Judges",
    "Preference",
    "Question",
    "Source",
    "Vote",
    "artifacts_of",
    "judge",
    "prefer",
    "preferring",
    "steps_of",
    "text_source",
    "warnings_in",
    "warnings_of",
]
