"""Ungraded: what could not be graded, what it could change at most, and runs of failures that look like an outage."""

from __future__ import annotations

from collections import Counter

from fairtrial.report.claims import outages_claim, ungraded_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Span, Table
from fairtrial.report.numbers import count, p_value, percent, percent_interval, share
from fairtrial.report.subject import Subject, number_cell
from fairtrial.report.words import listed, plural, visible


def ungraded_section(subject: Subject) -> Section:
    """Return the section on ungraded rollouts and outages."""
    measurement = subject.measurement
    claim = ungraded_claim(measurement.rollouts, measurement.ungraded)
    say = (
        "An ungraded rollout is one whose grader, sandbox or harness broke. It never counts as failed; the bounds "
        "count all of them as failures, then as passes."
    )
    tables = (_reasons(subject), _bounds(subject)) if measurement.ungraded else ()
    first = Block(claim=claim, say=say + _without_verdict(subject), tables=tables)
    side = (
        Fact("n", plural(measurement.rollouts, "rollout")),
        Fact("Ungraded", count(measurement.ungraded)),
        Fact("Method", "bounds by recount; outages by the chance of such a run at each task's own rate elsewhere"),
    )
    return Section(key="ungraded", title="Ungraded and outages", side=side, blocks=(first, _outages(subject)))


def _without_verdict(subject: Subject) -> str:
    never = subject.measurement.never_graded
    if not never:
        return ""
    return f" {plural(len(never), 'task')} without any verdict: {listed([visible(task) for task in never], most=6)}."


def _reasons(subject: Subject) -> Table:
    reasons: Counter[str] = Counter()
    for figures in subject.measurement.models:
        reasons.update(figures.ungraded_reasons)
    rows = tuple(
        Row((Cell(text=visible(reason.replace("_", " ")) or "not recorded", value=reason), number_cell(number)))
        for reason, number in sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    )
    columns = (
        Column(key="reason", title="why it is ungraded"),
        Column(key="rollouts", title="rollouts", kind="number"),
    )
    return Table(
        key="ungraded_reasons", caption="All models together, most frequent first.", columns=columns, rows=rows
    )


def _bounds(subject: Subject) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="ungraded", title="ungraded", kind="number"),
        Column(key="rollouts", title="of rollouts", kind="number"),
        Column(key="pass_rate", title="pass rate", kind="number"),
        Column(key="bounds", title="all failures, all passes", kind="number"),
        Column(key="bounds_glyph", title="0 to 100%", kind="glyph"),
    )
    rows = []
    for figures in subject.measurement.models:
        low, high = figures.ungraded_bounds
        rows.append(
            Row(
                (
                    subject.model_cell(figures.model),
                    number_cell(figures.ungraded),
                    number_cell(figures.rollouts),
                    Cell(text=share(figures.pass_rate), value=figures.pass_rate.value),
                    Cell(text=percent_interval(low, high)),
                    Cell(
                        span=Span(figures.pass_rate.value, low, high),
                        text=f"{percent(low)} with all as failures, {percent(high)} with all as passes",
                    ),
                ),
                subject.is_chosen(figures.model),
            )
        )
    return Table(
        key="ungraded_bounds",
        caption="Bounds are not intervals: nothing lies outside them whatever the ungraded were.",
        columns=columns,
        rows=tuple(rows),
    )


def _outages(subject: Subject) -> Block:
    found = [(figures.model, outage) for figures in subject.measurement.models for outage in figures.outages]
    recorded = subject.measurement.order_recorded
    claim = outages_claim([outage for _, outage in found], recorded=recorded)
    if not recorded:
        empty = Scope(
            "Runs of attempts that all fail across unrelated tasks would be here",
            "no rollout says when it was recorded",
            f"fairtrial import RESULTS --to {subject.context.ledger} --columns recorded_at=…",
        )
        return Block(claim=claim, empty=empty)
    if not found:
        return Block(
            claim=claim, say="Looked for: runs of attempts that all fail, or are all ungraded, across unrelated tasks."
        )
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="first", title="from attempt", kind="number"),
        Column(key="length", title="attempts in a row", kind="number"),
        Column(key="tasks", title="tasks", kind="number"),
        Column(key="p", title="chance of such a run", kind="number"),
    )
    rows = tuple(
        Row(
            (
                subject.model_cell(model),
                number_cell(outage.first),
                number_cell(outage.length),
                number_cell(outage.tasks),
                Cell(text=p_value(outage.probability), value=outage.probability),
            )
        )
        for model, outage in sorted(found, key=lambda entry: (entry[1].probability, entry[0]))
    )
    table = Table(
        key="outages", caption="In the order recorded; least likely first. Each is a lead.", columns=columns, rows=rows
    )
    return Block(claim=claim, tables=(table,))
