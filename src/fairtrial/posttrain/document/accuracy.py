"""The accuracy of one model on one track, over items and seeds, with its interval.

Where the evaluator names items: the mean over items of each one's pass rate over seeds, as the board has it. Where it
names none: the mean over seeds, with Student's t over these; one seed, or the same at every seed (an evaluator that
draws nothing), has no interval. Not covered: how the score of a row is made of several (`board`).
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from fairtrial.board.scoring import accuracy
from fairtrial.posttrain.evaluating import Evaluated
from fairtrial.records import Estimate

CONFIDENCE = 0.95


def accuracy_of(evaluated: Evaluated) -> Estimate | None:
    """Return the accuracy; None where nothing is graded."""
    graded = evaluated.graded
    if not graded:
        return None
    if evaluated.has_items:
        return _over_items(evaluated)
    values = np.array([one.accuracy for one in graded], dtype=np.float64)
    value, failed = float(values.mean()), len(evaluated.seeds) - len(graded)
    if len(values) == 1:
        return Estimate(value=value, low=None, high=None, n=1, ungraded=failed, method="one evaluation, no items named")
    if values.min() == values.max():
        return Estimate(value=value, low=None, high=None, n=len(values), ungraded=failed,
                        method="the same at every seed, no items named")  # fmt: skip
    spread = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values)))
    return Estimate(value=value, low=max(0.0, value - spread), high=min(1.0, value + spread), n=len(values),
                    ungraded=failed, method="mean over seeds; t over seeds, not over items")  # fmt: skip


def blank_items(evaluated: Evaluated) -> list[str]:
    """Return the items that no seed graded: an accuracy without them would be over items that the model chose."""
    held = [one.items for one in evaluated.graded if one.items is not None]
    named = dict.fromkeys(name for items in held for name in items)
    return [name for name in named if all(items.get(name) is None for items in held)]


def _over_items(evaluated: Evaluated) -> Estimate | None:
    passed: dict[str, list[bool]] = {}
    ungraded = 0
    for one in evaluated.graded:
        for name, held in (one.items or {}).items():
            if held is None:
                ungraded += 1
            else:
                passed.setdefault(name, []).append(held)
    ungraded += (len(evaluated.seeds) - len(evaluated.graded)) * len(passed)
    if not passed:
        return None
    rates = np.array([np.mean(each) for each in passed.values()], dtype=np.float64)
    return accuracy(rates, np.arange(len(rates), dtype=np.int64), ungraded, CONFIDENCE)
