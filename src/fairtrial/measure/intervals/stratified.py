"""A stratified sample weighted back to its population: p = sum W_h p_h, Wilson on the effective number of draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.measure.intervals.weighted import Cell, Share, share_of
from fairtrial.measure.intervals.wilson import Z_95, effective_wilson
from fairtrial.measure.intervals.zero import stratified_zero_bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Strata:
    """What was drawn and seen in each stratum. Lists of one length."""

    population: Sequence[int]
    drawn: Sequence[int]
    seen: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratified:
    """The share weighted back, with its interval."""

    value: float
    low: float
    high: float
    standard_error: float
    n_effective: float | None
    """None where every stratum is all or nothing, so that the variance collapses and the worst case is used."""
    method: str
    one_sided: bool = False


def stratified(strata: Strata, *, finite: bool = False, critical: float = Z_95) -> Stratified:
    """Return p = sum W_h p_h with v = sum W_h^2 (1 - f_h) p_h (1 - p_h) / (n_h - 1), n_eff = p (1 - p) / v.

    A stratum where nothing (or all) was seen adds no variance, so each end reaches at least as far as the exact worst
    case of such strata at 97.5% would move it: without that, small shares are covered in 84% of samples only.

    `finite`: with the finite-population factor f_h = n_h / N_h, else f_h = 0. Where every stratum is all or nothing,
    the end that can move is its exact worst-case bound: one-sided at 95% where all are nothing (or all are all), at
    97.5% a side where both occur. Raise ValueError where a stratum was not sampled.

    >>> found = stratified(Strata(population=(600, 300, 100), drawn=(40, 40, 40), seen=(2, 6, 0)))
    >>> [round(x, 5) for x in (found.value, found.standard_error, found.low, found.high)]
    [0.075, 0.02707, 0.03699, 0.14615]
    """
    rows = list(zip(strata.population, strata.drawn, strata.seen, strict=True))
    if not rows or any(drawn <= 0 or not 0 <= seen <= drawn or population < drawn for population, drawn, seen in rows):
        raise ValueError("every stratum needs 0 <= seen <= drawn <= population and drawn > 0")
    total = sum(population for population, _, _ in rows)
    value = math.fsum(population / total * seen / drawn for population, drawn, seen in rows)
    variance = math.fsum(_variance(population / total, drawn, seen, drawn / population if finite else 0.0)
                         for population, drawn, seen in rows)  # fmt: skip
    if all(seen in (0, drawn) for _, drawn, seen in rows):
        return _worst_case(rows, total, value)
    if variance == 0:  # a census of every stratum that is not all or nothing
        return Stratified(value=value, low=value, high=value, standard_error=0.0, n_effective=None, method="census")
    n_effective = value * (1 - value) / variance
    low, high = effective_wilson(value, n_effective, critical)
    down, up = _reach(rows, total, 0.975)
    low, high = max(0.0, min(low, value - down)), min(1.0, max(high, value + up))
    return Stratified(value=value, low=low, high=high, standard_error=math.sqrt(variance), n_effective=n_effective,
                      method="stratified, weighted back, Wilson on n_eff"
                             + (", finite population" if finite else ""))  # fmt: skip


def finite_share(strata: Strata, confidence: float = 0.95) -> Share:
    """Return the share of a finite population: as `stratified` with its factor, but always two-sided, with a bound.

    A stratum that was read whole is known, and moves nothing; where all were, the interval is the value. Raise
    ValueError as `stratified`.

    >>> found = finite_share(Strata(population=(600, 300, 100), drawn=(40, 40, 40), seen=(2, 6, 0)))
    >>> [round(x, 5) for x in (found.value, found.standard_error, found.low, found.high)]
    [0.075, 0.02577, 0.03823, 0.14193]
    """
    rows = list(zip(strata.population, strata.drawn, strata.seen, strict=True))
    plain = stratified(strata, finite=True)
    total, drawn = sum(row[0] for row in rows), sum(row[1] for row in rows)
    part = [(population / total, drawn, seen) for population, drawn, seen in rows if drawn < population]
    if not part:
        return Share(value=plain.value, low=plain.value, high=plain.value, standard_error=0.0, n_effective=float(drawn),
                     clusters=drawn, upper=plain.value, student=False)  # fmt: skip
    variance = math.fsum(_variance(population / total, drawn, seen, drawn / population)
                         for population, drawn, seen in rows)  # fmt: skip
    effective = 1 / math.fsum(weight * weight / drawn for weight, drawn, _ in part)
    cells = [Cell(weight, float(drawn), seen == drawn) for weight, drawn, seen in part if seen in (0, drawn)]
    return share_of(plain.value, variance, effective, math.inf, cells, drawn, confidence)


def _variance(weight: float, drawn: int, seen: int, fraction: float) -> float:
    share = seen / drawn
    if drawn == 1:  # one draw shows no variance; the largest possible stands in
        return weight * weight * (1 - fraction) * 0.25
    return weight * weight * (1 - fraction) * share * (1 - share) / (drawn - 1)


def _reach(rows: Sequence[tuple[int, int, int]], total: int, confidence: float) -> tuple[float, float]:
    """Return how far down the strata that are all, and how far up those that are nothing, could move the share."""
    full = [(population / total, drawn) for population, drawn, seen in rows if seen == drawn]
    empty = [(population / total, drawn) for population, drawn, seen in rows if seen == 0]
    down, up = (
        math.fsum(w for w, _ in part) * stratified_zero_bound([w for w, _ in part], [n for _, n in part], confidence)
        if part else 0.0 for part in (full, empty)
    )  # fmt: skip
    return down, up


def _worst_case(rows: Sequence[tuple[int, int, int]], total: int, value: float) -> Stratified:
    """Bound each side by the strata that could still move it: one-sided where only one side can move."""
    one_sided = len({seen == 0 for _, _, seen in rows}) == 1
    down, up = _reach(rows, total, 0.95 if one_sided else 0.975)
    return Stratified(value=value, low=max(0.0, value - down), high=min(1.0, value + up), standard_error=0.0,
                      n_effective=None, one_sided=one_sided, method="stratified, worst case, exact")  # fmt: skip
