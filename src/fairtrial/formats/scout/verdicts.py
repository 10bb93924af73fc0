"""What a transcript's `success`, `score` and `error` come to: passed, failed, ungraded, or not graded at all.

A score is a number, or a letter of Inspect's (C 1, P .5, I and N 0). For transcripts of Inspect's logs it decides where
it is there, since Scout calls success whatever is above 0; else `success` decides, and the score where that is null.
NaN is Inspect's mark of a sample that was not scored: ungraded, whatever else is said. An error without a score is
ungraded too: broken is not failed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fairtrial.formats.completions import FULL
from fairtrial.records import Outcome

EVAL_LOG = "eval_log"
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


@dataclass(frozen=True, slots=True)
class Graded:
    """A verdict's outcome."""

    outcome: Outcome
    reason: str = ""
    score: float | None = None


def graded(row: dict[str, Any], as_recorded: bool) -> Graded | None:
    """Return what a row's columns say; None where nobody graded it.

    `as_recorded`: take `success` as it stands, beside an error too.

    >>> [graded({"success": success, "score": score}, False)
    ...  for success, score in ((True, None), (None, "0.4"), (True, "nan"), (None, None))]
    ... # doctest: +NORMALIZE_WHITESPACE
    [Graded(outcome='passed', reason='', score=None), Graded(outcome='failed', reason='', score=0.4),
     Graded(outcome='ungraded', reason='score_missing', score=None), None]
    """
    success, stated = row.get("success"), row.get("score")
    number = _number(stated)
    if number is not None and math.isnan(number):
        return Graded("ungraded", "score_missing")
    is_number = number is not None
    if success is False and row.get("error") and not is_number and not as_recorded:
        return Graded("ungraded", "error")
    score = number if number is not None and 0 <= number <= 1 else None
    by_score = row.get("source_type") == EVAL_LOG and score is not None and not as_recorded
    if isinstance(success, bool) and not by_score:
        return Graded("passed" if success else "failed", score=score)
    if score is not None:
        return Graded("passed" if score >= FULL else "failed", score=score)
    if is_number:
        return Graded("ungraded", "score_out_of_range")
    if stated not in (None, ""):
        return Graded("ungraded", "score_unreadable")
    return Graded("ungraded", "error") if row.get("error") else None


def _number(stated: Any) -> float | None:
    """Return a score as a number; None for what is none.

    >>> [_number(one) for one in ("C", "0.5", True, "yes", '{"a": 1}', None)]
    [1.0, 0.5, 1.0, 1.0, None, None]
    """
    if isinstance(stated, bool | int | float):
        return float(stated)
    if not isinstance(stated, str):
        return None
    text = stated.strip().strip('"')
    if text in _LETTERS:
        return _LETTERS[text]
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return float(text)
    except ValueError:
        return None
