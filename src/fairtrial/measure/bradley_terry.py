"""Who is preferred to whom: the model of Bradley and Terry (1952) with ties and an effect of position, by likelihood.

Of works i (shown first) and j with strengths s, d for the place and l for ties (Davidson 1970; Davidson, Beaver 1977):
P(first) : P(second) : P(tie) = exp(u / 2) : exp(-u / 2) : exp(l), u = s_i - s_j + d. So s_i - s_j is the log-odds that
i is preferred among decided comparisons whose place is balanced. It is a multinomial logit, concave, and is fitted by
Newton's method. Where the likelihood has no finite maximum (one that always wins, say: a linear program tells, Albert
and Anderson 1984), a weak prior is named and used. Not covered: effects of reviewers, and preferences that go in rings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals.quantiles import normal_quantile, t_quantile
from fairtrial.measure.separation import is_separated
from fairtrial.records import Estimate

Preferred = Literal["first", "second", "tie"]
Floats = NDArray[np.float64]

PRIOR_SD = 2.0
PRIOR = "normal(0, 2) on each log-odds"
"""Puts 95% of the odds of one work against another of middling strength between 1 : 50 and 50 : 1."""
_OUTCOMES: tuple[Preferred, ...] = ("first", "second", "tie")
_NULL = 1e-9
_MOST_STEPS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One comparison: who was shown first and second, which was preferred, and the task (or cluster) it came from."""

    first: str
    second: str
    preferred: Preferred
    cluster: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """What the comparisons say of one model."""

    name: str
    component: int
    """Models of different components were never compared, nor through others: their strengths do not compare."""
    strength: Estimate
    """Log-odds against the middle of its component; 0 is the middle."""
    wins: int
    losses: int
    ties: int
    best_rank: int
    """1 + how many of its component are surely stronger, each pair at 95% by itself."""
    worst_rank: int


@dataclass(frozen=True, kw_only=True)
class Fit:
    """A fitted model. `beta` holds the strengths, then the effect of position and of ties where they are in it."""

    names: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    has_position: bool
    has_ties: bool
    components: tuple[int, ...]
    prior: str
    """Empty: plain maximum likelihood."""
    beta: Floats
    information: Floats
    """Inverse of the information (and prior) on the parameters, by which they vary if comparisons are independent."""
    robust: Floats | None
    """Their covariance clustered by task, C / (C - 1); None of one task alone."""
    clusters: int

    @cached_property
    def method(self) -> str:
        """Return how values and intervals came about, in words."""
        fit = f"with the prior {self.prior}" if self.prior else "by maximum likelihood"
        if self.robust is None:
            return f"Bradley-Terry-Davidson {fit}; one task alone, so comparisons as independent"
        return f"Bradley-Terry-Davidson {fit}; clustered by task, t, never less than the information gives"

    def contrast(self, weights: Floats) -> Estimate:
        """Return the estimate of a linear combination of the parameters, with the wider of the two intervals."""
        value = float(weights @ self.beta)
        half = normal_quantile() * math.sqrt(max(float(weights @ self.information @ weights), 0.0))
        if self.robust is not None:
            error = math.sqrt(max(float(weights @ self.robust @ weights), 0.0))
            half = max(half, t_quantile(0.95, self.clusters - 1) * error)
        return Estimate(value=value, low=value - half, high=value + half, n=len(self.pairings), unit="comparisons",
                        method=self.method)  # fmt: skip

    def difference(self, one: str, other: str) -> Estimate | None:
        """Return the log-odds that `one` is preferred to `other`; None where nothing connects them."""
        i, j = self.names.index(one), self.names.index(other)
        if self.components[i] != self.components[j]:
            return None
        weights = np.zeros(len(self.beta))
        weights[i] += 1
        weights[j] -= 1
        return self.contrast(weights)

    @property
    def position(self) -> Estimate | None:
        """Return how often the first of two equal works is preferred, of decided ones; None where it cannot be told."""
        if not self.has_position:
            return None
        weights = np.zeros(len(self.beta))
        weights[len(self.names)] = 1
        return as_share(self.contrast(weights))

    def strengths(self) -> tuple[Strength, ...]:
        """Return every model, the strongest of each component first."""
        found = []
        for i, name in enumerate(self.names):
            weights = np.zeros(len(self.beta))
            weights[i] = 1
            rivals = [other for other, of in zip(self.names, self.components, strict=True)
                      if of == self.components[i] and other != name]  # fmt: skip
            gaps = [gap for other in rivals if (gap := self.difference(name, other)) is not None]
            stronger = sum(gap.high is not None and gap.high < 0 for gap in gaps)
            weaker = sum(gap.low is not None and gap.low > 0 for gap in gaps)
            wins, losses, ties = _tally(name, self.pairings)
            found.append(Strength(name=name, component=self.components[i], strength=self.contrast(weights),
                                  wins=wins, losses=losses, ties=ties, best_rank=1 + stronger,
                                  worst_rank=1 + len(rivals) - weaker))  # fmt: skip
        return tuple(sorted(found, key=lambda one: (one.component, -(one.strength.value or 0.0), one.name)))


