"""Lines with bands over a whole-numbered axis: pass@k of two models, their difference, a pass rate over steps."""

from __future__ import annotations

import math

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.curves import ticks
from fairtrial.report.charts.layout import Scale, dodge, wrap_name
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.figures import LinePanel, LineSeries
from fairtrial.report.numbers import percent_number, rounded

_LINE_PX = 14.0
_NAME_WIDTH = 9
_MOST_MARKERS = 8
_STEPS = 5
_WIDE = 0.2
"""Span of shares from which on tenths are ticks."""
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])


def draw_lines(panel: LinePanel, width: float, key: str) -> str:
    """Return the drawing of one panel, `width` pixels wide, each line named at its end."""
    frame = Frame(width - 134, 150, 40, 94, 26, 42)
    first, last = _ends(panel)
    across, up = Scale(first, last, frame.width), Scale(panel.low, panel.high, frame.height, flipped=True)
    x = alt.X(
        "x:Q", scale=alt.Scale(domain=[first, last], nice=False), axis=theme.axis(_ticks(first, last), format="d")
    )
    y = alt.Y("y:Q", scale=alt.Scale(domain=[panel.low, panel.high], nice=False),
              axis=theme.axis(_levels(panel), grid=True, line=False, expr=_signed(panel)))  # fmt: skip
    layers = _marked(panel, x, y)
    if panel.low < 0 < panel.high:
        zero = [{"x": first, "x2": last, "y": 0}]
        layers.append(theme.mark("rule", zero, color=theme.INK, strokeWidth=1.25).encode(x=x, x2="x2:Q", y=y))
    for number, series in enumerate(panel.series):
        layers += _line(series, number, x, y)
    layers += _names(panel, across, up, x, y)
    left, middle = across.value(-frame.left), across.value(frame.width / 2)
    layers.append(theme.text_at([{"x": left, "y": panel.high, "text": panel.up}], x, y, dy=-18, align="left",
                                color=theme.INK_2))  # fmt: skip
    layers.append(theme.text_at([{"x": middle, "y": panel.low, "text": panel.across}], x, y, dy=36, align="center",
                                color=theme.INK_2))  # fmt: skip
    return theme.svg(layers, frame, key, panel.title, panel.text)


def _ends(panel: LinePanel) -> tuple[int, int]:
    places = [point.x for series in panel.series for point in series.points]
    return min(places), max(max(places), min(places) + 1)


def _ticks(first: int, last: int) -> list[int]:
    """Return the ticks of k where the axis starts at 1 and is short; else about five round ones."""
    if first == 1 and last <= 64:
        return ticks(last)
    rough = max((last - first) / _STEPS, 1)
    step = next(size for size in (10**power * digit for power in range(9) for digit in (1, 2, 5)) if size >= rough)
    return [place for place in range(0, last + 1, step) if place >= first] or [first, last]


def _levels(panel: LinePanel) -> list[float]:
    span = panel.high - panel.low
    step = (
        0.25
        if span >= 1 and panel.unit == "share"
        else 0.1
        if span >= _WIDE and panel.unit == "share"
        else _round_step(span / _STEPS)
    )
    most = 6
    while span / step > most:
        step *= 2
    low, high = round(panel.low / step), round(panel.high / step)
    return [level * step for level in range(low, high + 1) if panel.low - 1e-9 <= level * step <= panel.high + 1e-9]


def _round_step(rough: float) -> float:
    """Return 1, 2 or 5 times a power of ten, `rough` at least.

    >>> _round_step(0.012), _round_step(7.0)
    (0.02, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(rough))
    return next(round(digit * power, 12) for digit in (1, 2, 5, 10) if digit * power >= rough * (1 - 1e-9))


def _signed(panel: LinePanel) -> str:
    if panel.unit == "number":
        return "format(datum.value, ',')"
    if panel.low >= 0:
        return f"format(datum.value * 100, '{'.0f' if panel.high - panel.low >= _WIDE else '~f'}')"
    return "(datum.value > 0 ? '+' : datum.value < 0 ? '−' : '') + format(abs(datum.value) * 100, '.0f')"


def _marked(panel: LinePanel, x: alt.X, y: alt.Y) -> list[Layer]:
    rows = [{"x": first - 0.5, "x2": last + 0.5, "y": panel.low, "y2": panel.high} for first, last in panel.marked]
    if not rows:
        return []
    return [theme.mark("rect", rows, color=theme.LEAD_SOFT, clip=True).encode(x=x, x2="x2:Q", y=y, y2="y2:Q")]


def _line(series: LineSeries, number: int, x: alt.X, y: alt.Y) -> list[Layer]:
    color = theme.ACCENT if series.chosen else theme.INK_2
    rows = [{"x": p.x, "y": p.value, "low": p.low, "high": p.high} for p in series.points]
    bands = [{"x": r["x"], "y": r["low"], "y2": r["high"]} for r in rows if r["low"] < r["high"]]
    layers = []
    if len(bands) > 1:
        layers.append(theme.mark("area", bands, color=color, opacity=theme.BAND_OPACITY).encode(x=x, y=y, y2="y2:Q"))
    elif bands:
        layers.append(theme.mark("rule", bands, color=color, strokeWidth=1.5).encode(x=x, y=y, y2="y2:Q"))
    dash = [5, 3] if series.dashed else [1, 0] if series.chosen else _DASHES[number % len(_DASHES)]
    layers.append(theme.mark("line", rows, color=color, strokeWidth=2 if series.chosen else 1.5,
                             strokeDash=dash).encode(x=x, y=y))  # fmt: skip
    if len(rows) <= _MOST_MARKERS:
        layers.append(theme.mark("point", rows, shape="square" if series.dashed else "circle", filled=True, opacity=1,
                                 size=26, color=theme.PAPER if series.dashed else color, stroke=color,
                                 strokeWidth=1.5).encode(x=x, y=y))  # fmt: skip
    return layers


def _value(panel: LinePanel, series: LineSeries) -> str:
    """Return the last value of a line, at the end of which it stands."""
    last = series.points[-1].value
    text = percent_number(last) if panel.unit == "share" else rounded(last, 1)
    return f"+{text}" if panel.low < 0 < last and text.strip("0.") else text


def _names(panel: LinePanel, across: Scale, up: Scale, x: alt.X, y: alt.Y) -> list[Layer]:
    """Return the name and last value of each line, pushed apart beside the plot."""
    lines = [[*wrap_name(series.name, _NAME_WIDTH), _value(panel, series)] for series in panel.series]
    heights = [_LINE_PX * len(each) + 2 for each in lines]
    lasts = [series.points[-1] for series in panel.series]
    centres = dodge([up.px(point.value) for point in lasts], heights, -10, up.pixels + 10)
    layers = []
    for series, point, centre, texts in zip(panel.series, lasts, centres, lines, strict=True):
        end, start = across.value(across.px(point.x) + 8), centre - _LINE_PX * (len(texts) - 1) / 2
        for number, text in enumerate(texts):
            row = [{"x": end, "y": up.value(start + _LINE_PX * number), "text": text}]
            layers.append(theme.text_at(row, x, y, align="left", color=theme.ACCENT if series.chosen else theme.INK,
                                        fontWeight=600 if series.chosen else 400))  # fmt: skip
    return layers
