"""Which rollouts are studied and which are held out. Pure, and the same for the same seed.

Whole clusters of near copies are left out first; of the tasks that remain each side is dealt out half and half. Work
that is the same word for word counts once, so that nothing held out was studied.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

LEAST_CLUSTERS = 5
"""Clusters of tasks below which none is left out: there would be too few to study."""
LEAST_LEFT_OUT = 2
"""Clusters that are left out at least, where any are: of one alone nothing can be estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrasted:
    """One rollout that is better or worse than others of its task."""

    rollout: str
    task: str
    cluster: str
    """Near copies share one."""
    content: str
    """Content address of its work."""
    better: bool


@dataclass(slots=True)
class Halves:
    """What is studied and what is held out, in order of task and rollout."""

    studied: list[Contrasted] = field(default_factory=list)
    held_out: list[Contrasted] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    """Tasks of which nothing is studied."""
    same: int = 0
    """Rollouts whose work another one has too, word for word: one of them counts."""
    disputed: int = 0
    """Rollouts that are better and worse with the same work: none of them counts."""


def halves(contrasted: Sequence[Contrasted], seed: int, left_out: float) -> Halves:
    """Return `contrasted` in halves, with a share `left_out` of all clusters held out whole."""
    found = Halves()
    by_task: dict[str, list[Contrasted]] = {}
    for one in _distinct(contrasted, found):
        by_task.setdefault(one.task, []).append(one)
    whole = {task: ones for task, ones in by_task.items() if len({one.better for one in ones}) == 2}
    clusters = sorted({ones[0].cluster for ones in whole.values()}, key=lambda name: _drawn(seed, "cluster", name))
    count = max(LEAST_LEFT_OUT, math.ceil(left_out * len(clusters)))
    apart = set(clusters[:count]) if left_out > 0 and len(clusters) >= LEAST_CLUSTERS else set()
    extra = {True: 1, False: 1}
    for task in sorted(whole, key=lambda name: _drawn(seed, "task", name)):
        ones = whole[task]
        if ones[0].cluster in apart:
            found.left_out.add(task)
            found.held_out += ones
            continue
        for better in (True, False):
            side = sorted((one for one in ones if one.better == better), key=lambda one: _drawn(seed, one.content))
            half = (len(side) + extra[better]) // 2
            # Odd ones go to either half in turn: of tasks with one worse rollout half are studied by it.
            extra[better] ^= len(side) % 2
            found.studied += side[:half]
            found.held_out += side[half:]
    for ones in (found.studied, found.held_out):
        ones.sort(key=lambda one: (one.task, one.rollout))
    return found


def _distinct(contrasted: Sequence[Contrasted], found: Halves) -> list[Contrasted]:
    kept: dict[tuple[str, str], list[Contrasted]] = {}
    for one in sorted(contrasted, key=lambda one: one.rollout):
        kept.setdefault((one.task, one.content), []).append(one)
    distinct = []
    for ones in kept.values():
        if len({one.better for one in ones}) == 2:
            found.disputed += len(ones)
        else:
            found.same += len(ones) - 1
            distinct.append(ones[0])
    return distinct


def _drawn(seed: int, *names: str) -> bytes:
    return hashlib.sha256("\0".join((str(seed), *names)).encode()).digest()
