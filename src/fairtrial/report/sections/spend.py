"""Score and spend: what a pass costs in money and tokens, the Pareto front, and whether more effort still helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fairtrial.measure.result import FrontPoint, ModelFigures
from fairtrial.records import Estimate
from fairtrial.report.claims import front_claim
from fairtrial.report.data import Block, Cell, Column, Fact, Front, FrontMark, Row, Scope, Section, Table
from fairtrial.report.numbers import (
    NOT_MEASURED,
    dollars,
    money_parts,
    of,
    percent,
    share_with_interval,
    tokens_parts,
)
from fairtrial.report.subject import Subject, number_cell
from fairtrial.report.words import plural, visible

Quantity = Literal["cost", "tokens"]


def spend_section(subject: Subject) -> Section:
    """Return the section on score against cost and tokens."""
    measurement = subject.measurement
    blocks = [
        _block(subject, points, quantity)
        for points, quantity in ((measurement.front_cost, "cost"), (measurement.front_tokens, "tokens"))
        if points
    ]
    told = sum(m.spend is not None for m in measurement.models)
    side = [Fact("n", f"{of(told, len(measurement.models))} models record tokens or cost")]
    if blocks:
        side += [
            Fact("Ungraded", f"{of(measurement.ungraded, measurement.rollouts)} rollouts, left out of scores"),
            Fact("Method", "interval of the score as under Difficulty; of the spend over rollouts that record it"),
        ]
    else:
        blocks = [
            Block(
                claim="Score against cost was not measured",
                empty=Scope(
                    "Score against money and tokens, with the Pareto front, would be here",
                    "no rollout records tokens or cost",
                    f"fairtrial import RESULTS --to {subject.context.ledger} --columns output_tokens=…,cost_usd=…",
                ),
            )
        ]
    return Section(key="spend", title="Score and cost", side=tuple(side), blocks=tuple(blocks))


def _block(subject: Subject, points: Sequence[FrontPoint], quantity: str) -> Block:
    named = {m.model: m for m in subject.measurement.models}
    ordered = sorted(points, key=lambda p: (p.spend, -p.score, p.model))
    kind: Quantity = "cost" if quantity == "cost" else "tokens"
    what = "mean cost of a rollout" if kind == "cost" else "mean output tokens of a rollout"
    claim = front_claim(ordered, "cost" if kind == "cost" else "output tokens")
    figure = (_front(subject, ordered, named, kind),) if len(ordered) > 1 else ()
    say = f"Across: {what}, log scale. Solid: Pareto front. Dashed: efforts of one model. Whiskers: 95%, both ways."
    missing = len(subject.measurement.models) - len(ordered)
    if missing:
        say += f" {plural(missing, 'model')} not shown: nothing recorded."
    return Block(claim=claim, say=say, figures=figure, tables=(_table(subject, ordered, named, kind),))


def spend_estimate(figures: ModelFigures, quantity: Quantity) -> Estimate | None:
    """Return the mean spend of a rollout, where it was recorded."""
    if figures.spend is None:
        return None
    return figures.spend.cost_usd if quantity == "cost" else figures.spend.output_tokens


def _front(subject: Subject, points: Sequence[FrontPoint], named: dict[str, ModelFigures], quantity: Quantity) -> Front:
    marks = []
    for number, point in enumerate(points, 1):
        figures = named[point.model]
        spend = spend_estimate(figures, quantity)
        marks.append(
            FrontMark(
                model=visible(point.model),
                name=figures.name,
                number=number,
                spend=point.spend,
                spend_low=spend.low if spend else None,
                spend_high=spend.high if spend else None,
                score=point.score,
                score_low=figures.pass_rate.low,
                score_high=figures.pass_rate.high,
                on_front=point.on_front,
                chosen=subject.is_chosen(point.model),
            )
        )
    text = "; ".join(f"{mark.model}: {percent(mark.score)} at {_spend_words(mark.spend, quantity)}" for mark in marks)
    return Front(key=f"front-{quantity}", text=text + ".", quantity=quantity, marks=tuple(marks))


def _spend_words(spend: float, quantity: Quantity) -> str:
    return dollars(spend) if quantity == "cost" else f"{spend:,.0f} tokens"


def _table(subject: Subject, points: Sequence[FrontPoint], named: dict[str, ModelFigures], quantity: Quantity) -> Table:
    label = "cost of a rollout [95%]" if quantity == "cost" else "output tokens of a rollout [95%]"
    columns = [
        Column(key="model", title="model", kind="name"),
        Column(key="no", title="no.", kind="number"),
        Column(key="score", title="pass rate [95%]", kind="number"),
        Column(key="spend", title=label, kind="number"),
        Column(key="rollouts", title="rollouts that record it", kind="number"),
        Column(key="position", title="position"),
    ]
    if quantity == "cost":
        columns.insert(4, Column(key="per_pass", title="cost of a pass", kind="number"))
    rows = []
    for number, point in enumerate(points, 1):
        figures = named[point.model]
        estimate = spend_estimate(figures, quantity)
        text = NOT_MEASURED
        if estimate is not None:
            text = " ".join(money_parts(estimate) if quantity == "cost" else tokens_parts(estimate)).strip()
        cells = [
            subject.model_cell(point.model),
            number_cell(number),
            Cell(text=share_with_interval(figures.pass_rate), value=point.score),
            Cell(text=text, value=point.spend),
            number_cell(figures.spend.rollouts if figures.spend else 0),
            Cell(text=_position(point, points)),
        ]
        if quantity == "cost":
            cells.insert(4, _per_pass(point))
        rows.append(Row(tuple(cells), subject.is_chosen(point.model)))
    return Table(key=f"spend_{quantity}", caption="Lowest spend first.", columns=tuple(columns), rows=tuple(rows))


def _per_pass(point: FrontPoint) -> Cell:
    """Return the cost of a pass: mean cost over pass rate, where there is a pass."""
    if point.score <= 0:
        return Cell(text="never passed")
    return Cell(text=dollars(point.spend / point.score), value=point.spend / point.score)


def _position(point: FrontPoint, points: Sequence[FrontPoint]) -> str:
    if point.on_front:
        return "on the front"
    better = [p for p in points if p.spend <= point.spend and p.score >= point.score and p.model != point.model]
    best = max(better, key=lambda p: p.score, default=None)
    return f"observed behind {visible(best.model)}" if best else "off the front"
