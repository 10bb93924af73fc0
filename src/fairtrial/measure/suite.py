"""`measure(observed, options) -> Measurement`: everything that is said of one ledger. Pure: no files, no clock."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairtrial.ledger.observed import Observed
from fairtrial.measure.bins import bins_of
from fairtrial.measure.comparison import compare
from fairtrial.measure.consistency import consistency_of
from fairtrial.measure.figures import figures_of
from fairtrial.measure.intervals import clustered_ratio
from fairtrial.measure.options import Options
from fairtrial.measure.result import Bins, Comparison, FrontPoint, Measurement, ModelFigures
from fairtrial.measure.spend import front
from fairtrial.measure.suspects import can_be_suspected, suspects_of
from fairtrial.measure.tables import TaskCounts, counts_by_subject
from fairtrial.records import Estimate, InputError


def measure(observed: Observed, options: Options | None = None) -> Measurement:
    """Return everything measured of `observed`, models by pass rate, best first.

    Raise InputError where `strong` or `weak` names a model that is not there. Where nothing was graded the estimates
    say `not measured`; the caller decides what that means.
    """
    chosen = options or Options()
    counts = counts_by_subject(observed)
    models = tuple(sorted(
        (figures_of(observed, i, counts[i], chosen) for i in range(len(observed.subjects))),
        key=lambda model: (-(model.pass_rate.value if model.pass_rate.value is not None else -1.0), model.model),
    ))  # fmt: skip
    graded = sum((c.graded for c in counts), np.zeros(len(observed.tasks), dtype=np.int64))
    passed = sum((c.passed for c in counts), np.zeros(len(observed.tasks), dtype=np.int64))
    suspects, how = suspects_of(observed, counts) if chosen.suspects else ((), "not asked for")
    return Measurement(
        suites=observed.suites, tasks=len(observed.tasks), rollouts=sum(m.rollouts for m in models),
        ungraded=sum(m.ungraded for m in models), models=models, bins=_bins(observed, counts, models, chosen),
        suspects=suspects, suspects_method=how, comparisons=_comparisons(observed, counts, models, chosen),
        front_cost=_front(models, "cost_usd"), front_tokens=_front(models, "output_tokens"),
        never_passed=_names(observed, (graded > 0) & (passed == 0)), never_graded=_names(observed, graded == 0),
        consistency=consistency_of(observed), group_size=chosen.group_size, seed=chosen.seed,
        ungraded_share=_share(counts, "ungraded", ("passed", "failed", "ungraded"), "rollouts", chosen),
        limit_share=_share(counts, "limit_passed", ("passed",), "passes", chosen),
        order_recorded=observed.order is not None,
        suspects_measured=chosen.suspects and can_be_suspected(observed, counts),
    )  # fmt: skip


def _share(
    counts: Sequence[TaskCounts], part: str, whole: Sequence[str], unit: str, options: Options
) -> Estimate | None:
    """Return the share that `part` is of `whole`, over all models, clustered by task; None where `whole` is nothing."""
    parts = np.sum([getattr(c, part) for c in counts], axis=0)
    wholes = np.sum([getattr(c, name) for c in counts for name in whole], axis=0)
    if not counts or not wholes.sum():
        return None
    found = clustered_ratio(parts, wholes, counts[0].cluster, confidence=options.confidence)
    return Estimate(
        value=found.value, low=found.low, high=found.high, n=int(wholes.sum()), method=found.method, unit=unit
    )


def _names(observed: Observed, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[str, ...]:
    return tuple(observed.tasks[i] for i in np.flatnonzero(chosen))


def _index(observed: Observed, label: str, option: str) -> int:
    labels = [subject.label for subject in observed.subjects]
    if label not in labels:
        raise InputError(f"no model `{label}` among what was measured", field=option,
                         hint=f"There is: {', '.join(labels)}.")  # fmt: skip
    return labels.index(label)


def _bins(
    observed: Observed, counts: Sequence[TaskCounts], models: Sequence[ModelFigures], options: Options
) -> Bins | None:
    """Return the bins of the models named, or of the best and the worst; None where there are not two."""
    graded = [model.model for model in models if model.graded]
    if options.strong or options.weak:
        strong = options.strong or next((label for label in graded if label != options.weak), "")
        weak = options.weak or next((label for label in reversed(graded) if label != options.strong), "")
    elif len(graded) < 2:
        return None
    else:
        strong, weak = graded[0], graded[-1]
    for label, option in ((strong, "--strong"), (weak, "--weak")):
        if not label:
            raise InputError("there is no other model to set it against", field=option,
                             hint="Strong against weak takes two models with graded rollouts.")  # fmt: skip
    first, second = _index(observed, strong, "--strong"), _index(observed, weak, "--weak")
    if first == second:
        raise InputError(f"strong and weak are both `{strong}`", field="--strong")
    return bins_of(observed, tuple(counts), first, second)


def _comparisons(
    observed: Observed, counts: Sequence[TaskCounts], models: Sequence[ModelFigures], options: Options
) -> tuple[Comparison, ...]:
    """Return each model against the next better one, and strongest against weakest: what a reader asks first."""
    ranked = [model.model for model in models if model.graded]
    by_label = {subject.label: counts[i] for i, subject in enumerate(observed.subjects)}
    pairs = list(zip(ranked[1:], ranked, strict=False))
    if len(ranked) > 2:
        pairs.append((ranked[-1], ranked[0]))
    if options.strong and options.weak and (options.weak, options.strong) not in pairs:
        pairs.append((options.weak, options.strong))
    found = (compare((a, by_label[a]), (b, by_label[b]), options.seed, options.replicates, options.confidence)
             for a, b in pairs)  # fmt: skip
    return tuple(comparison for comparison in found if comparison is not None)


def _front(models: Sequence[ModelFigures], field: str) -> tuple[FrontPoint, ...]:
    points = []
    for model in models:
        spent = getattr(model.spend, field) if model.spend is not None else None
        if spent is not None and spent.value is not None and model.pass_rate.value is not None:
            points.append((model.model, model.pass_rate.value, spent.value))
    return front(points)