def as_share(odds: Estimate) -> Estimate:
    """Return an estimate of log-odds as one of a share.

    >>> share = as_share(Estimate(value=0.0, low=-1.0, high=1.0, n=9, method="any"))
    >>> share.value, round(share.low, 3), round(share.high, 3)
    (0.5, 0.269, 0.731)
    """
    ends = [None if end is None else float(0.5 * (1 + math.tanh(end / 2))) for end in (odds.value, odds.low, odds.high)]
    return Estimate(value=ends[0], low=ends[1], high=ends[2], n=odds.n, unit=odds.unit, method=odds.method)


def fit(pairings: Sequence[Pairing]) -> Fit:
    """Fit the model to `pairings`. Raise ValueError where there are none.

    The effect of position is left out where the design cannot tell it from strength; that of ties, where none was seen.

    >>> said = [Pairing(first="a", second="b", preferred=p, cluster=str(n))
    ...         for n, p in enumerate(["first"] * 7 + ["second"] * 3)]
    >>> round(fit(said).difference("a", "b").value, 6) == round(math.log(7 / 3), 6)
    True
    """
    if not pairings:
        raise ValueError("a model of preferences needs comparisons")
    names = tuple(sorted({name for one in pairings for name in (one.first, one.second)}))
    has_ties = any(one.preferred == "tie" for one in pairings)
    components = _components(names, pairings)
    design = _Design(names, pairings, has_position=True, has_ties=has_ties)
    if len(names) + design.extra - design.basis.shape[1] > len(set(components)):
        design = _Design(names, pairings, has_position=False, has_ties=has_ties)
    prior = is_separated(design.margins())
    precision = 1 / PRIOR_SD**2 if prior else 0.0
    gamma, hessian = _newton(design, precision)
    bread: Floats = np.asarray(np.linalg.inv(hessian), dtype=np.float64)
    robust, clusters = _sandwich(design, gamma, bread)
    basis = design.basis
    return Fit(
        names=names, pairings=tuple(pairings), has_position=design.has_position, has_ties=has_ties,
        components=components, prior=PRIOR if prior else "", beta=basis @ gamma, information=basis @ bread @ basis.T,
        robust=None if robust is None else basis @ robust @ basis.T, clusters=clusters,
    )  # fmt: skip


class _Design:
    """The comparisons as a multinomial logit: scores of the outcomes are linear in `gamma`, coordinates on `basis`."""

    def __init__(
        self, names: Sequence[str], pairings: Sequence[Pairing], *, has_position: bool, has_ties: bool
    ) -> None:
        self.has_position = has_position
        self.extra = has_position + has_ties
        index = {name: number for number, name in enumerate(names)}
        kinds = sorted({(one.first, one.second, one.cluster) for one in pairings})
        row = {kind: number for number, kind in enumerate(kinds)}
        outcomes = _OUTCOMES if has_ties else _OUTCOMES[:2]
        raw = np.zeros((len(kinds), len(outcomes), len(names) + self.extra))
        for number, (first, second, _) in enumerate(kinds):
            raw[number, 0, index[first]] += 0.5
            raw[number, 0, index[second]] -= 0.5
            if has_position:
                raw[number, 0, len(names)] = 0.5
            raw[number, 1] = -raw[number, 0]
            if has_ties:
                raw[number, 2, -1] = 1
        self.counts = np.zeros(raw.shape[:2])
        for one in pairings:
            self.counts[row[one.first, one.second, one.cluster], _OUTCOMES.index(one.preferred)] += 1
        self.cluster = np.unique([kind[2] for kind in kinds], return_inverse=True)[1]
        self.basis = _informed(raw)
        self.scores = raw @ self.basis

    def margins(self) -> Floats:
        """Return, for each outcome that was seen, by how much its score leads each other one: rows on `gamma`."""
        rows, seen = np.nonzero(self.counts)
        leads = self.scores[rows, seen][:, None, :] - self.scores[rows]
        return np.unique(np.round(leads.reshape(-1, self.scores.shape[2]), 12), axis=0)


