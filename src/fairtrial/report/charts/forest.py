"""Signed estimates under each other, each with its interval, on one axis with the line of no change."""

from __future__ import annotations

import math

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.layout import wrap_name
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.figures import Forest, ForestRow

_ROW_PX, _LINE_PX, _TICK_PX = 34.0, 15.0, 5.0


def draw_forest(figure: Forest, key: str, *, narrow: bool) -> str:
    """Return the drawing, 864 pixels wide with the estimates in words, or 368 without."""
    height = _ROW_PX * len(figure.rows)
    frame = Frame(216, height, 136, 16, 8, 40) if narrow else Frame(440, height, 236, 188, 8, 40)
    low, high = domain(figure.rows)
    x = alt.X("x:Q", scale=alt.Scale(domain=[low, high], nice=False), axis=_axis(low, high, narrow))
    y = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    layers = [_zero(height, x, y)]
    for number, row in enumerate(figure.rows):
        middle = _ROW_PX * (number + 0.5)
        layers += [*_estimate(row, middle, (low, high), x, y), *_label(row, middle, narrow, low, x, y)]
        if not narrow:
            layers.append(theme.text_at([{"x": high, "y": middle, "text": row.text}], x, y, dx=14, align="left",
                                        **_weight(row)))  # fmt: skip
    title = [{"x": (low + high) / 2, "y": height, "text": figure.title}]
    layers.append(theme.text_at(title, x, y, dy=34, align="center", color=theme.INK_2))
    return theme.svg(layers, frame, key, figure.title, figure.text)


def domain(rows: tuple[ForestRow, ...]) -> tuple[float, float]:
    """Return the ends of the axis: tenths that hold every interval and zero, within [-1, 1].

    >>> domain((ForestRow(label="a", text="", value=0.2, low=-0.04, high=0.44),))
    (-0.1, 0.5)
    """
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    low = math.floor(min(0.0, *ends, 0.0) * 10 - 1e-9) / 10 if ends else -0.1
    high = math.ceil(max(0.0, *ends, 0.0) * 10 + 1e-9) / 10 if ends else 0.1
    return max(-1.0, min(low, -0.1)), min(1.0, max(high, 0.1))


def _axis(low: float, high: float, narrow: bool) -> alt.Axis:
    tenths = round((high - low) * 10)
    step = next(size for size in (1, 2, 5, 10) if tenths / size <= (5 if narrow else 10))
    values = [tenth / 10 for tenth in range(round(low * 10), round(high * 10) + 1) if tenth % step == 0]
    expr = "(datum.value > 0 ? '+' : datum.value < 0 ? '−' : '') + format(abs(datum.value) * 100, '.0f')"
    return theme.axis(values, grid=True, line=False, expr=expr)


def _zero(height: float, x: alt.X, y: alt.Y) -> Layer:
    line = [{"x": 0, "y": 0, "y2": height}]
    return theme.mark("rule", line, color=theme.INK, strokeWidth=1.25).encode(x=x, y=y, y2="y2:Q")


def _color(row: ForestRow) -> str:
    return theme.ACCENT if row.chosen else theme.INK


def _weight(row: ForestRow) -> dict[str, object]:
    return {"fontWeight": 600 if row.chosen else 400, "color": _color(row)}


def _estimate(row: ForestRow, middle: float, ends: tuple[float, float], x: alt.X, y: alt.Y) -> list[Layer]:
    """Return the whisker with its ticks and the dot; a dotted line over the whole axis where nothing was measured."""
    if row.value is None and row.high is None:
        line = [{"x": ends[0], "x2": ends[1], "y": middle}]
        return [theme.mark("rule", line, color=theme.NONE, strokeDash=[2, 3]).encode(x=x, x2="x2:Q", y=y)]
    layers = []
    if row.low is not None and row.high is not None:
        line = [{"x": row.low, "x2": row.high, "y": middle}]
        layers.append(theme.mark("rule", line, color=_color(row), strokeWidth=1.5).encode(x=x, x2="x2:Q", y=y))
    ticks = [{"x": end, "y": middle - _TICK_PX, "y2": middle + _TICK_PX} for end in (row.low, row.high)
             if end is not None]  # fmt: skip
    if ticks:
        layers.append(theme.mark("rule", ticks, color=_color(row), strokeWidth=1.5).encode(x=x, y=y, y2="y2:Q"))
    if row.value is not None:
        dot = [{"x": row.value, "y": middle}]
        shape = {"color": theme.PAPER if row.hollow else _color(row), "stroke": _color(row), "strokeWidth": 1.5}
        kind = "diamond" if row.hollow else "circle"
        layers.append(theme.mark("point", dot, shape=kind, filled=True, opacity=1, size=62, **shape).encode(x=x, y=y))
    return layers


def _label(row: ForestRow, middle: float, narrow: bool, low: float, x: alt.X, y: alt.Y) -> list[Layer]:
    lines = wrap_name(row.label, 13 if narrow else 26)
    start = middle - _LINE_PX * (len(lines) - 1) / 2
    return [
        theme.text_at([{"x": low, "y": start + _LINE_PX * number, "text": line}], x, y, dx=-12, align="right",
                      **_weight(row))
        for number, line in enumerate(lines)
    ]  # fmt: skip
