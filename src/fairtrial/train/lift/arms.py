"""Counts of one model by training seed and task, and two models on the cells that both have.

Arrays are of (seeds, tasks). A base without a training seed of its own stands beside every seed of the trained model.
Not covered: whether the two may be compared (`locking`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.tables import is_limit
from fairtrial.train.lift.reading import Line

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_FIELDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Outcomes by seed and task."""

    passed: Integers
    graded: Integers
    ungraded: Integers
    limit_passed: Integers
    """Passes of rollouts that stopped at a limit of turns, time or tokens."""
    told: Integers
    """Graded rollouts that record output tokens."""
    tokens: Integers

    @property
    def rates(self) -> Floats:
        """Return the pass rate of each cell; every cell must have a graded rollout."""
        rates: Floats = self.passed / self.graded
        return rates

    def taken(self, seeds: Sequence[int], tasks: Sequence[int]) -> Counts:
        """Return the counts of these rows and columns."""
        cut = np.ix_(np.array(seeds, dtype=np.int64), np.array(tasks, dtype=np.int64))
        return Counts(**{name: getattr(self, name)[cut] for name in Counts.__dataclass_fields__})


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One model on the tasks of a board."""

    name: str
    seeds: tuple[int | None, ...]
    """Training seeds, ascending; (None,) where none is known."""
    tasks: tuple[str, ...]
    counts: Counts
    says_stop: bool
    """Whether rollouts say why they stopped, and each that passed does."""
    at_limit: float | None = None
    """Share of graded rollouts that stopped at a limit of turns, time or tokens; None where some say no stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A base and a trained model on shared seeds and tasks, every cell graded in both."""

    base: Counts
    trained: Counts
    seeds: tuple[int | None, ...]
    base_seeds: int
    """How many rows of the base are its own; 1 where the same one stands beside every seed."""
    trained_seeds: int
    tasks: tuple[str, ...]
    cluster: Integers
    family: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    """(task, why)."""
    ungraded_bounds: tuple[float, float] | None
    """Gain over every attempted task with all ungraded against the trained model, and for it."""

    @property
    def differences(self) -> Floats:
        """Return trained - base by seed and task."""
        found: Floats = self.trained.rates - self.base.rates
        return found

    @property
    def base_once(self) -> Counts:
        """Return the base's counts, one row where the same one stands beside every seed."""
        return _once(self.base, self.base_seeds)

    @property
    def trained_once(self) -> Counts:
        """Return the trained model's counts, one row where the same one stands beside every seed."""
        return _once(self.trained, self.trained_seeds)

    @property
    def ungraded(self) -> tuple[int, int]:
        """Return the rollouts of base and trained that have no verdict."""
        return int(self.base_once.ungraded.sum()), int(self.trained_once.ungraded.sum())

    def of_tasks(self, chosen: NDArray[np.bool_]) -> Pair:
        """Return the pair on the chosen tasks."""
        at = np.flatnonzero(chosen).tolist()
        rows = range(len(self.seeds))
        return replace(self, base=self.base.taken(rows, at), trained=self.trained.taken(rows, at),
                       tasks=tuple(self.tasks[i] for i in at), cluster=self.cluster[at],
                       family=tuple(self.family[i] for i in at))  # fmt: skip

    def of_seed(self, row: int) -> Pair:
        """Return the pair of one training seed."""
        every = range(len(self.tasks))
        return replace(self, base=self.base.taken([row], every), trained=self.trained.taken([row], every),
                       seeds=(self.seeds[row],), base_seeds=1, trained_seeds=1)  # fmt: skip


def arm_of(name: str, lines: Sequence[Line], tasks: Sequence[str]) -> Arm:
    """Return the counts of `lines` on `tasks`; lines of other tasks are left out."""
    seeds = sorted({line.seed for line in lines}, key=lambda seed: (seed is not None, seed or 0))
    row, column = ({each: i for i, each in enumerate(every)} for every in (seeds, tasks))
    table = np.zeros((_FIELDS, len(seeds), len(tasks)), dtype=np.int64)
    for line in lines:
        if line.task in column:
            cell = table[:, row[line.seed], column[line.task]]
            is_graded, has_passed = line.outcome != "ungraded", line.outcome == "passed"
            cell += np.array([has_passed * line.runs, is_graded * line.runs, (not is_graded) * line.runs,
                              (has_passed and is_limit(line.stop)) * line.runs, is_graded * line.told,
                              is_graded * line.tokens], dtype=np.int64)  # fmt: skip
    passed, graded, ungraded, limit_passed, told, tokens = table
    mine = [line for line in lines if line.outcome != "ungraded" and line.task in column]
    return Arm(
        name=name, seeds=tuple(seeds), tasks=tuple(tasks), at_limit=_at_limit(mine),
        says_stop=any(line.stop for line in mine) and all(line.stop for line in mine if line.outcome == "passed"),
        counts=Counts(passed=passed, graded=graded, ungraded=ungraded, limit_passed=limit_passed, told=told,
                      tokens=tokens),
    )  # fmt: skip


