"""Put the estimate together: rows, rates, hacks, faults, shapes, who looked, and what is not measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.audit.estimating.drawn import Drawn, Row, rows_of
from fairtrial.audit.estimating.hacks import hack_bound, hack_of
from fairtrial.audit.estimating.looked import agreement, looked
from fairtrial.audit.estimating.options import Options
from fairtrial.audit.estimating.rates import Rate, error_rate
from fairtrial.audit.estimating.result import Counts, ErrorRates, Looked, Rates, StratumCount, counted
from fairtrial.audit.estimating.shapes import failure_shares, shapes
from fairtrial.audit.estimating.shares import Frame
from fairtrial.audit.sampling import Unit
from fairtrial.records import Review, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What an estimate is made from."""

    units: Sequence[Unit]
    """Rollouts of a policy, ungraded ones too."""
    reviews: Sequence[Review]
    sample: Sample | None = None
    sample_id: str = ""
    is_part: bool = False
    """Whether `units` are a part of the ledger that was asked for."""
    parts: Sequence[Mapping[str, Any]] = ()
    """`suite`, `models`, `tasks` of that part, and of what the sample was drawn from; everything where empty."""


def estimate(material: Material, options: Options | None = None) -> ErrorRates:
    """Return the error rates of the verdicts in `material`.

    Raise InputError for a strong or weak model that is not there.
    """
    chosen = options or Options()
    drawn = rows_of(material.units, material.reviews, material.sample)
    frame = Frame.of(drawn, chosen.finite)
    passes, failures = (error_rate(frame, drawn.rows, passed, chosen) for passed in (True, False))
    counts = _counts(material, drawn)
    who = looked(drawn.rows, [rate.estimate.method for rate in (passes, failures) if rate.estimate.n])
    corrected = passes.uncorrected is not None or failures.uncorrected is not None
    return ErrorRates(
        suites=tuple(sorted({unit.suite for unit in material.units})),
        false_pass_rate=passes.estimate, false_fail_rate=failures.estimate,
        ungraded_bounds={"false_pass_rate": passes.bounds, "false_fail_rate": failures.bounds},
        hacks=hack_bound(frame, drawn.rows), agreement=agreement(frame, drawn.rows),
        by_model=_by_model(frame, drawn.rows, chosen), failures=failure_shares(frame, drawn.rows),
        shapes=shapes(frame, drawn.rows, material.units, chosen), looked=who, correction=passes.correction,
        uncorrected=_uncorrected(passes, failures) if corrected else None,
        population="finite" if chosen.finite else "superpopulation", sample=material.sample_id,
        strata=_strata(material, drawn), counts=counts, not_measured=_not_measured(material, drawn, counts, who),
        seed=None if material.sample is None else material.sample.seed, speaks_for=tuple(material.parts),
    )  # fmt: skip


def _uncorrected(passes: Rate, failures: Rate) -> Rates:
    return Rates(false_pass_rate=passes.uncorrected or passes.estimate,
                 false_fail_rate=failures.uncorrected or failures.estimate)  # fmt: skip


def _by_model(frame: Frame, rows: Sequence[Row], options: Options) -> dict[str, Rates]:
    found = {}
    for model in sorted({row.unit.label for row in rows}):
        mine = [row for row in rows if row.unit.label == model]
        passes, failures = (error_rate(frame, mine, passed, options) for passed in (True, False))
        found[model] = Rates(false_pass_rate=passes.estimate, false_fail_rate=failures.estimate)
    return found


def _is_untold(row: Row) -> bool:
    return row.standing is not None and row.answer is None


def _strata(material: Material, drawn: Drawn) -> tuple[StratumCount, ...]:
    """Return the counts by stratum; without a sample, verdicts are the strata, and all of them are sampled."""
    sizes = {one.name: (one.population, one.sampled) for one in material.sample.strata} if material.sample else {}
    held: dict[str, list[Row]] = {name: [] for name in sizes}
    for row in drawn.rows:
        held.setdefault(row.stratum, []).append(row)
    found = []
    for name, rows in sorted(held.items()):
        population, sampled = sizes.get(name, (len(rows), len(rows)))
        reviewed, ungraded = sum(row.answer is not None for row in rows), sum(_is_untold(row) for row in rows)
        found.append(StratumCount(name=name, population=population, sampled=sampled, reviewed=reviewed,
                                  ungraded=ungraded, missing=len(rows) - reviewed - ungraded))  # fmt: skip
    return tuple(found)


def _counts(material: Material, drawn: Drawn) -> Counts:
    outcomes = [unit.outcome for unit in material.units]
    graded = sum(outcome in ("passed", "failed") for outcome in outcomes)
    framed = sum(one.population for one in material.sample.strata) if material.sample else graded
    reviewed, ungraded = sum(row.answer is not None for row in drawn.rows), sum(_is_untold(row) for row in drawn.rows)
    return Counts(
        passed=outcomes.count("passed"), failed=outcomes.count("failed"), ungraded_verdicts=len(outcomes) - graded,
        drawn=None if material.sample is None else len(material.sample.rows), reviewed=reviewed,
        not_reviewed=len(drawn.rows) - reviewed - ungraded, ungraded=ungraded,
        disputed=sum(row.standing is not None and row.standing.disputed for row in drawn.rows), void=drawn.void,
        outside_sample=drawn.outside, duplicates=drawn.duplicates,
        not_in_frame=0 if material.is_part else max(0, graded - framed),
    )  # fmt: skip


def _not_measured(material: Material, drawn: Drawn, counts: Counts, who: Looked) -> tuple[str, ...]:
    """Return what these figures do not say, one sentence each."""
    told = []
    if who.calibrated == "not reviewed":
        told.append("Nothing was reviewed: no rate is measured.")
    if who.judges and not who.people:
        told.append("No person has looked: the rates are those of the judge, whose own errors are not measured.")
    if counts.ungraded_verdicts:
        told.append(f"Without a verdict, in neither rate: {counted(counts.ungraded_verdicts, 'rollout')}.")
    if material.sample is not None and not material.is_part:
        bare = len(material.sample.rows) - len(drawn.rows)
        if bare:
            told.append(f"Drawn, and without a verdict now: {counted(bare, 'rollout')}.")
    if counts.not_reviewed and (material.sample is not None or counts.reviewed):
        what = "Drawn" if material.sample is not None else "Graded"
        told.append(f"{what} and without a review that counts: {counted(counts.not_reviewed, 'rollout')}; the others "
                    "of their stratum stand for them, as if they were missing by chance.")  # fmt: skip
    if counts.ungraded:
        disputed = f", {counts.disputed:,} of them disputed by people" if counts.disputed else ""
        told.append(f"Reviewed, and could not be told: {counted(counts.ungraded, 'rollout')}{disputed}; left out, and "
                    "the bounds count them as right and as wrong.")  # fmt: skip
    if counts.not_in_frame:
        told.append("Graded, and not in the population that the sample was drawn from: "
                    f"{counted(counts.not_in_frame, 'rollout')}.")  # fmt: skip
    if who.by_people and not any(len(row.standing.people) > 1 for row in drawn.rows if row.standing):
        told.append("No rollout was read by two people: how far people agree is not measured.")
    if who.calibrated != "not reviewed" and not any(hack_of(row.reviews) is not None for row in drawn.rows):
        told.append("No review says whether a rollout is a hack.")
    return tuple(told)
