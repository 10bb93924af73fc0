"""Can a classifier tell two sets of texts apart: scores of texts it was not fitted to, their AUC, interval and p-value.

The classifier is ridge regression of the label (+1, -1) on all features, each kind of feature with the same weight: in
kernel form its scores of left-out texts are linear in the labels, so that a permutation costs one product. Near copies
are left out together and keep one label in a permutation. The interval is DeLong's with clusters (Obuchowski 1997),
on the logit scale. That takes scores for given, though the classifier was fitted to these texts: by how much its
variance falls short is seen in the permutations, and made good. Pure: matrices in, figures out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata

from fairtrial.measure.intervals.quantiles import normal_quantile

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Labels = NDArray[np.bool_]

FOLDS = 10
RIDGE = 0.5
"""Weight of the penalty beside a kernel whose mean diagonal is 1."""
PERMUTATIONS = 999
COMPARED = 20
"""Permutations whose variance by DeLong is held against that of all their AUCs."""
_LIKE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How well labels are told from features."""

    auc: float
    low: float
    high: float
    p_value: float
    scores: Floats
    """Of each text, by a classifier that had neither it nor a near copy of it."""


def kernel_of(values: sparse.csr_matrix) -> Floats:
    """Return the centred inner products of rows, scaled to a mean diagonal of 1."""
    products = np.asarray((values @ values.T).todense(), dtype=np.float64)
    means = products.mean(axis=1, keepdims=True)
    centred: Floats = products - means - means.T + products.mean()
    scale = float(np.trace(centred)) / len(centred)
    return centred / scale if scale > _LIKE else centred * 0.0


def told_apart(kernel: Floats, labels: Labels, group: Integers, seed: int, confidence: float = 0.95) -> Told:
    """Return how well `labels` are told; texts of one `group` are left out together.

    Folds know no labels, so that the p-value is exact where units (group and label) are exchangeable.
    """
    generator = np.random.default_rng(seed)
    hat = _out_of_fold(kernel, _folds(group, generator))
    scores = hat @ np.where(labels, 1.0, -1.0)
    auc = auc_of(scores, labels)
    drawn = _permuted(labels, group, generator)
    others = _aucs(hat @ np.where(drawn, 1.0, -1.0), drawn)
    p_value = (1 + int((others >= auc - _LIKE).sum())) / (1 + len(others))
    seen = [_variance(hat @ np.where(column, 1.0, -1.0), column, group) for column in drawn.T[:COMPARED]]
    short = max(1.0, float(others.var()) / max(float(np.mean(seen)), _LIKE))
    low, high = interval_of_auc(scores, labels, group, confidence, short)
    return Told(auc=auc, low=low, high=high, p_value=p_value, scores=scores)


def weights_of(kernel: Floats, labels: Labels, values: sparse.csr_matrix) -> Floats:
    """Return the weight of each feature of `values` in the classifier fitted to all texts."""
    signs = np.where(labels, 1.0, -1.0)
    dual = np.linalg.solve(kernel + RIDGE * np.eye(len(kernel)), signs - signs.mean())
    return np.asarray(values.T @ (dual - dual.mean())).ravel()


