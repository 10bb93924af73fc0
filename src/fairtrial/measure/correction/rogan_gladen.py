"""The share of wrong verdicts from a judge's labels and the judge's own error rates: Rogan and Gladen (1978).

r = (p + s_p - 1) / (s_e + s_p - 1): p the share that the judge calls wrong, s_e (sensitivity) the share of wrong
verdicts that the judge calls wrong, s_p (specificity) the share of right ones that the judge calls right, both from
what people read. It needs only that the judge errs alike on what people read and on the rest, so it holds where they
read more of the wrong verdicts than there are (a set enriched with known ones, say). Where they read at random it is
wider than prediction-powered inference.

Interval: Lang and Reiczigel (2014), with effective numbers for their three n. That p and the error rates share rows is
left out, which widens it.
"""

from __future__ import annotations

import math

import numpy as np

from fairtrial.measure.correction.prediction_powered import judge_alone
from fairtrial.measure.correction.two_phase import UNLABELLED, WRONG, Corrected, Floats, TwoPhase
from fairtrial.measure.intervals.quantiles import normal_quantile
from fairtrial.measure.intervals.weighted import Share, Weighted, weighted_share


def rogan_gladen(rows: TwoPhase, *, confidence: float = 0.95) -> Corrected:
    """Return the share of wrong verdicts.

    `share` is None where people found no right one or no wrong one among what the judge labelled, or s_e + s_p <= 1.

    >>> label, truth = np.array([1] * 20 + [0] * 80), np.array([1.0] * 18 + [0.0] * 2 + [1.0] * 2 + [0.0] * 78)
    >>> found = rogan_gladen(TwoPhase(label=label, truth=truth, weight=np.ones(100), chance=np.ones(100),
    ...                               cluster=np.arange(100)))
    >>> round(found.share.value, 6), round(found.share.low, 3), round(found.share.high, 3)
    (0.2, 0.108, 0.328)
    """
    told = rows.label != UNLABELLED
    alone = judge_alone(rows)
    wrong, right = (told & rows.read & (rows.truth == value) for value in (1.0, 0.0))
    if alone is None or not wrong.any() or not right.any():
        lacking = "wrong" if not wrong.any() else "right"
        return Corrected(share=None, judge_alone=alone, why=f"people found none {lacking} of what the judge labelled")
    said = (rows.label == WRONG).astype(np.float64)
    apparent = _share(rows, told, said, rows.weight)
    sensitivity = _share(rows, wrong, said, rows.read_weight)
    specificity = _share(rows, right, 1 - said, rows.read_weight)
    informed = sensitivity.value + specificity.value - 1
    if informed <= 0:
        return Corrected(share=None, judge_alone=alone, why="the judge tells wrong from right no better than chance")
    value = min(1.0, max(0.0, (apparent.value + specificity.value - 1) / informed))
    low, high = _interval(apparent, sensitivity, specificity, normal_quantile(confidence))
    _, upper = _interval(apparent, sensitivity, specificity, normal_quantile(2 * confidence - 1))
    share = Share(
        value=value, low=max(0.0, min(low, value)), high=min(1.0, max(high, value)),
        standard_error=(high - low) / (2 * normal_quantile(confidence)), n_effective=apparent.n_effective,
        clusters=len(np.unique(rows.cluster[rows.read])), upper=min(1.0, max(upper, value)), student=False,
    )  # fmt: skip
    return Corrected(share=share, judge_alone=alone)


def _share(rows: TwoPhase, inside: np.ndarray, hit: Floats, weight: Floats) -> Share:
    chosen = Weighted(hit=hit[inside], weight=weight[inside], cluster=rows.cluster[inside],
                      stratum=np.zeros(int(inside.sum()), dtype=np.int64))  # fmt: skip
    return weighted_share(chosen)


def _interval(apparent: Share, sensitivity: Share, specificity: Share, z: float) -> tuple[float, float]:
    """Return the interval of Lang and Reiczigel: p with z^2 / 2, the error rates with one added to each side."""
    n, n_wrong, n_right = (share.n_effective for share in (apparent, sensitivity, specificity))
    n_added, wrong_added, right_added = n + z * z, n_wrong + 2, n_right + 2
    p = (n * apparent.value + z * z / 2) / n_added
    s_e = (n_wrong * sensitivity.value + 1) / wrong_added
    s_p = (n_right * specificity.value + 1) / right_added
    informed = s_e + s_p - 1
    if informed <= 0:
        return 0.0, 1.0
    middle = (p + s_p - 1) / informed
    of_wrong, of_right = s_e * (1 - s_e) / wrong_added, s_p * (1 - s_p) / right_added
    shift = 2 * z * z * (middle * of_wrong - (1 - middle) * of_right)
    spread = math.sqrt(p * (1 - p) / n_added + middle**2 * of_wrong + (1 - middle) ** 2 * of_right) / informed
    return middle + shift - z * spread, middle + shift + z * spread
