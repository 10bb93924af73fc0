"""All figures of one model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairtrial.ledger.observed import FAILED, PASSED, UNGRADED, Observed
from fairtrial.measure.band import band_of
from fairtrial.measure.cells import cell_table
from fairtrial.measure.curves import attempt_curves
from fairtrial.measure.gradient import gradient
from fairtrial.measure.intervals import clustered_mean
from fairtrial.measure.options import Options
from fairtrial.measure.outages import outages_of
from fairtrial.measure.prior import fit_prior
from fairtrial.measure.result import Band, Curve, Gradient, ModelFigures, StopCount
from fairtrial.measure.spend import spend_of
from fairtrial.measure.tables import Floats, TaskCounts
from fairtrial.records import Estimate

_NOT_GRADED = "not measured: no graded attempt"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """Figures that rest on the distinct (n, c) cells alone."""

    pass_at_k: Curve
    pass_hat_k: Curve
    gradient: Gradient
    band: Band


def figures_of(observed: Observed, subject: int, counts: TaskCounts, options: Options) -> ModelFigures:
    """Return every figure of subject number `subject`. Where nothing was graded, estimates say `not measured`."""
    who = observed.subjects[subject]
    graded, ungraded = int(counts.graded.sum()), int(counts.ungraded.sum())
    attempted = counts.graded[counts.graded > 0]
    shape = _shape(counts, ungraded, options) if graded else _empty_shape(ungraded, options)
    missing = np.flatnonzero((counts.graded == 0) & (counts.ungraded > 0))
    return ModelFigures(
        model=who.label, name=who.name, effort=who.effort, tasks=len(attempted), rollouts=graded + ungraded,
        graded=graded, passes=int(counts.passed.sum()), ungraded=ungraded,
        ungraded_reasons=_reasons(observed, subject), tasks_without_verdict=tuple(observed.tasks[i] for i in missing),
        attempts=(int(attempted.min()), int(attempted.max())) if graded else (0, 0),
        clusters=len(np.unique(counts.cluster[counts.graded > 0])),
        pass_rate=_rate(counts, counts.rates(), ungraded, options, ""), ungraded_bounds=counts.bounds(),
        turn_limit=_turn_limit(observed, counts, ungraded, options), limit_passes=int(counts.limit_passed.sum()),
        pass_at_k=shape.pass_at_k, pass_hat_k=shape.pass_hat_k, gradient=shape.gradient, band=shape.band,
        stops=_stops(observed, subject), spend=spend_of(observed, subject, options.confidence),
        outages=outages_of(observed.order, subject, shape.gradient.prior),
    )  # fmt: skip


def _shape(counts: TaskCounts, ungraded: int, options: Options) -> _Shape:
    cells = cell_table(counts.tally())
    generator = np.random.default_rng(options.seed)
    weights = cells.resampled(options.replicates, generator)
    prior = fit_prior(cells)
    some, every = attempt_curves(cells, weights, prior, options.confidence)
    return _Shape(pass_at_k=some, pass_hat_k=every, band=band_of(counts, ungraded, options),
                  gradient=gradient(cells, weights, prior, options, ungraded, generator))  # fmt: skip


def _empty_shape(ungraded: int, options: Options) -> _Shape:
    nothing = Estimate(value=None, low=None, high=None, n=0, ungraded=ungraded, method=_NOT_GRADED)
    curve = Curve(k=(), value=(), low=(), high=(), tasks=(), method=_NOT_GRADED)
    return _Shape(
        pass_at_k=curve, pass_hat_k=curve,
        gradient=Gradient(group_size=options.group_size, plug_in=0.0, unbiased=None, posterior=nothing, by_size=(),
                          prior=(1.0, 1.0)),
        band=Band(low=options.band_low, high=options.band_high, never=0, below=0, inside=0, above=0, always=0,
                  share=nothing, histogram=()),
    )  # fmt: skip


def _rate(counts: TaskCounts, rates: Floats, ungraded: int, options: Options, note: str) -> Estimate:
    if len(rates) == 0:
        return Estimate(value=None, low=None, high=None, n=0, ungraded=ungraded, method=_NOT_GRADED)
    found = clustered_mean(rates, counts.tally().cluster, confidence=options.confidence)
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(rates), ungraded=ungraded,
                    method=f"mean over tasks{note}; {found.method}")  # fmt: skip


def _turn_limit(observed: Observed, counts: TaskCounts, ungraded: int, options: Options) -> Estimate | None:
    """Return the rate with passes at a limit counted as fails; None where no stop was recorded for this model."""
    if not any(observed.stops):
        return None
    kept = counts.graded > 0
    rates = (counts.passed - counts.limit_passed)[kept] / counts.graded[kept]
    return _rate(counts, rates, ungraded, options, ", passes at a limit counted as fails")


def _reasons(observed: Observed, subject: int) -> dict[str, int]:
    cells = observed.cells
    mine = (cells.subject == subject) & (cells.outcome == UNGRADED)
    tally = np.bincount(cells.reason[mine], weights=cells.count[mine], minlength=len(observed.reasons))
    return {reason or "no reason given": int(n) for reason, n in zip(observed.reasons, tally, strict=True) if n}


def _stops(observed: Observed, subject: int) -> dict[str, StopCount]:
    """Return outcomes by recorded stop; rollouts that record none are left out."""
    cells = observed.cells
    found = {}
    for i, stop in enumerate(observed.stops):
        mine = (cells.subject == subject) & (cells.stop == i)
        if not stop or not mine.any():
            continue
        passed, failed, ungraded = (int(cells.count[mine & (cells.outcome == outcome)].sum())
                                    for outcome in (PASSED, FAILED, UNGRADED))  # fmt: skip
        found[stop] = StopCount(passed=passed, failed=failed, ungraded=ungraded)
    return found
