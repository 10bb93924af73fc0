"""Prediction-powered inference with power tuning, for labels that are right or wrong.

PPI++ (Angelopoulos, Duchi, Zrnic 2023) estimates mean_J(lambda f) + mean_H(y - lambda f), J what the judge labelled, H
what people read, and picks the lambda of least variance. For binary labels of nested samples that lambda is the slope
of y on f, q_1 - q_0, and the estimate is sum_c m_c q_c: of the judge's label c the share m_c in J, times the share q_c
that people find wrong in H (post-stratification; double sampling, Cochran 1977, 12). It lies in [0, 1] for any judge,
is unbiased whatever the judge says, and gains nothing from a judge who tells nothing. What no judge labelled is a third
label.

Variance over clusters, from the influence of each row: w_i (q_c - r) / sum w, and for what people read
m_c a_i (y_i - q_c) / sum_c a, times sqrt(n_c / (n_c - 1)). Labels that people found all right, or all wrong, are cells
of the worst case as in `weighted`. Not covered: people who read what they chose to read; see `rogan_gladen`.
"""

from __future__ import annotations

import math

import numpy as np

from fairtrial.measure.correction.two_phase import (
    UNLABELLED,
    WRONG,
    Corrected,
    Floats,
    Integers,
    Population,
    TwoPhase,
    effective_clusters,
)
from fairtrial.measure.intervals.weighted import Cell, by_cluster, share_of

LEAST = 2
"""Rows of each label that people must have read. Simulated with 1: least coverage 84%; with 2: 93%."""


def prediction_powered(rows: TwoPhase, *, population: Population | None = None, confidence: float = 0.95) -> Corrected:
    """Return the share of wrong verdicts. `population`: of the finite one, else of the superpopulation, clustered.

    `share` is None where people read fewer than `LEAST` rows of a label that occurs.
    """
    alone = judge_alone(rows)
    read, weight, read_weight = rows.read, rows.weight, rows.read_weight
    occurring = [int(code) for code in np.unique(rows.label)]
    counts = {code: int((read & (rows.label == code)).sum()) for code in occurring}
    if scarce := [code for code in occurring if counts[code] < LEAST]:
        word = {WRONG: "wrong", UNLABELLED: "unlabelled"}.get(scarce[0], "right")
        return Corrected(share=None, judge_alone=alone,
                         why=f"people read {counts[scarce[0]]} of those the judge calls {word}")  # fmt: skip
    total = float(weight.sum())
    part, found = np.zeros(3), np.zeros(3)
    residual = np.zeros(len(weight))
    for code in occurring:
        inside = read & (rows.label == code)
        part[code] = weight[rows.label == code].sum() / total
        heavy = read_weight[inside]
        found[code] = min(1.0, float(heavy @ rows.truth[inside] / heavy.sum()))
        scale = part[code] / heavy.sum() * math.sqrt(counts[code] / (counts[code] - 1))
        residual[inside] = scale * heavy * (rows.truth[inside] - found[code])
    value = float(part @ found)
    drawn = weight * (found[rows.label] - value) / total
    effective = effective_clusters(read_weight[read], rows.cluster[read])
    clusters = len(np.unique(rows.cluster[read]))
    if population is None:
        variance = _clustered(drawn + residual, rows.cluster, clusters)
        most = total**2 / float((weight**2).sum())
    else:
        variance = _finite(drawn, np.ones_like(read), population) + _finite(residual, read, population)
        effective, most = float(read.sum()), math.inf
    cells = [
        _cell(rows, code, float(part[code]), population is None) for code in occurring if found[code] in (0.0, 1.0)
    ]
    share = share_of(value, variance, effective, most, cells, clusters, confidence)
    return Corrected(share=share, judge_alone=alone, power=float(found[1] - found[0]) if len(occurring) > 1 else None)


def judge_alone(rows: TwoPhase) -> float | None:
    """Return the share that the judge calls wrong, of what the judge labelled; None where that is nothing."""
    told = rows.label != UNLABELLED
    return float(rows.weight[told & (rows.label == WRONG)].sum() / rows.weight[told].sum()) if told.any() else None


def _cell(rows: TwoPhase, code: int, weight: float, clustered: bool) -> Cell:
    inside = rows.read & (rows.label == code)
    counted = effective_clusters(rows.read_weight[inside], rows.cluster[inside]) if clustered else float(inside.sum())
    return Cell(weight, counted, bool(rows.truth[inside][0] == 1.0))


def _clustered(influence: Floats, cluster: Integers, clusters: int) -> float:
    """Return C / (C - 1) sum_g (sum influence)^2, C the clusters that people read in; 0 where that is one."""
    if clusters < 2:
        return 0.0
    return float((by_cluster(influence, cluster) ** 2).sum()) * clusters / (clusters - 1)


def _finite(influence: Floats, inside: np.ndarray, population: Population) -> float:
    """Return sum_h (1 - n_h / N_h) n_h / (n_h - 1) sum_i (z_i - mean)^2 over the strata of the rows `inside`."""
    variance = 0.0
    for code in np.unique(population.stratum[inside]):
        values = influence[inside & (population.stratum == code)]
        n, size = len(values), max(float(population.size[code]), float(len(values)))
        spread = float(((values - values.mean()) ** 2).sum()) * n / (n - 1) if n > 1 else float((values**2).sum())
        variance += (1 - n / size) * spread
    return variance
