"""From what a grader returned to a number. What is no finite number is unscored, never 0."""

from __future__ import annotations

import math
from typing import Any

from .errors import UnscoredError

NAMES = ("score", "reward", "value", "correct", "is_correct", "passed", "accuracy", "total", "total_reward")
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's CORRECT, PARTIAL, INCORRECT and NOANSWER, as its own `value_to_float` counts them."""


def score_of(value: Any, depth: int = 0) -> float:
    """Return the score in `value`: a number, a bool, a dict, a tuple that starts with one, an object that has one.

    Raise UnscoredError for None, NaN, infinity and all that holds no number.
    """
    number = _number(value)
    if number is not None:
        return _finite(number, value)
    if value is None:
        raise UnscoredError("nothing returned", "the grader returned None")
    found = _inner(value) if depth < 4 else None
    if found is None:
        raise UnscoredError("no number", f"the grader returned {type(value).__name__}: {_shown(value)}")
    return score_of(found[0], depth + 1)


def letter_or_score(value: Any) -> float:
    """Return the score in the value of an Inspect score: a letter, a number, or the mean of a dict of them."""
    if isinstance(value, str) and value.strip().upper() in LETTERS:
        return LETTERS[value.strip().upper()]
    if isinstance(value, dict) and value:
        return math.fsum(letter_or_score(one) for one in value.values()) / len(value)
    if isinstance(value, float) and math.isnan(value):
        raise UnscoredError("nothing returned", "the scorer returned NaN, which is its word for unscored")
    return score_of(value)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, int, float)):
        return _float(value)
    if isinstance(value, (str, bytes, dict, list, tuple, set)):
        return None
    if hasattr(value, "item") and callable(value.item) and getattr(value, "size", 1) in (0, 1):
        return _float(value.item())
    if hasattr(type(value), "__float__"):
        return _float(value)
    return None


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _finite(number: float, value: Any) -> float:
    if not math.isfinite(number):
        raise UnscoredError("not finite", f"the grader returned {_shown(value)}")
    return number


def _inner(value: Any) -> tuple[Any] | None:
    """Return what of a compound value is the score, in a tuple of one; None where nothing is."""
    if isinstance(value, dict):
        for name in NAMES:
            if name in value:
                return (value[name],)
        numbers = [one for one in value.values() if isinstance(one, (bool, int, float))]
        return (numbers[0],) if len(numbers) == 1 else None
    if isinstance(value, (list, tuple)):
        return (value[0],) if value else None
    for name in NAMES:
        if not isinstance(value, str) and hasattr(value, name) and not callable(getattr(value, name)):
            return (getattr(value, name),)
    return None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"
