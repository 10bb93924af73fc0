"""A judge that re-grades rollouts: blind to the verdict first, informed second, its citations checked."""

from fairtrial.audit.judging.cases import Case, Spoken, Work, cases_of
from fairtrial.audit.judging.document import SCHEMA, document_of
from fairtrial.audit.judging.judge import Held, Judge, Judged, held_by
from fairtrial.audit.judging.keys import Keys, read_keys
from fairtrial.audit.judging.many import judge_all
from fairtrial.audit.judging.passes import Bench
from fairtrial.audit.judging.settings import JudgeSettings, reviewer_name
from fairtrial.audit.judging.talk import Broken

__all__ = [
    "SCHEMA",
    "Bench",
    "Broken",
    "Case",
    "Held",
    "Judge",
    "JudgeSettings",
    "Judged",
    "Keys",
    "Spoken",
    "Work",
    "cases_of",
    "document_of",
    "held_by",
    "judge_all",
    "read_keys",
    "reviewer_name",
]
