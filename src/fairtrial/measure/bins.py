"""Strong against weak, item by item: both pass, discriminates, too hard, reversed; for tasks and for checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from fairtrial.ledger.observed import Checks, Observed
from fairtrial.measure.fisher import benjamini_hochberg, fisher_greater
from fairtrial.measure.result import Bins, Reversed
from fairtrial.measure.tables import Integers, TaskCounts

BIN_NAMES = ("both_pass", "discriminates", "too_hard", "reversed")


def bin_of(strong_rate: float, weak_rate: float) -> str:
    """Return the bin of an item from its pass rates under a strong and a weak model.

    >>> bin_of(0.6, 0.2), bin_of(0.2, 0.6), bin_of(0.9, 0.9), bin_of(0.1, 0.0)
    ('discriminates', 'reversed', 'both_pass', 'too_hard')
    """
    if strong_rate > 0.5 and weak_rate > 0.5:
        return "both_pass"
    if weak_rate > strong_rate:
        return "reversed"
    return "discriminates" if strong_rate > 0.5 else "too_hard"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """Items that both models attempted. Arrays of one length."""

    task: Integers
    name: tuple[str, ...]
    strong_passes: Integers
    strong_n: Integers
    weak_passes: Integers
    weak_n: Integers


def bins_of(observed: Observed, counts: tuple[TaskCounts, ...], strong: int, weak: int) -> Bins:
    """Return the bins of tasks and checks under subjects `strong` and `weak`, by index."""
    tasks = _task_pairs(observed, counts[strong], counts[weak])
    checks = _check_pairs(observed.checks, strong, weak)
    task_bins, reversed_tasks = _sorted_into_bins(observed, tasks)
    check_bins, reversed_checks = _sorted_into_bins(observed, checks)
    grid = Counter(zip(np.round(tasks.weak_passes / tasks.weak_n, 9).tolist(),
                       np.round(tasks.strong_passes / tasks.strong_n, 9).tolist(), strict=True))  # fmt: skip
    return Bins(
        strong=observed.subjects[strong].label, weak=observed.subjects[weak].label, tasks=task_bins, checks=check_bins,
        compared_tasks=len(tasks.name), compared_checks=len(checks.name), reversed_tasks=reversed_tasks,
        reversed_checks=reversed_checks, grid=tuple((w, s, count) for (w, s), count in sorted(grid.items())),
    )  # fmt: skip


def _task_pairs(observed: Observed, strong: TaskCounts, weak: TaskCounts) -> _Pairs:
    both = np.flatnonzero((strong.graded > 0) & (weak.graded > 0))
    return _Pairs(task=both, name=tuple(observed.tasks[i] for i in both), strong_passes=strong.passed[both],
                  strong_n=strong.graded[both], weak_passes=weak.passed[both], weak_n=weak.graded[both])  # fmt: skip


def _check_pairs(checks: Checks | None, strong: int, weak: int) -> _Pairs:
    """Return the (task, check) cells that were graded under both."""
    none = np.zeros(0, dtype=np.int64)
    if checks is None:
        return _Pairs(task=none, name=(), strong_passes=none, strong_n=none, weak_passes=none, weak_n=none)
    found: list[dict[tuple[int, str], tuple[int, int]]] = []
    for subject in (strong, weak):
        rows = np.flatnonzero((checks.subject == subject) & (checks.n > 0))
        found.append({(int(checks.task[i]), checks.name[i]): (int(checks.passed[i]), int(checks.n[i])) for i in rows})
    cells = sorted(found[0].keys() & found[1].keys())
    table = np.array([[*found[0][cell], *found[1][cell]] for cell in cells], dtype=np.int64).reshape(-1, 4)
    return _Pairs(
        task=np.array([task for task, _ in cells], dtype=np.int64), name=tuple(name for _, name in cells),
        strong_passes=table[:, 0], strong_n=table[:, 1], weak_passes=table[:, 2], weak_n=table[:, 3],
    )  # fmt: skip


def _sorted_into_bins(observed: Observed, pairs: _Pairs) -> tuple[dict[str, int], tuple[Reversed, ...]]:
    """Return how many items each bin has, and the reversed ones, least likely by chance first.

    The correction is over all items compared, not over the reversed alone, which were chosen for their data.
    """
    strong, weak = pairs.strong_passes / pairs.strong_n, pairs.weak_passes / pairs.weak_n
    bins = [bin_of(s, w) for s, w in zip(strong.tolist(), weak.tolist(), strict=True)]
    tally = {name: bins.count(name) for name in BIN_NAMES}
    p_values = fisher_greater(pairs.weak_passes, pairs.weak_n, pairs.strong_passes, pairs.strong_n)
    q_values = benjamini_hochberg(p_values)
    rows = [
        Reversed(name=pairs.name[i], task=observed.tasks[pairs.task[i]], strong_passes=int(pairs.strong_passes[i]),
                 strong_n=int(pairs.strong_n[i]), weak_passes=int(pairs.weak_passes[i]), weak_n=int(pairs.weak_n[i]),
                 p_value=float(p_values[i]), q_value=float(q_values[i]))
        for i, name in enumerate(bins) if name == "reversed"
    ]  # fmt: skip
    return tally, tuple(sorted(rows, key=lambda row: (row.p_value, row.task, row.name)))
