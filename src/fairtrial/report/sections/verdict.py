"""The verdict: one sentence, one paragraph, and rows that share one axis, graders first."""

from __future__ import annotations

from fairtrial.measure.intervals import wilson
from fairtrial.measure.result import ModelFigures
from fairtrial.records import Estimate
from fairtrial.report.claims import name_of
from fairtrial.report.data import Fact, State, VerdictPart, VerdictRow
from fairtrial.report.numbers import count, of, percent, share, share_interval
from fairtrial.report.sections.contamination import contamination_row
from fairtrial.report.sections.lift import lift_row
from fairtrial.report.sections.unmeasured import not_measured_row
from fairtrial.report.subject import Subject, span
from fairtrial.report.verdict_claims import (
    band_statement,
    false_statement,
    graders_statement,
    gradient_statement,
    pass_statement,
    ungraded_statement,
    verdict_paragraph,
    verdict_sentence,
)
from fairtrial.report.words import capital, plural, visible


def verdict_part(subject: Subject) -> VerdictPart:
    """Return the verdict."""
    measurement, chosen = subject.measurement, subject.chosen
    rows = [_graders_row(subject)]
    if chosen is not None:
        rows += [_band_row(chosen), _gradient_row(chosen), _pass_row(chosen)]
    rows.append(_ungraded_row(subject))
    rows += _audit_rows(subject)
    rows += [contamination_row(subject), lift_row(subject)]
    side = [Fact("Chosen model", name_of(chosen) if chosen else "none: no rollout was graded")]
    if chosen is not None and not subject.context.model:
        side.append(Fact("Chosen as", "the one with the most tasks in its training band; --model names another"))
    side += [
        Fact("Interval", "95%, two-sided unless said"),
        Fact("Ungraded", "a grader, sandbox or harness that broke; never counted as failed"),
    ]
    return VerdictPart(
        sentence=verdict_sentence(subject.graders, chosen, measurement.rollouts, measurement.ungraded),
        paragraph=verdict_paragraph(measurement, chosen, subject.graders),
        rows=tuple(rows),
        side=tuple(side),
    )


def _graders_row(subject: Subject) -> VerdictRow:
    graders = subject.graders
    if graders.total == 0:
        return not_measured_row(
            "graders",
            graders_statement(graders),
            "No task folder was put to the proof. This is not a statement that graders are right.",
            f"fairtrial prove {subject.context.suite_path}",
        )
    low, high = wilson(graders.proven, graders.total)
    estimate = Estimate(
        value=graders.proven / graders.total,
        low=low,
        high=high,
        n=graders.total,
        ungraded=graders.inconclusive,
        method="Wilson",
    )
    states: list[tuple[State, str]] = []
    if graders.refuted:
        states.append(("refuted", f"{count(graders.refuted)} refuted"))
    if graders.inconclusive:
        states.append(("none", f"{count(graders.inconclusive)} inconclusive"))
    return VerdictRow(
        key="graders",
        statement=graders_statement(graders),
        detail="Each gives 0 for nothing, 1 for the reference, again and concurrently, and rejects every known wrong "
        "candidate.",
        estimate=share(estimate),
        interval=share_interval(estimate),
        span=span(estimate),
        base=(f"n = {plural(graders.total, 'grader')}", f"{count(graders.inconclusive)} inconclusive"),
        states=tuple(states),
    )


def _audit_rows(subject: Subject) -> list[VerdictRow]:
    """Return how often passes and failures are false, by those who reviewed them."""
    rates, command = subject.audited.rates, subject.review_command
    if rates is None:
        why = "No rollout was reviewed. This is not a statement that passes are true."
        return [not_measured_row("false_pass", "False passes were not measured", why, command)]
    told = (("false_pass", rates.false_pass_rate, "passes"), ("false_fail", rates.false_fail_rate, "failures"))
    return [_audit_row(key, estimate, what, subject, command) for key, estimate, what in told]


def _audit_row(key: str, estimate: Estimate, what: str, subject: Subject, command: str) -> VerdictRow:
    rates = subject.audited.rates
    if rates is None or estimate.value is None:
        why = f"{capital(estimate.method)}. This is not a statement that {what} are true."
        return not_measured_row(key, f"False {what} were not measured", why, command)
    states: list[tuple[State, str]] = [("none", "no person has looked")] if rates.looked.calibrated == "nobody" else []
    alone = "".join(f" Of {visible(part)} alone." for part in rates.parts)
    return VerdictRow(
        key=key,
        statement=false_statement(estimate, what),
        detail=f"Share of {what} that reviewers contradict.{alone} {rates.looked.sentence}",
        estimate=share(estimate),
        interval=share_interval(estimate),
        span=span(estimate),
        base=(f"n = {plural(estimate.n, 'reviewed rollout')}", f"{count(estimate.ungraded)} could not be told"),
        states=tuple(states),
    )


def _base(figures: ModelFigures) -> tuple[str, ...]:
    return (
        f"n = {plural(figures.tasks, 'task')}, {plural(figures.rollouts, 'rollout')}",
        f"{count(figures.ungraded)} ungraded",
    )


def _row(key: str, statement: str, detail: str, estimate: Estimate, figures: ModelFigures) -> VerdictRow:
    return VerdictRow(
        key=key,
        statement=statement,
        detail=detail,
        estimate=share(estimate),
        interval=share_interval(estimate),
        span=span(estimate),
        base=_base(figures),
    )


def _band_row(figures: ModelFigures) -> VerdictRow:
    band = figures.band
    if figures.tasks and band.share.value is None:
        why = "One graded attempt a task shows a rate of 0 or 1 alone. This is not a statement that none lies there."
        return not_measured_row("band", band_statement(figures), why, "")
    detail = (
        f"Pass rate between {percent(band.low)} and {percent(band.high)} for {name_of(figures)}; "
        f"{count(band.never)} never passed, {count(band.always)} always."
    )
    return _row("band", band_statement(figures), detail, band.share, figures)


def _gradient_row(figures: ModelFigures) -> VerdictRow:
    gradient = figures.gradient
    least, most = figures.attempts
    each = plural(least, "attempt") if least == most else f"{count(least)} to {count(most)} attempts"
    bias = f", is biased low with {each} a task" if figures.attempts[0] < gradient.group_size else ""
    detail = f"Posterior mean for the same model. The plug-in, {percent(gradient.plug_in)}{bias}."
    if not bias:
        detail = f"Posterior mean for the same model. The plug-in is {percent(gradient.plug_in)}."
    return _row(
        "gradient", gradient_statement(gradient.posterior, gradient.group_size), detail, gradient.posterior, figures
    )


def _pass_row(figures: ModelFigures) -> VerdictRow:
    return _row(
        "pass_rate",
        pass_statement(figures),
        "Mean over tasks of the share of passes, as the graders said.",
        figures.pass_rate,
        figures,
    )


def _ungraded_row(subject: Subject) -> VerdictRow:
    rollouts, ungraded = subject.measurement.rollouts, subject.measurement.ungraded
    statement = ungraded_statement(rollouts, ungraded)
    estimate = subject.measurement.ungraded_share
    if estimate is None:
        return not_measured_row(
            "ungraded", statement, "The ledger holds none.", f"fairtrial run {subject.context.suite_path}"
        )
    return VerdictRow(
        key="ungraded",
        statement=statement,
        detail="Share of rollouts without a verdict, left out of every rate.",
        estimate=share(estimate),
        interval=share_interval(estimate),
        span=span(estimate),
        base=(f"n = {plural(rollouts, 'rollout')}", f"{of(ungraded, rollouts)} ungraded"),
    )