def auc_of(scores: Floats, labels: Labels) -> float:
    """Return the share of pairs in which the labelled text has the higher score, ties half.

    >>> auc_of(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    return float(_aucs(scores[:, None], labels[:, None])[0])


def _aucs(scores: Floats, labels: Labels) -> Floats:
    """Return the AUC of each column."""
    ranks = rankdata(scores, axis=0)
    ones = labels.sum(axis=0).astype(np.float64)
    zeros = len(labels) - ones
    found: Floats = ((ranks * labels).sum(axis=0) - ones * (ones + 1) / 2) / (ones * zeros)
    return found


def interval_of_auc(
    scores: Floats, labels: Labels, group: Integers, confidence: float = 0.95, short: float = 1.0
) -> tuple[float, float]:
    """Return the interval of an AUC over groups (Obuchowski 1997), on the logit scale.

    `short` is the factor by which the variance is too small at an AUC of one half; it falls with 2 √(AUC (1 − AUC)), as
    simulated suites have it (tests), for of texts that are told apart every classifier says the same.
    Where (nearly) every pair, or none, is in order there is hardly a variance to see: an AUC within half a group of its
    end is taken for one half a group short of it, with at least the variance of Hanley and McNeil (1982) there.
    """
    auc = auc_of(scores, labels)
    groups = [max(2, len(np.unique(group[which]))) for which in (labels, ~labels)]
    least = 0.5 / min(groups)
    shrunk = min(max(auc, least), 1 - least)
    floor = _hanley_mcneil(shrunk, *groups) if shrunk != auc else 0.0
    factor = 1 + (short - 1) * 2 * math.sqrt(auc * (1 - auc))
    variance = max(factor * _variance(scores, labels, group), floor)
    reach = normal_quantile(confidence) * math.sqrt(variance) / (shrunk * (1 - shrunk))
    middle = math.log(shrunk / (1 - shrunk))
    low, high = (1 / (1 + math.exp(-max(-700.0, min(700.0, middle + sign * reach)))) for sign in (-1, 1))
    return min(low, auc) if auc else 0.0, max(high, auc) if auc < 1 else 1.0


def _variance(scores: Floats, labels: Labels, group: Integers) -> float:
    """Return the variance of an AUC over groups, the scores taken for given."""
    ones, zeros = scores[labels], scores[~labels]
    above = np.array([(one > zeros).mean() + (one == zeros).mean() / 2 for one in ones])
    below = np.array([(ones > zero).mean() + (ones == zero).mean() / 2 for zero in zeros])
    auc = float(above.mean())
    _, code = np.unique(group, return_inverse=True)
    size = int(code.max()) + 1
    own = np.bincount(code[labels], above - auc, size), np.bincount(code[~labels], below - auc, size)
    groups = [max(2, len(np.unique(code[which]))) for which in (labels, ~labels)]
    first = groups[0] / (groups[0] - 1) * float((own[0] ** 2).sum()) / len(ones) ** 2
    second = groups[1] / (groups[1] - 1) * float((own[1] ** 2).sum()) / len(zeros) ** 2
    both = min(groups) / (min(groups) - 1) * float((own[0] * own[1]).sum()) / (len(ones) * len(zeros))
    return first + second + 2 * both


def _hanley_mcneil(auc: float, ones: int, zeros: int) -> float:
    first, second = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    total = auc * (1 - auc) + (ones - 1) * (first - auc**2) + (zeros - 1) * (second - auc**2)
    return total / (ones * zeros)


def _folds(group: Integers, generator: np.random.Generator) -> Integers:
    """Return the fold of each text: whole groups, the large ones dealt first to the fold that has least."""
    _, code, sizes = np.unique(group, return_inverse=True, return_counts=True)
    shuffled = generator.permutation(len(sizes))
    order = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
    load = np.zeros(min(FOLDS, len(sizes)), dtype=np.int64)
    fold = np.empty(len(sizes), dtype=np.int64)
    for each in order:
        fold[each] = int(np.argmin(load))
        load[fold[each]] += sizes[each]
    found: Integers = fold[code]
    return found


def _out_of_fold(kernel: Floats, fold: Integers) -> Floats:
    """Return the matrix that makes scores of left-out texts of labels: row i has nothing in the columns of i's fold."""
    hat = np.zeros_like(kernel)
    for each in np.unique(fold):
        out, rest = np.flatnonzero(fold == each), np.flatnonzero(fold != each)
        inner = kernel[np.ix_(rest, rest)] + RIDGE * np.eye(len(rest))
        part = np.linalg.solve(inner, kernel[np.ix_(rest, out)]).T
        hat[np.ix_(out, rest)] = part - part.mean(axis=1, keepdims=True)
    return hat


def _permuted(labels: Labels, group: Integers, generator: np.random.Generator) -> Labels:
    """Return columns of permuted labels: units are the texts of one group and label, and units of one size swap."""
    _, unit = np.unique(group * 2 + labels, return_inverse=True)
    sizes = np.bincount(unit)
    of_unit = np.zeros(len(sizes), dtype=bool)
    of_unit[unit] = labels
    drawn = np.empty((len(labels), PERMUTATIONS), dtype=bool)
    pools = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
    for column in range(PERMUTATIONS):
        said = of_unit.copy()
        for pool in pools:
            said[pool] = of_unit[generator.permutation(pool)]
        drawn[:, column] = said[unit]
    return drawn


def joined(kernels: Sequence[Floats]) -> Floats:
    """Return the mean of kernels: each kind of feature has the same say."""
    return np.mean(np.stack(kernels), axis=0) if len(kernels) > 1 else kernels[0]
