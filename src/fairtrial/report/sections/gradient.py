"""Gradient: the share of groups with at least one pass and one fail, against the group size."""

from __future__ import annotations

from fairtrial.measure.result import ModelFigures
from fairtrial.report.claims import gradient_claim, name_of, oversampling_say
from fairtrial.report.data import (
    Block,
    Cell,
    Column,
    CurvePoint,
    Fact,
    GradientCurves,
    GradientLine,
    Row,
    Scope,
    Section,
    Table,
)
from fairtrial.report.numbers import NOT_MEASURED, percent, rounded, share_with_interval
from fairtrial.report.sections.difficulty import side_facts
from fairtrial.report.subject import Subject, estimate_cells, estimate_columns, panels


def gradient_section(subject: Subject) -> Section:
    """Return the section on the informative fraction."""
    chosen = subject.chosen
    if chosen is None or not chosen.gradient.by_size:
        empty = Scope(
            "The share of groups that carry gradient, against group size, would be here",
            "no task has a graded attempt",
            f"fairtrial measure {subject.context.ledger} --group-size {subject.measurement.group_size}",
        )
        return Section(
            key="gradient",
            title="Gradient",
            side=(),
            blocks=(Block(claim="The informative share of groups was not measured", empty=empty),),
        )
    say = (
        "Expected share of groups with at least one pass and one fail. Band: 95% of the chosen model. Dotted: its "
        f"plug-in at the observed rates{_plug_in_bias(chosen)}. {oversampling_say(chosen)}"
    )
    block = Block(claim=gradient_claim(chosen), say=say.strip(), figures=(_curves(subject),), tables=(_table(subject),))
    a, b = chosen.gradient.prior
    side = (
        *side_facts(subject, chosen.gradient.posterior.method),
        Fact("Prior", f"Beta({rounded(a, 2)}, {rounded(b, 2)})"),
    )
    return Section(key="gradient", title="Gradient", side=side, blocks=(block,))


def _plug_in_bias(figures: ModelFigures) -> str:
    """Say that the plug-in is biased where some task has fewer attempts than a group."""
    return ", biased low where attempts are fewer than G" if figures.attempts[0] < figures.gradient.group_size else ""


def _curves(subject: Subject) -> GradientCurves:
    lines = tuple(_line(subject, f) for f in panels(subject) if f.gradient.by_size)
    size = subject.measurement.group_size
    text = (
        f"Informative share of groups at G = {size}: " + "; ".join(f"{line.model} {line.label}" for line in lines) + "."
    )
    return GradientCurves(key="gradient", text=text, group_size=size, lines=lines)


def _line(subject: Subject, figures: ModelFigures) -> GradientLine:
    points = tuple(
        CurvePoint(size, mean, low, high, figures.tasks, plug_in)
        for size, mean, low, high, plug_in in figures.gradient.by_size
    )
    return GradientLine(
        model=name_of(figures),
        points=points,
        label=share_with_interval(figures.gradient.posterior),
        chosen=subject.is_chosen(figures.model),
        scripted=subject.is_scripted(figures.model),
    )


def _table(subject: Subject) -> Table:
    size = subject.measurement.group_size
    columns: tuple[Column, ...] = (
        Column(key="model", title="model", kind="name"),
        *estimate_columns("informative", "informative"),
        Column(key="plug_in", title="plug-in", kind="number"),
        Column(key="unbiased", title=f"unbiased, n ≥ {size}", kind="number"),
    )
    rows = []
    for figures in subject.measurement.models:
        gradient = figures.gradient
        unbiased = Cell(
            text=NOT_MEASURED if gradient.unbiased is None else percent(gradient.unbiased), value=gradient.unbiased
        )
        plug_in = Cell(text=percent(gradient.plug_in) if figures.tasks else NOT_MEASURED, value=gradient.plug_in)
        rows.append(
            Row(
                (subject.model_cell(figures.model), *estimate_cells(gradient.posterior), plug_in, unbiased),
                subject.is_chosen(figures.model),
            )
        )
    if all(m.gradient.unbiased is None for m in subject.measurement.models):
        columns, rows = columns[:-1], [Row(row.cells[:-1], row.chosen) for row in rows]
    caption = f"Groups of {size}, in the order of pass rates. Bold: chosen model."
    return Table(key="gradient", caption=caption, columns=columns, rows=tuple(rows))
