"""How much more lies near eval items than near decoys: sizes with intervals, beside the tests that say whether.

Rows that lie near one item are not independent of each other (a family of copies comes or stays away as a whole), so
counts are read as Poisson counts of such families: the variance over items in units of their mean says how large one
is. Exact Poisson limits (Garwood 1936) on that scale do not degenerate where a side drew nothing.
Does not cover: which item it is (`concentration`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from fairtrial.measure.intervals.wilson import effective_wilson
from fairtrial.records import Estimate

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Sizes of the difference."""

    share: Estimate
    """Of the near rows, the share near eval items; `expected_share` where nobody built around them."""
    expected_share: float
    excess_rows: Estimate
    """Rows near eval items above what the decoys draw, sizes of the sets weighed."""


def effects(ours: Integers, theirs: Integers) -> Effects:
    """Return the effects for near rows by eval item and by decoy; both have at least one."""
    near, of_decoys = int(ours.sum()), int(theirs.sum())
    both, family = near + of_decoys, _family(np.concatenate([ours, theirs]))
    expected = len(ours) / (len(ours) + len(theirs))
    method = f"Wilson on near rows in families of {family:.1f}"
    share = Estimate(value=None, low=None, high=None, n=0, method="no row lies near", unit="rows")
    if both:
        low, high = effective_wilson(near / both, max(1.0, both / family))
        share = Estimate(value=near / both, low=low, high=high, n=both, method=method, unit="rows")
    return Effects(share=share, expected_share=expected, excess_rows=_excess(ours, theirs))


def _excess(ours: Integers, theirs: Integers) -> Estimate:
    """Return near rows above expectation; MOVER (Zou and Donner 2008) on the two exact limits."""
    weight = len(ours) / len(theirs)
    near, background = int(ours.sum()), float(theirs.sum()) * weight
    near_low, near_high = _limits(near, _family(ours))
    low, high = (limit * weight for limit in _limits(int(theirs.sum()), _family(theirs)))
    value = near - background
    return Estimate(
        value=value,
        low=value - float(np.hypot(near - near_low, high - background)),
        high=value + float(np.hypot(near_high - near, background - low)),
        n=near + int(theirs.sum()), method="exact Poisson limits by families of rows, MOVER", unit="rows",
    )  # fmt: skip


def _family(counts: Integers) -> float:
    """Return the variance of counts over their mean, at least 1: rows that come together."""
    mean = float(counts.mean())
    return max(1.0, float(counts.var(ddof=1)) / mean) if mean > 0 and len(counts) > 1 else 1.0


def _limits(total: int, family: float) -> tuple[float, float]:
    low = family / 2 * float(chi2.ppf(0.025, 2 * total / family)) if total else 0.0
    return low, family / 2 * float(chi2.ppf(0.975, 2 * (total / family + 1)))
