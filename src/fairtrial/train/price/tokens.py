"""Output tokens for one success after training over before, paired by task and seed.

A success costs the mean tokens of an attempt over the mean pass rate, both over tasks: attempts that fail are paid for
too. What it costs before and after is `train.lift`'s; here is their ratio, whose interval is narrower than theirs would
make it, for tasks that cost much do so twice. Tokens of training are not in it (`cost`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.crossed import spread_of
from fairtrial.records import Estimate
from fairtrial.train.lift.arms import Counts, Pair


def tokens_ratio(pair: Pair, confidence: float = 0.95) -> Estimate | None:
    """Return tokens for one success, trained over base; below 1 is cheaper.

    None where a graded attempt of either records no tokens, or either never passed. The interval is of the linearised
    log ratio, t.
    """
    if not (_is_told(pair.base) and _is_told(pair.trained)):
        return None
    log = _linearised(pair.trained) - _linearised(pair.base)
    found = spread_of(log, pair.cluster)
    value = _spent(pair.trained) / _spent(pair.base)
    reach = found.reach(confidence)
    low, high = (value * float(np.exp(-reach)), value * float(np.exp(reach))) if found.variance > 0 else (None, None)
    return Estimate(value=value, low=low, high=high, n=len(pair.tasks), ungraded=sum(pair.ungraded),
                    method="ratio of output tokens for one success, paired by task and seed; linearised, log, t",
                    unit="tasks, ratio")  # fmt: skip


def _is_told(counts: Counts) -> bool:
    return bool((counts.told == counts.graded).all() and counts.tokens.any() and counts.passed.any())


def _spent(counts: Counts) -> float:
    return float((counts.tokens / counts.graded).mean() / counts.rates.mean())


def _linearised(counts: Counts) -> NDArray[np.float64]:
    spent, rates = counts.tokens / counts.graded, counts.rates
    found: NDArray[np.float64] = spent / spent.mean() - rates / rates.mean()
    return found
