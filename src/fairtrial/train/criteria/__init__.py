"""Criteria that a model writes from contrasting rollouts, kept only if they separate others and survive the probes.

What makes them is loaded when it is first named: a trainer that pays by a file of criteria needs none of it.
"""

import importlib
from typing import TYPE_CHECKING, Any

from fairtrial.train.criteria.asking import Answer, Answers, Asker, ScriptedAnswers
from fairtrial.train.criteria.contrast import KINDS, Attempt, Kind, Side, sides
from fairtrial.train.criteria.criterion import Criterion, JudgeWords, Made, Probed, Tried, TriedCriteria
from fairtrial.train.criteria.file import SCHEMA, is_tried, read_tried, write_tried
from fairtrial.train.criteria.scoring import Scored, asker_of, judge_spec, score, score_all
from fairtrial.train.criteria.work import Work, text_work

if TYPE_CHECKING:
    from fairtrial.train.criteria.document import document_of
    from fairtrial.train.criteria.making import MadeCriteria, Making, make_criteria, split
    from fairtrial.train.criteria.reading import Material, Selection, read_instructions, read_material
    from fairtrial.train.criteria.trial import Bars, HeldOut, try_criteria

__all__ = [
    "KINDS",
    "SCHEMA",
    "Answer",
    "Answers",
    "Asker",
    "Attempt",
    "Bars",
    "Criterion",
    "HeldOut",
    "JudgeWords",
    "Kind",
    "Made",
    "MadeCriteria",
    "Making",
    "Material",
    "Probed",
    "Scored",
    "ScriptedAnswers",
    "Selection",
    "Side",
    "Tried",
    "TriedCriteria",
    "Work",
    "asker_of",
    "document_of",
    "is_tried",
    "judge_spec",
    "make_criteria",
    "read_instructions",
    "read_material",
    "read_tried",
    "score",
    "score_all",
    "sides",
    "split",
    "text_work",
    "try_criteria",
    "write_tried",
]

_LATE = {
    "document": ("document_of",),
    "making": ("MadeCriteria", "Making", "make_criteria", "split"),
    "reading": ("Material", "Selection", "read_instructions", "read_material"),
    "trial": ("Bars", "HeldOut", "try_criteria"),
}


def __getattr__(name: str) -> Any:
    for module, names in _LATE.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
