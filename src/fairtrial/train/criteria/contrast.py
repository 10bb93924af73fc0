"""Which rollouts of a task are better and which worse, and what says so. Pure.

    hack        people confirmed that it gamed the grader                     worse
    review      those who re-graded it say that it does not satisfy the task  worse
    outcome     the grader failed it, and no review says otherwise            worse
    preference  among the sound: preferred more often than not, or less       better, worse
    length      among the sound, where no review, hack or preference told any apart: the shortest third against the
                longest, if that takes half as many tokens again             better, worse

The sound are those that passed, or that a review says satisfy the task, without a confirmed hack. Where nothing tells
them apart they are all better than the worse. A kind that is not asked for tells nothing: what it would call worse is
then neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["preference", "review", "hack", "outcome", "length"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LONGER = 1.5
"""Tokens of the shortest of the long over those of the longest of the short."""
FEWEST = 3
"""Sound rollouts with known length below which they have no thirds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What is known of the quality of one graded rollout."""

    rollout: str
    passed: bool
    hack: bool = False
    """Confirmed by people."""
    satisfied: bool | None = None
    """What reviews come to; None: nobody looked, or they disagree."""
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """On which side a rollout stands, and what says so."""

    better: bool
    by: Kind


def sides(
    attempts: Sequence[Attempt], preferences: Iterable[tuple[str, str]] = (), kinds: Collection[Kind] = KINDS
) -> dict[str, Side]:
    """Return the side of each rollout that has one. `preferences` are (better, worse) of one task.

    >>> four = [Attempt(rollout=name, passed=name != "d", tokens=10) for name in "abcd"]
    >>> {name: side.better for name, side in sides(four).items()}
    {'d': False, 'a': True, 'b': True, 'c': True}
    """
    found: dict[str, Side] = {}
    sound = []
    for one in sorted(attempts, key=lambda one: one.rollout):
        kind = _fault(one)
        if kind is None:
            sound.append(one)
        elif kind in kinds:
            found[one.rollout] = Side(False, kind)
    told = _preferred(sound, preferences) if "preference" in kinds else {}
    looked_at = told or any(side.by in ("hack", "review") for side in found.values())
    if not looked_at and "length" in kinds:
        told = _by_length(sound)
    if not told and found:
        by = next(iter(found.values())).by
        told = {one.rollout: Side(True, "review" if one.satisfied else by) for one in sound}
    return found | told


def _fault(one: Attempt) -> Kind | None:
    if one.hack:
        return "hack"
    if one.satisfied is False:
        return "review"
    return None if one.passed or one.satisfied else "outcome"


def _preferred(sound: Sequence[Attempt], preferences: Iterable[tuple[str, str]]) -> dict[str, Side]:
    names = {one.rollout for one in sound}
    net: Counter[str] = Counter()
    for better, worse in preferences:
        if {better, worse} <= names:
            net[better] += 1
            net[worse] -= 1
    return {name: Side(net[name] > 0, "preference") for name in sorted(net) if net[name]}


def _by_length(sound: Sequence[Attempt]) -> dict[str, Side]:
    known = sorted((one.tokens, one.rollout) for one in sound if one.tokens is not None)
    third = len(known) // 3
    if len(known) < FEWEST or known[-third][0] < LONGER * max(known[third - 1][0], 1):
        return {}
    short = {rollout: Side(True, "length") for _, rollout in known[:third]}
    return short | {rollout: Side(False, "length") for _, rollout in known[-third:]}
