"""pass@k of base and trained with simultaneous bands, and their difference: sharpening or expansion."""

from __future__ import annotations

from fairtrial.measure.result import Curve
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Table
from fairtrial.report.figures import LinePanel, LinePoint, Lines, LineSeries
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.words import TRAIN, signed
from fairtrial.report.numbers import count, percent, percent_interval
from fairtrial.report.words import visible
from fairtrial.train.lift import Curves, Lift

_READINGS = {
    "sharpening": "ahead at small k and no longer at the largest: what it could already solve, it solves more often",
    "expansion": "ahead at every k measured",
    "open": "ahead at some k; the band does not say more",
    "none": "ahead beyond the band at no k",
}
_MOST_ROWS = 9


def curves_section(subject: LiftSubject) -> Section:
    """Return the pass@k curves of every arm that is no control."""
    told = [(one, one.curves) for one in subject.arms if one.curves is not None]
    if not told:
        empty = Scope(
            "pass@k of base and trained would be here",
            "it needs several graded runs of a task of both",
            TRAIN,
        )
        return Section(
            key="curves", title="pass@k", side=(), blocks=(Block(claim="pass@k was not measured", empty=empty),)
        )
    side = (
        Fact("Method", told[0][1].difference.method),
        Fact("Bands", "95%, simultaneous over k"),
        Fact("Band of one model", told[0][1].trained.method),
        Fact("Formula", "1 − C(n−c, k)/C(n, k)"),
    )
    return Section(
        key="curves",
        title="pass@k",
        side=side,
        blocks=tuple(_block(one, curves, whole=one is told[0][0]) for one, curves in told),
    )


def _block(one: Lift, curves: Curves, *, whole: bool) -> Block:
    name, last = visible(one.trained), curves.difference.k[-1]
    claim = f"{name} is {_READINGS[curves.reading].split(':')[0]}"
    crossing = f" From k = {curves.crosses_at} on, the base is level or ahead." if curves.crosses_at is not None else ""
    meaning = f" {_READINGS[curves.reading].partition(': ')[2].capitalize()}." if curves.reading == "sharpening" else ""
    say = f"At k = {last} the difference is {signed(curves.difference.value[-1])} points.{crossing}{meaning}"
    panels = (
        LinePanel(
            title="pass@k",
            note=f"{name} against {visible(one.base)}",
            across="attempts k",
            up="tasks solved, %",
            low=0.0,
            high=1.0,
            text=_text(one, curves),
            series=(
                LineSeries(name=name, points=_points(curves.trained), chosen=True),
                LineSeries(name=visible(one.base), points=_points(curves.base), dashed=True),
            ),
        ),
        LinePanel(
            title="difference",
            note="trained less base; above 0 it is ahead",
            across="attempts k",
            up="points",
            low=_low(curves.difference),
            high=_high(curves.difference),
            text=_text_of_difference(curves.difference),
            series=(LineSeries(name="ahead by", points=_points(curves.difference), chosen=True),),
        ),
    )
    figure = Lines(key=f"curves-{one.trained}", text=_text(one, curves), panels=panels)
    return Block(claim=claim, say=say, figures=(figure,), tables=(_table(one, curves),) if whole else ())


def _ends(curve: Curve, i: int) -> str:
    return f"[{signed(curve.low[i])}, {signed(curve.high[i])}]"


def _points(curve: Curve) -> tuple[LinePoint, ...]:
    return tuple(
        LinePoint(k, value, low, high)
        for k, value, low, high in zip(curve.k, curve.value, curve.low, curve.high, strict=True)
    )


def _low(curve: Curve) -> float:
    return max(-1.0, min(-0.1, _tenth(min(curve.low) - 0.1)))


def _high(curve: Curve) -> float:
    return min(1.0, max(0.1, _tenth(max(curve.high) + 0.1)))


def _tenth(share: float) -> float:
    return round(share, 1)


def _text(one: Lift, curves: Curves) -> str:
    at = [
        f"k {k}: {visible(one.base)} {percent(base)}, {visible(one.trained)} {percent(trained)}"
        for k, base, trained in zip(curves.base.k, curves.base.value, curves.trained.value, strict=False)
    ]
    return "; ".join(at) + "."


def _text_of_difference(curve: Curve) -> str:
    at = [
        f"k {k}: {signed(value)} [{signed(low)}, {signed(high)}]"
        for k, value, low, high in zip(curve.k, curve.value, curve.low, curve.high, strict=True)
    ]
    return "; ".join(at) + "."


def _table(one: Lift, curves: Curves) -> Table:
    columns = (
        Column(key="k", title="k", kind="number"),
        Column(key="base", title=f"{visible(one.base)} [band]", kind="number"),
        Column(key="trained", title=f"{visible(one.trained)} [band]", kind="number"),
        Column(key="difference", title="difference, points [band]", kind="number"),
        Column(key="tasks", title="tasks", kind="number"),
    )
    of = {k: i for i, k in enumerate(curves.difference.k)}
    rows = []
    for k in _shown(curves.difference.k):
        i = of[k]
        difference = curves.difference
        rows.append(
            Row(
                (
                    Cell(text=count(k), value=k),
                    _band(curves.base, k),
                    _band(curves.trained, k),
                    Cell(
                        text=f"{signed(difference.value[i])} {_ends(difference, i)}",
                        value=difference.value[i],
                    ),
                    Cell(text=count(difference.tasks[i]), value=difference.tasks[i]),
                )
            )
        )
    return Table(
        key=f"curves_{one.trained}", caption="Smallest k first.", columns=columns, rows=tuple(rows), layout="stack"
    )


def _shown(ks: tuple[int, ...]) -> list[int]:
    """Return every k where few, else powers of two and the last."""
    return list(ks) if len(ks) <= _MOST_ROWS else [k for k in ks if k & (k - 1) == 0 or k == ks[-1]]


def _band(curve: Curve, k: int) -> Cell:
    if k not in curve.k:
        return Cell(text="not measured")
    i = curve.k.index(k)
    return Cell(text=f"{percent(curve.value[i])} {percent_interval(curve.low[i], curve.high[i])}", value=curve.value[i])
