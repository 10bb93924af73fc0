"""The Beta prior of a suite's pass rates: maximum marginal likelihood, or a stated hyperprior where that has no answer.

Tasks are exchangeable with rates from Beta(a, b); the marginal likelihood of (n, c) is B(a+c, b+n-c) / B(a, b) up to a
constant. Two cases have no maximum inside: every attempt alike (the mean runs to 0 or 1), and one attempt a task (the
concentration a + b does not enter). Then the mean is Beta(passes + 1/2, fails + 1/2) over tasks and the concentration
is log-normal around 2, that of the uniform prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.cells import CellTable

Floats = NDArray[np.float64]

_CONCENTRATION = 2.0
_SPREAD = 2.5
"""Standard deviation of the log of the concentration, where the hyperprior speaks."""
_LIMIT = (np.log(1e-3), np.log(1e4))
"""Bounds of the log concentration: below, every task is all or nothing; above, all tasks have one rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """A Beta(a, b) prior and how sure it is: mean and covariance of (logit of the mean, log of a + b)."""

    a: float
    b: float
    covariance: tuple[tuple[float, float], tuple[float, float]]
    hyper_mean: tuple[float, float] | None
    """Beta parameters of the mean where the hyperprior speaks, else None."""
    method: str

    def draws(self, size: int, generator: np.random.Generator) -> tuple[Floats, Floats]:
        """Return `size` draws of (a, b) from its approximate posterior."""
        concentration = self.a + self.b
        steps = generator.multivariate_normal((0.0, 0.0), np.array(self.covariance), size=size, method="eigh")
        scale = np.exp(np.clip(np.log(concentration) + steps[:, 1], *_LIMIT))
        if self.hyper_mean is not None:
            mean = generator.beta(*self.hyper_mean, size=size)
        else:
            mean = 1 / (1 + np.exp(-(np.log(self.a / self.b) + steps[:, 0])))
        mean = np.clip(mean, 1e-9, 1 - 1e-9)
        return mean * scale, (1 - mean) * scale


def fit_prior(cells: CellTable) -> Prior:
    """Return the prior that the suite's own counts make likeliest, or the stated hyperprior."""
    passes, fails = int(cells.tasks @ cells.c), int(cells.tasks @ (cells.n - cells.c))
    if passes == 0 or fails == 0 or int(cells.n.max()) == 1:
        return _stated(cells)
    best = _climb(cells)
    information = -_curvature(cells, best)
    covariance = _bounded_inverse(information, float(cells.tasks.sum()) / _clusters(cells))
    mean, scale = 1 / (1 + np.exp(-best[0])), np.exp(best[1])
    return Prior(a=float(mean * scale), b=float((1 - mean) * scale), covariance=covariance, hyper_mean=None,
                 method="prior by maximum marginal likelihood")  # fmt: skip


def log_marginal(cells: CellTable, a: Floats, b: Floats) -> Floats:
    """Return the log marginal likelihood of the suite at each (a, b), up to a constant."""
    from scipy.special import betaln

    n, c = cells.n[None, :], cells.c[None, :]
    terms = betaln(a[:, None] + c, b[:, None] + n - c) - betaln(a, b)[:, None]
    total: Floats = terms @ cells.tasks.astype(np.float64)
    return total


def _clusters(cells: CellTable) -> float:
    return float(cells.effective_clusters(np.ones((len(cells.n), 1)))[0])


def _stated(cells: CellTable) -> Prior:
    """Return the hyperprior after counting each task's rate once, clusters taken for their effective number."""
    clusters = _clusters(cells)
    share = float(cells.tasks @ (cells.c / cells.n) / cells.tasks.sum())
    passes, fails = share * clusters + 0.5, (1 - share) * clusters + 0.5
    mean = passes / (passes + fails)
    return Prior(a=mean * _CONCENTRATION, b=(1 - mean) * _CONCENTRATION, covariance=((0.0, 0.0), (0.0, _SPREAD**2)),
                 hyper_mean=(passes, fails),
                 method="stated hyperprior (mean Beta(1/2, 1/2) updated by tasks, a + b near 2)")  # fmt: skip


def _at(cells: CellTable, points: Floats) -> Floats:
    mean = 1 / (1 + np.exp(-points[:, 0]))
    scale = np.exp(points[:, 1])
    return log_marginal(cells, mean * scale, (1 - mean) * scale)


def _climb(cells: CellTable) -> Floats:
    """Return the (logit mean, log concentration) of the maximum, by a grid that halves around its best point.

    The surface is smooth with one maximum in practice; 25 halvings of a 9 by 9 grid reach 1e-6 without derivatives.
    """
    share = float(cells.tasks @ (cells.c / cells.n) / cells.tasks.sum())
    center = np.array([np.log(share / (1 - share)), np.log(_CONCENTRATION)])
    reach = np.array([2.0, 7.0])
    offsets = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9)), axis=-1).reshape(-1, 2)
    for _ in range(30):
        points = center + offsets * reach
        points[:, 1] = np.clip(points[:, 1], *_LIMIT)
        best = points[int(np.argmax(_at(cells, points)))]
        moved = np.abs(best - center) > 0.5 * reach
        center = best
        reach = np.where(moved, reach, reach * 0.5)
    return center


def _curvature(cells: CellTable, point: Floats, step: float = 1e-2) -> Floats:
    """Return the Hessian of the log marginal likelihood by central differences."""
    shifts = np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)], dtype=np.float64) * step
    value = _at(cells, point + shifts).reshape(3, 3)
    first = (value[2, 1] - 2 * value[1, 1] + value[0, 1]) / step**2
    second = (value[1, 2] - 2 * value[1, 1] + value[1, 0]) / step**2
    mixed = (value[2, 2] - value[2, 0] - value[0, 2] + value[0, 0]) / (4 * step**2)
    return np.array([[first, mixed], [mixed, second]])


def _bounded_inverse(information: Floats, inflation: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the inverse of `information` times `inflation`, no direction wider than a standard deviation of 2."""
    values, vectors = np.linalg.eigh(information)
    spread = np.minimum(inflation / np.maximum(values, 1e-9), 4.0)
    covariance = (vectors * spread) @ vectors.T
    return ((float(covariance[0, 0]), float(covariance[0, 1])), (float(covariance[1, 0]), float(covariance[1, 1])))
