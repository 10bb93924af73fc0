"""verifiers' rewards as an outcome: what was not scored is ungraded, where verifiers counts it as 0.

A trace's rewards are named and weighted; the score is their weighted mean, so that rewards of 1.0 and 0.2 have a full
mark of 1, and passed is a full mark in each. A reward that is null was not scored: `reward_missing`. One that is no
finite number is `reward_invalid`. A mean outside [0, 1] is `score_out_of_range`, and so is one that a penalty below 0
raised. Where a reward exceeds 1 somewhere in a file nobody knows what its full mark is: `score_scale_unknown`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from fairtrial.formats.batch import Options
from fairtrial.records import CheckStatus, Outcome

_LEAST = 1e-9
FULL = 1 - _LEAST
SCALE = "score_scale_unknown"
BARE = "\0"
"""Stands for the sum of rewards without weights among the names of rewards that exceed 1."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What a verdict says."""

    outcome: Outcome
    reason: str = ""
    score: float | None = None
    checks: tuple[tuple[str, CheckStatus], ...] = ()


def graded(
    rewards: Mapping[str, Any], broken: str, metrics: Any, options: Options, beyond: Set[str] = frozenset()
) -> Graded:
    """Return the outcome of a trace; `broken`: why its grading cannot be trusted, `beyond`: rewards that exceed 1.

    >>> graded({"right": {"score": 1.0, "weight": 1.0}, "short": None}, "", {}, Options()).reason
    'reward_missing'
    """
    beyond = {*beyond, *beyond_one(rewards)}
    checks = tuple((name, "broken" if name in beyond else _status(reward)) for name, reward in rewards.items())
    checks = checks if len(checks) > 1 else ()
    if chosen := options.columns.get("score"):
        score, reason = _chosen(chosen, rewards, metrics)
    else:
        score, reason = _mean(rewards, nulls_are_zero=options.as_recorded)
        if score is not None and any(name in beyond for name in _counting(rewards)):
            score, reason = None, SCALE
    if broken and not options.as_recorded:
        return Graded("ungraded", broken, checks=checks)
    return outcome_of(score, reason, checks)


def outcome_of(score: float | None, reason: str, checks: tuple[tuple[str, CheckStatus], ...] = ()) -> Graded:
    """Return the outcome of a score; `reason`: why there is none."""
    if score is None or reason:
        return Graded("ungraded", reason or "reward_missing", checks=checks)
    if not -_LEAST <= score <= 1 + _LEAST:
        return Graded("ungraded", "score_out_of_range", checks=checks)
    return Graded("passed" if score >= FULL else "failed", score=min(max(score, 0.0), 1.0), checks=checks)


def reward_of(rewards: Mapping[str, Any]) -> float | None:
    """Return the reward as verifiers adds it up, nulls as 0; None where it is no finite number."""
    total = 0.0
    for reward in rewards.values():
        if reward is not None:
            score, weight = _number(reward)
            if score is None:
                return None
            total += score * weight
    return total


def finite(value: Any) -> float | None:
    """Return a finite number; None for anything else, true and false included."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def whole(value: Any) -> int | None:
    """Return a whole number from 0 on that a ledger can hold; None for anything else.

    >>> whole(3.0), whole(0.5), whole(-1), whole(float("inf"))
    (3, None, None, None)
    """
    number = finite(value)
    return int(number) if number is not None and number.is_integer() and 0 <= number < 2**53 else None


def _mean(rewards: Mapping[str, Any], nulls_are_zero: bool) -> tuple[float | None, str]:
    """Return the weighted mean, and why there is none. Weights below 0 are of penalties and add to no full mark."""
    known = {name: reward for name, reward in rewards.items() if reward is not None}
    if not known or (len(known) < len(rewards) and not nulls_are_zero):
        return None, "reward_missing"
    pairs = [_number(reward) for reward in known.values()]
    if not any(isinstance(reward, dict) for reward in known.values()):  # of 0.2: weighted already, weights unknown
        return (None, "reward_invalid") if None in [s for s, _ in pairs] else (sum(s or 0.0 for s, _ in pairs), "")
    full = sum(weight for _, weight in pairs if weight > 0)
    if any(score is None for score, _ in pairs):
        return None, "reward_invalid"
    if not full:
        return None, "reward_missing"
    if any((score or 0.0) < -_LEAST and weight < 0 for score, weight in pairs):
        return None, "score_out_of_range"
    return sum((score or 0.0) * weight for score, weight in pairs) / full, ""


def beyond_one(rewards: Mapping[str, Any]) -> list[str]:
    r"""Return the rewards that count and exceed 1; BARE where a sum of rewards without weights does.

    >>> beyond_one({"right": {"score": 2.0, "weight": 0.5}, "turns": {"score": 7.0, "weight": 0.0}})
    ['right']
    >>> beyond_one({"right": 1.0, "short": 0.2})
    ['\x00']
    """
    if BARE in _counting(rewards):
        return [BARE] if sum(finite(reward) or 0.0 for reward in rewards.values()) > 1 + _LEAST else []
    return [name for name in _counting(rewards) if (_number(rewards[name])[0] or 0.0) > 1 + _LEAST]


def _counting(rewards: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the rewards that add to a full mark; BARE alone where none has a weight."""
    known = [name for name, reward in rewards.items() if reward is not None]
    if known and not any(isinstance(rewards[name], dict) for name in known):
        yield BARE
        return
    yield from (name for name in known if _number(rewards[name])[1] > 0)


def _chosen(name: str, rewards: Mapping[str, Any], metrics: Any) -> tuple[float | None, str]:
    """Return the reward or the metric that the user named."""
    found = rewards.get(name)
    if found is None and isinstance(metrics, dict):
        found = metrics.get(name)
    if found is None:
        return None, "reward_missing"
    score, _ = _number(found)
    return score, "" if score is not None else "reward_invalid"


def _number(reward: Any) -> tuple[float | None, float]:
    """Return score and weight; a bare number weighs 1."""
    if isinstance(reward, dict):
        weight = finite(reward.get("weight", 1.0))
        return (finite(reward.get("score")), weight) if weight is not None else (None, 0.0)
    return finite(reward), 1.0


def _status(reward: Any) -> CheckStatus:
    score, _ = _number(reward) if reward is not None else (None, 0.0)
    return "broken" if score is None else "passed" if score >= FULL else "failed"
