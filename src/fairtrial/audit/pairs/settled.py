"""Which pairs are settled: one rollout is better by a strict majority of reviewers, whichever was shown first.

Each reviewer has one vote. Who prefers a place when the pair is shown swapped votes for a tie. A pair whose majority is
another in the other order is not settled, though the sum of votes may say so. People and judges are never pooled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from fairtrial.audit.pairs.consistency import votes
from fairtrial.audit.pairs.reading import Compared

Why = Literal["cannot_tell", "tie", "disputed", "position"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A pair of which one rollout is better."""

    suite: str
    task: str
    task_hash: str
    better: str
    """Id of the rollout that is preferred."""
    worse: str
    votes_for: int
    votes: int
    """How many reviewers could tell; ties are in it."""
    both_orders: bool
    """It was shown in both orders, and each order's majority is the same; False: in one order only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled:
    """A pair of which no rollout is better, and why."""

    suite: str
    task: str
    one: str
    other: str
    why: Why


def settle(compared: Iterable[Compared]) -> tuple[tuple[Settled, ...], tuple[Unsettled, ...]]:
    """Return the pairs that are settled and those that are not, by suite, task and rollouts."""
    by_pair: dict[tuple[str, str, str, str], list[Compared]] = {}
    for one in compared:
        by_pair.setdefault((one.suite, one.task, *one.pair), []).append(one)
    settled, unsettled = [], []
    for (suite, task, one_id, other_id), said in sorted(by_pair.items()):
        better, why = _verdict(said)
        if better is None:
            unsettled.append(Unsettled(suite=suite, task=task, one=one_id, other=other_id, why=why))
            continue
        given = [vote for vote in votes(said).values() if vote is not None]
        settled.append(Settled(
            suite=suite, task=task, task_hash=said[0].preference.task_hash, better=better,
            worse=other_id if better == one_id else one_id, votes_for=given.count(better), votes=len(given),
            both_orders=len(_orders(said)) == 2,
        ))  # fmt: skip
    return tuple(settled), tuple(unsettled)


def _verdict(said: Sequence[Compared]) -> tuple[str | None, Why]:
    """Return the better rollout; or None, and why there is none."""
    given = [vote for vote in votes(said).values() if vote is not None]
    if not given:
        return None, "cannot_tell"
    better, count = max(sorted(Counter(given).items()), key=lambda item: item[1])
    if 2 * count <= len(given):
        return None, "disputed"
    if better == "tie":
        return None, "position" if any(_is_of_two_minds(said, name) for name in votes(said)) else "tie"
    for order in _orders(said).values():
        against = sum(one.better not in (better, "tie", None) for one in order)
        if against > sum(one.better == better for one in order):
            return None, "position"
    return better, "tie"


def _orders(said: Sequence[Compared]) -> dict[str, list[Compared]]:
    """Return the answers by which rollout was shown first; those who cannot tell say nothing of either order."""
    found: dict[str, list[Compared]] = {}
    for one in said:
        if one.better is not None:
            found.setdefault(one.preference.first, []).append(one)
    return found


def _is_of_two_minds(said: Sequence[Compared], reviewer: str) -> bool:
    answers = {one.better for one in said if one.preference.reviewer == reviewer and one.better is not None}
    return len(answers) > 1
