"""What a transcript's `success`, `score` and `error` come to: passed, failed, ungraded, or not graded at all.

What an error or an operator ended is ungraded, whatever it was scored, as it is in Inspect's own logs; so is a score of
NaN, the mark of what was not scored. For transcripts of those logs the score decides: Scout calls success whatever is
above 0, and of a NaN it keeps `success` false and no score (0.6.1). What it made of a 7 or a word is no
grade. Elsewhere `success` decides, and the score where that is null.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.formats.inspect.scores import FULL, number_of, reason_of
from fairtrial.records import Outcome

EVAL_LOG = "eval_log"
"""What Scout calls the source of transcripts that Inspect wrote."""
_MADE_UP = ("score_out_of_range", "score_not_a_number")
"""Of these Scout makes a success by itself: 7 is above 0, and a word counts as 0. Of several values it makes none."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A verdict's outcome."""

    outcome: Outcome
    reason: str = ""
    score: float | None = None


def graded(row: Mapping[str, Any], as_recorded: bool) -> Graded | None:
    """Return what a row's columns say; None where nobody graded it.

    `as_recorded`: what was recorded although an error struck.

    >>> [graded({"success": success, "score": score}, False)
    ...  for success, score in ((True, None), (None, "0.4"), (True, "nan"), (None, None))]
    ... # doctest: +NORMALIZE_WHITESPACE
    [Graded(outcome='passed', reason='', score=None), Graded(outcome='failed', reason='', score=0.4),
     Graded(outcome='ungraded', reason='unscored', score=None), None]
    """
    said = _said(row)
    is_recorded = as_recorded and said is not None and said.outcome != "ungraded"
    reason = "" if is_recorded else _broken(row)
    return Graded("ungraded", reason) if reason else said


def _said(row: Mapping[str, Any]) -> Graded | None:
    success, stated = row.get("success"), _value(row.get("score"))
    score, reason = number_of(stated)
    is_scored = stated is not None
    is_of_inspect = row.get("source_type") == EVAL_LOG
    if (is_scored and reason == "unscored") or (is_of_inspect and not is_scored and success is not None):
        return Graded("ungraded", "unscored")
    if is_of_inspect and reason in _MADE_UP:
        return Graded("ungraded", reason)
    if isinstance(success, bool) and not (score is not None and is_of_inspect):
        return Graded("passed" if success else "failed", score=score)
    if score is not None:
        return Graded("passed" if score >= FULL else "failed", score=score)
    return Graded("ungraded", reason) if is_scored else None


def _broken(row: Mapping[str, Any]) -> str:
    """Return why what was scored does not count, empty where it does."""
    error = row.get("error")
    if isinstance(error, str) and error:
        return reason_of(error, "error")
    return "operator" if row.get("limit") == "operator" else ""


def _value(stated: Any) -> Any:
    """Return a score as it was before Scout wrote it as a text; None where there is none.

    >>> [_value(one) for one in ("0.5", '{"a": 1}', "", "C", "NaN")]
    [0.5, {'a': 1}, None, 'C', nan]
    """
    if not isinstance(stated, str):
        return stated
    text = stated.strip()
    if text.lower() == "nan":
        return math.nan
    try:
        return orjson.loads(text) if text else None
    except orjson.JSONDecodeError:
        return text
