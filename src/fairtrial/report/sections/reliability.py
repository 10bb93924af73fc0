"""Reliability: what k attempts solve at least once (pass@k) and every time (pass^k)."""

from __future__ import annotations

from fairtrial.measure.result import Curve, ModelFigures
from fairtrial.report.claims import gap_note, name_of, reliability_claim
from fairtrial.report.data import Block, Cell, Column, CurvePanel, CurvePoint, Curves, Row, Scope, Section, Table
from fairtrial.report.numbers import percent, percent_interval
from fairtrial.report.sections.difficulty import side_facts
from fairtrial.report.subject import Subject, number_cell, panels


def reliability_section(subject: Subject) -> Section:
    """Return the section on pass@k and pass^k."""
    if subject.chosen is None or not subject.chosen.pass_at_k.k:
        empty = Scope(
            "pass@k and pass^k over k would be here",
            "no task has a graded attempt",
            f"fairtrial measure {subject.context.ledger}",
        )
        return Section(
            key="reliability",
            title="Reliability",
            side=(),
            blocks=(Block(claim="Reliability was not measured", empty=empty),),
        )
    say = (
        "pass@k (filled): at least one of k attempts passes. pass^k (hollow, dashed): all k pass. The wider the "
        "mouth, the less a single score says. Bands: simultaneous 95% over k." + _uneven_words(subject.chosen)
    )
    block = Block(
        claim=reliability_claim(subject.chosen), say=say, figures=(_curves(subject),), tables=(_table(subject),)
    )
    return Section(
        key="reliability",
        title="Reliability",
        side=side_facts(subject, subject.chosen.pass_at_k.method),
        blocks=(block,),
    )


def _uneven_words(figures: ModelFigures) -> str:
    """Say that the tasks differ along a curve, where they do."""
    return "" if len(set(figures.pass_at_k.tasks)) == 1 else " Each k averages the tasks with k graded attempts."


def _points(curve: Curve) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(k, value, low, high, tasks)
        for k, value, low, high, tasks in zip(curve.k, curve.value, curve.low, curve.high, curve.tasks, strict=True)
    )


def _curves(subject: Subject) -> Curves:
    made = tuple(_panel(subject, figures) for figures in panels(subject))
    return Curves(key="curves", text=" ".join(panel.text for panel in made), panels=made)


def _panel(subject: Subject, figures: ModelFigures) -> CurvePanel:
    at, hat = _points(figures.pass_at_k), _points(figures.pass_hat_k)
    text = f"{name_of(figures)}: pass@k {_ends(at)}, pass^k {_ends(hat)}."
    return CurvePanel(
        model=name_of(figures),
        note=gap_note(figures),
        text=text,
        at=at,
        hat=hat,
        chosen=subject.is_chosen(figures.model),
        scripted=subject.is_scripted(figures.model),
    )


def _ends(points: tuple[CurvePoint, ...]) -> str:
    """Return the first and last point in words."""
    if not points:
        return "not measured"
    first, last = points[0], points[-1]
    ends = f"{percent(first.value)} at k = {first.x}"
    return ends if len(points) == 1 else f"{ends} to {percent(last.value)} at k = {last.x}"


def _table(subject: Subject) -> Table:
    assert subject.chosen is not None
    at, hat = _points(subject.chosen.pass_at_k), {p.x: p for p in _points(subject.chosen.pass_hat_k)}
    rows = []
    for point in _thinned(at):
        both = hat.get(point.x)
        rows.append(
            Row(
                (
                    number_cell(point.x),
                    Cell(text=percent(point.value), value=point.value),
                    Cell(text=percent_interval(point.low, point.high)),
                    Cell(text=percent(both.value) if both else "", value=both.value if both else None),
                    Cell(text=percent_interval(both.low, both.high) if both else ""),
                    number_cell(point.tasks),
                )
            )
        )
    columns = (
        Column(key="k", title="attempts k", kind="number"),
        Column(key="pass_at_k", title="pass@k", kind="number"),
        Column(key="pass_at_k_band", title="95% band", kind="number"),
        Column(key="pass_hat_k", title="pass^k", kind="number"),
        Column(key="pass_hat_k_band", title="95% band", kind="number"),
        Column(key="tasks", title="tasks with k attempts", kind="number"),
    )
    caption = f"{name_of(subject.chosen)}, the chosen model; each k averages the tasks with k graded attempts or more."
    return Table(key="curves", caption=caption, columns=columns, rows=tuple(rows))


def _thinned(points: tuple[CurvePoint, ...]) -> list[CurvePoint]:
    """Return all points up to eight; of more, those at powers of two and the last."""
    if len(points) <= 8:
        return list(points)
    return [p for p in points if p.x & (p.x - 1) == 0 or p is points[-1]]