def _at_limit(graded: Sequence[Line]) -> float | None:
    if not graded or not all(line.stop for line in graded):
        return None
    return sum(line.runs for line in graded if is_limit(line.stop)) / sum(line.runs for line in graded)


def seeds_paired(base: Arm, trained: Arm) -> tuple[tuple[int | None, int | None], ...]:
    """Return which seed of the base stands beside which of the trained; nothing where none is shared.

    One without seeds stands beside each of the other's.
    """
    if base.seeds == (None,) or trained.seeds == (None,):
        return tuple((b, t) for b in base.seeds for t in trained.seeds)
    return tuple((seed, seed) for seed in trained.seeds if seed in base.seeds)


def pair(base: Arm, trained: Arm, cluster: Integers, family: Sequence[str]) -> Pair | None:
    """Return both on the seeds that pair and the tasks graded in every cell; None where there is no such task."""
    beside = seeds_paired(base, trained)
    every = range(len(base.tasks))
    first = base.counts.taken([base.seeds.index(b) for b, _ in beside], every)
    second = trained.counts.taken([trained.seeds.index(t) for _, t in beside], every)
    whole = (first.graded > 0).all(axis=0) & (second.graded > 0).all(axis=0)
    kept = np.flatnonzero(whole)
    if not beside or len(kept) == 0:
        return None
    rows = range(len(beside))
    return Pair(
        base=first.taken(rows, kept.tolist()), trained=second.taken(rows, kept.tolist()),
        seeds=tuple(b if t is None else t for b, t in beside), base_seeds=len({b for b, _ in beside}),
        trained_seeds=len({t for _, t in beside}), tasks=tuple(base.tasks[i] for i in kept.tolist()),
        cluster=cluster[kept], family=tuple(family[i] for i in kept.tolist()),
        left_out=tuple((base.tasks[i], _why(i, (base.name, first), (trained.name, second)))
                       for i in np.flatnonzero(~whole).tolist()),
        ungraded_bounds=_bounds(first, second),
    )  # fmt: skip


def lacking(base: Arm, trained: Arm) -> str:
    """Return what either never attempted in a seed that pairs, though it did in another; empty where nothing."""
    told = []
    for arm, seeds in zip((base, trained), zip(*seeds_paired(base, trained), strict=True), strict=False):
        attempted = arm.counts.graded + arm.counts.ungraded > 0
        for seed in dict.fromkeys(seeds):
            row = attempted[arm.seeds.index(seed)]
            if not row.all():
                names = [arm.tasks[i] for i in np.flatnonzero(~row).tolist()]
                where = "" if seed is None else f"seed {seed} "
                who = "the base, " if arm is base else ""
                told.append(f"{who}{where}lacks {len(names)} of {len(row)} tasks: {named(names)}")
    return "; ".join(told)


def named(tasks: Sequence[str], most: int = 5) -> str:
    """Return names of tasks, not too many.

    >>> named(["a", "b", "c"], most=2)
    '`a`, `b` and 1 more'
    """
    more = f" and {len(tasks) - most} more" if len(tasks) > most else ""
    return ", ".join(f"`{task}`" for task in tasks[:most]) + more


def _once(counts: Counts, rows: int) -> Counts:
    return counts if rows == len(counts.graded) else counts.taken(range(rows), range(counts.graded.shape[1]))


def _why(task: int, *models: tuple[str, Counts]) -> str:
    for name, counts in models:
        empty = counts.graded[:, task] == 0
        if empty.any():
            seeds = "" if empty.all() else f" in {int(empty.sum())} of {len(empty)} seeds"
            attempted = bool((counts.ungraded[empty, task] > 0).any())
            return f"{name} has no graded attempt{seeds}" + (", ungraded ones alone" if attempted else "")
    return ""


def _bounds(base: Counts, trained: Counts) -> tuple[float, float] | None:
    """Return the mean gain over attempted cells with all ungraded against the trained model, and for it."""
    if not base.ungraded.any() and not trained.ungraded.any():
        return None
    before, after = base.graded + base.ungraded, trained.graded + trained.ungraded
    seen = ((before > 0) & (after > 0)).all(axis=0)
    before, after = before[:, seen], after[:, seen]
    low = trained.passed[:, seen] / after - (base.passed + base.ungraded)[:, seen] / before
    high = (trained.passed + trained.ungraded)[:, seen] / after - base.passed[:, seen] / before
    return float(low.mean()), float(high.mean())
