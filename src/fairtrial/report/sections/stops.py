"""Stops: why rollouts ended, and what counting passes at a limit as failures does to every model."""

from __future__ import annotations

from collections import defaultdict

from fairtrial.measure.result import ModelFigures
from fairtrial.report.claims import places, stops_claim, strict_claim
from fairtrial.report.data import Block, Cell, Column, Row, Scope, Section, Table
from fairtrial.report.numbers import NOT_MEASURED, percent, share, share_with_interval
from fairtrial.report.sections.difficulty import side_facts
from fairtrial.report.subject import Subject, number_cell, span
from fairtrial.report.words import visible


def stops_section(subject: Subject) -> Section:
    """Return the section on stops and limits."""
    models = subject.measurement.models
    if not any(m.stops for m in models) or all(set(m.stops) <= {""} for m in models):
        empty = Scope(
            "Why rollouts stopped, and the strict reading of passes at a limit, would be here",
            "no rollout records why it stopped",
            f"fairtrial import RESULTS --to {subject.context.ledger} --columns stop=…",
        )
        return Section(
            key="stops", title="Stops and limits", side=(), blocks=(Block(claim=stops_claim(0, 0, False), empty=empty),)
        )
    passes, at_limit = sum(m.passes for m in models), sum(m.limit_passes for m in models)
    first = Block(
        claim=stops_claim(passes, at_limit, True, subject.measurement.limit_share),
        tables=(_stops_table(subject),),
        say="Verdicts on what was left when the clock or the turns ran out. Counting such passes as failures is the "
        "strict reading.",
    )
    strict = [m for m in models if m.turn_limit is not None]
    second = (
        (Block(claim=strict_claim(models), tables=(_strict_table(subject, strict),)),) if strict and at_limit else ()
    )
    return Section(
        key="stops",
        title="Stops and limits",
        side=side_facts(subject, "recount for each reading"),
        blocks=(first, *second),
    )


def _stops_table(subject: Subject) -> Table:
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for figures in subject.measurement.models:
        for stop, outcome in figures.stops.items():
            for index, number in enumerate((outcome.passed, outcome.failed, outcome.ungraded)):
                totals[stop][index] += number
    ordered = sorted(totals.items(), key=lambda entry: (-sum(entry[1]), entry[0]))
    rows = [_stop_row(visible(stop.replace("_", " ")) or "not recorded", numbers, stop) for stop, numbers in ordered]
    rows.append(_stop_row("all", [sum(column) for column in zip(*totals.values(), strict=True)], "all", chosen=True))
    columns = (
        Column(key="stop", title="why the rollout stopped"),
        Column(key="passed", title="passed", kind="number"),
        Column(key="failed", title="failed", kind="number"),
        Column(key="ungraded", title="ungraded", kind="number"),
        Column(key="pass_rate", title="passed of graded", kind="number"),
    )
    return Table(
        key="stops",
        caption="All models together, most frequent first. Pooled over rollouts, without an interval.",
        columns=columns,
        rows=tuple(rows),
    )


def _stop_row(name: str, numbers: list[int], value: str, *, chosen: bool = False) -> Row:
    passed, failed, ungraded = numbers
    graded = passed + failed
    rate = Cell(text=percent(passed / graded), value=passed / graded) if graded else Cell(text=NOT_MEASURED)
    return Row((Cell(text=name, value=value), *(number_cell(n) for n in (passed, failed, ungraded)), rate), chosen)


def _strict_table(subject: Subject, models: list[ModelFigures]) -> Table:
    before, after = places(models, strict=False), places(models, strict=True)
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="recorded", title="as counted [95%]", kind="number"),
        Column(key="strict", title="strict [95%]", kind="number"),
        Column(key="strict_glyph", title="strict, 0 to 100%", kind="glyph"),
        Column(key="limit_passes", title="passes at a limit", kind="number"),
        Column(key="place", title="place, counted → strict"),
    )
    rows = []
    for figures in models:
        assert figures.turn_limit is not None
        now, then = after[figures.model], before[figures.model]
        moved = str(then) if now == then else f"{'▼' if now > then else '▲'} {then} → {now}"
        rows.append(
            Row(
                (
                    subject.model_cell(figures.model),
                    Cell(text=share_with_interval(figures.pass_rate)),
                    Cell(text=share_with_interval(figures.turn_limit), value=figures.turn_limit.value),
                    Cell(span=span(figures.turn_limit), text=share(figures.turn_limit)),
                    number_cell(figures.limit_passes),
                    Cell(text=moved),
                ),
                subject.is_chosen(figures.model),
            )
        )
    return Table(
        key="strict",
        caption="Highest pass rate as counted first. Bold: chosen model.",
        columns=columns,
        rows=tuple(rows),
    )