def _informed(raw: Floats) -> Floats:
    """Return an orthonormal basis of the directions of which the design says anything at all."""
    centred = raw - raw.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh(np.einsum("rop,roq->pq", centred, centred))
    return np.asarray(vectors[:, values > _NULL * max(1.0, float(values[-1]))])


def _newton(design: _Design, precision: float) -> tuple[Floats, Floats]:
    """Return the maximum, and the information there with the prior's `precision`; halve steps that lead down."""
    gamma = np.zeros(design.basis.shape[1])
    value, gradient, hessian = _likelihood(design, gamma, precision)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(hessian, gradient)
        if float(gradient @ step) < 1e-16:
            break
        scale = 1.0
        while True:
            new = _likelihood(design, gamma + scale * step, precision)
            if new[0] >= value or scale < 1e-6:
                break
            scale /= 2
        gamma = gamma + scale * step
        value, gradient, hessian = new
    return gamma, hessian


def _likelihood(design: _Design, gamma: Floats, precision: float) -> tuple[float, Floats, Floats]:
    """Return the log-likelihood, its gradient and its negative Hessian, the prior's part in each."""
    chances, log_chances = _chances(design, gamma)
    total = design.counts.sum(axis=1)
    value = float((design.counts * log_chances).sum()) - precision / 2 * float(gamma @ gamma)
    mean = np.einsum("ro,rop->rp", chances, design.scores)
    gradient = np.einsum("ro,rop->p", design.counts, design.scores) - total @ mean - precision * gamma
    second = np.einsum("r,ro,rop,roq->pq", total, chances, design.scores, design.scores, optimize=True)
    hessian = second - np.einsum("r,rp,rq->pq", total, mean, mean, optimize=True)
    return value, gradient, hessian + precision * np.eye(len(gamma))


def _chances(design: _Design, gamma: Floats) -> tuple[Floats, Floats]:
    scores = design.scores @ gamma
    scores = scores - scores.max(axis=1, keepdims=True)
    log_chances = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return np.exp(log_chances), log_chances


def _sandwich(design: _Design, gamma: Floats, bread: Floats) -> tuple[Floats | None, int]:
    """Return the covariance clustered by task (Liang, Zeger 1986) with C / (C - 1), and C; None where C is 1."""
    chances, _ = _chances(design, gamma)
    expected = np.einsum("r,ro,rop->rp", design.counts.sum(axis=1), chances, design.scores)
    seen = np.einsum("ro,rop->rp", design.counts, design.scores) - expected
    clusters = int(design.cluster.max()) + 1
    if clusters < 2:
        return None, clusters
    summed = np.zeros((clusters, seen.shape[1]))
    np.add.at(summed, design.cluster, seen)
    meat = summed.T @ summed * clusters / (clusters - 1)
    return bread @ meat @ bread, clusters


def _components(names: Sequence[str], pairings: Sequence[Pairing]) -> tuple[int, ...]:
    """Return for each name the number of the group of models that comparisons connect it with."""
    root = {name: name for name in names}

    def top(name: str) -> str:
        while root[name] != name:
            name = root[name]
        return name

    for one in pairings:
        low, high = sorted((top(one.first), top(one.second)))
        root[high] = low
    numbers = {name: number for number, name in enumerate(dict.fromkeys(top(name) for name in names))}
    return tuple(numbers[top(name)] for name in names)


def _tally(name: str, pairings: Sequence[Pairing]) -> tuple[int, int, int]:
    """Return the wins, losses and ties of one model against others."""
    counts = {"win": 0, "loss": 0, "tie": 0}
    for one in pairings:
        if name not in (one.first, one.second) or one.first == one.second:
            continue
        won = (one.preferred == "first") == (one.first == name)
        counts["tie" if one.preferred == "tie" else "win" if won else "loss"] += 1
    return counts["win"], counts["loss"], counts["tie"]
