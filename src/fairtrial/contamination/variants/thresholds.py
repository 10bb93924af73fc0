"""From which score a pair is flagged, so that a stated share of clean rows is flagged in error.

With many control rows the threshold is one of their scores, the one that clean rows exceed at most at that rate with a
certainty of 84% (an order statistic; one standard error). With fewer than twenty rows above it, that score is too
shaky, and the tail is modelled as exponential from its highest fiftieth on, which smooths it, one standard error added.
With fewer rows than one in the rate needs, the rate cannot be promised, and that is said. Without a control there is a
fixed threshold. Not covered: a control that is not like the training set. A rate on questions says nothing of code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants.kernels import Floats
from fairtrial.contamination.variants.prepared import Prepared
from fairtrial.contamination.variants.scoring import score_of
from fairtrial.records import InputError

DEFAULT = 0.75
"""Threshold without a control: four tens, as one background row in 10,000 would reach were the tail exponential."""
STEADY = 20
"""Control rows above the threshold, from which number on it is read off them."""
TAIL = 50
"""Of so many rows the highest one is taken to be of the tail."""
LEAST = 50
"""Control rows below which no tail is modelled."""
HELD = 0.84
"""Certainty with which the rate is held: one standard error. On average alone, half of all controls would miss it."""
CERTAINTY = 0.95
"""Of `low` and `high`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Flag a row whose score is greater than `value`."""

    value: float
    fpr: float
    """Share of clean rows that may be flagged."""
    n_control: int
    low: float
    """Where the threshold of exactly that rate lies, with 95% certainty; equal to `high` where it is fixed."""
    high: float
    how: str
    promised: bool
    """False: too few control rows for the rate, or none; `why` says so."""
    why: str = ""
    suspects: tuple[str, ...] = ()
    """Control rows nearer than the fixed threshold, nearest first, at most twenty: they may hold items themselves."""
    n_suspects: int = 0
    """How many there are."""
    middle: float | None = None
    """Median score of the control's rows that lie near anything, to hold a training set against; None for few rows."""


def threshold_of(prepared: Prepared, control: Iterable[Row], fpr: float) -> Threshold:
    """Return the threshold at which a share `fpr` of rows like the control's is flagged.

    Raise InputError where `fpr` is not between 0 and 1. An empty control gives `default_threshold`.
    """
    ids: list[str] = []

    def noted() -> Iterable[Row]:
        for row in control:
            ids.append(row.id)
            yield row

    scores = prepared.nearest(noted()).score
    return threshold_of_scores(scores, ids, fpr)


def threshold_of_scores(scores: Floats, ids: Sequence[str], fpr: float) -> Threshold:
    """Return the threshold from the scores of control rows, with the ids of those as near to items as leaks are."""
    made = threshold_from(scores, fpr)
    far = np.nonzero(scores > DEFAULT)[0].tolist() if len(scores) else []
    ordered = sorted(far, key=lambda at: (-scores[at], at))
    near = scores[scores > 0]
    return replace(made, suspects=tuple(ids[at] for at in ordered[:20]), n_suspects=len(far),
                   middle=float(np.median(near)) if len(near) >= LEAST else None)  # fmt: skip


def threshold_from(scores: Floats, fpr: float) -> Threshold:
    """Return the threshold from the scores of control rows."""
    if not 0 < fpr < 1:
        raise InputError(f"{fpr} is no rate of false positives", field="fpr", hint="Between 0 and 1, such as 0.01.")
    count = len(scores)
    if not count:
        return default_threshold(fpr)
    falling = np.sort(scores)[::-1].astype(np.float64)
    if count * fpr > STEADY:
        return _read_off(falling, fpr)
    if count >= LEAST:
        return _modelled(falling, fpr)
    value = max(DEFAULT, float(falling[0]))
    return Threshold(
        value=value, fpr=fpr, n_control=count, low=value, high=value, promised=False,
        how="fixed, or the highest control score where that is more",
        why=f"{count} control rows set no threshold: {LEAST} at least, and for {fpr:g} about {1 / fpr:.0f}",
    )  # fmt: skip


def default_threshold(fpr: float) -> Threshold:
    """Return the threshold that stands in where there is no control; no rate is promised."""
    return Threshold(
        value=DEFAULT, fpr=fpr, n_control=0, low=DEFAULT, high=DEFAULT, promised=False, how="fixed",
        why="no control: the share of clean rows flagged in error is not known, and the threshold is a cautious one",
    )  # fmt: skip


def _read_off(falling: NDArray[np.float64], fpr: float) -> Threshold:
    """Take the score that clean rows exceed at a rate of at most `fpr`, with certainty `HELD`.

    Of n scores, r or more lie above the score of that exact rate with the chance that Binomial(n, fpr) is r or more.
    """
    count = len(falling)
    tail = (1 - CERTAINTY) / 2

    def last(certainty: float) -> int:
        return max(1, int(binom.ppf(1 - certainty, count, fpr)))

    rank = last(HELD)
    return Threshold(
        value=float(falling[rank - 1]), fpr=fpr, n_control=count, low=float(falling[last(tail) - 1]),
        high=float(falling[last(1 - tail) - 1]), promised=True,
        how=f"number {rank:,} of {count:,} control scores, from the highest",
    )  # fmt: skip


def _modelled(falling: NDArray[np.float64], fpr: float) -> Threshold:
    """Extend the highest scores by an exponential tail in tens (peaks over a threshold, shape 0)."""
    count = len(falling)
    above = max(10, count // TAIL)
    tens = -2 * np.log2(np.maximum(1 - falling[: above + 1], 1e-9))
    start = tens[above]
    mean = float((tens[:above] - start).mean())
    reach = np.log(above / (count * fpr))
    estimate = start + mean * reach
    error = mean / np.sqrt(above) * np.sqrt(1 + reach**2)
    enough = count * fpr >= 1 - 1e-9
    at = score_of(np.array([estimate + error, estimate - 1.96 * error, estimate + 1.96 * error], np.float32))
    why = f"{count} control rows cannot promise {fpr:g}: it takes about {1 / fpr:.0f}; the tail is extended"
    return Threshold(
        value=float(at[0]), fpr=fpr, n_control=count, low=float(at[1]), high=float(at[2]), promised=bool(enough),
        why="" if enough else why, how=f"an exponential tail through the highest {above:,} of {count:,} control scores",
    )  # fmt: skip
