"""Informative share against the group size: chosen model with its band, others plain, plug-in dotted and named."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.layout import Scale, dodge, wrap_name
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.data import GradientCurves, GradientLine

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_NAME_WIDTH = 34
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])


@dataclass(frozen=True, slots=True)
class _Label:
    """What stands at the end of a line."""

    end: float
    lines: tuple[str, ...]
    color: str
    weight: int


def draw_gradient(figure: GradientCurves, key: str, *, narrow: bool) -> str:
    """Return the drawing, 864 pixels wide with names, or 368 with letters."""
    frame = Frame(296, 220, 36, 36, 40, 42) if narrow else Frame(520, 264, 36, 308, 26, 42)
    sizes = [point.x for line in figure.lines for point in line.points]
    low, high = min(sizes), max(max(sizes), min(sizes) + 1)
    across, up = Scale(low, high, frame.width, log=True), Scale(0, 1, frame.height, flipped=True)
    ticks = [size for size in (2, 4, 8, 16, 32, 64, 128, 256) if low <= size <= high]
    x = alt.X("x:Q", scale=alt.Scale(domain=[low, high], type="log", nice=False), axis=theme.axis(ticks, format="d"))
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=theme.axis(_QUARTERS, grid=True, line=False, expr="format(datum.value * 100, '.0f')"),
    )
    layers = [layer for index, line in enumerate(figure.lines) for layer in _line(line, index, x, y)]
    layers += _group_mark(figure, low, high, x, y)
    labels = _letters(figure) if narrow else _names(figure)
    layers += _labels(labels, across, up, x, y)
    layers.append(
        theme.text_at(
            [{"x": across.value(-frame.left), "y": 1, "text": "share of groups with both outcomes, %"}],
            x,
            y,
            dy=-32 if narrow else -18,
            align="left",
            color=theme.INK_2,
        )
    )
    layers.append(
        theme.text_at(
            [{"x": across.value(frame.width / 2), "y": 0, "text": "group size G, attempts, log scale"}],
            x,
            y,
            dy=36,
            align="center",
            color=theme.INK_2,
        )
    )
    return theme.svg(layers, frame, key, "Informative share of groups against group size", figure.text)


def letter(index: int) -> str:
    """Return the letter of a line in the narrow drawing."""
    return "ABCDEFGH"[index]


def _line(line: GradientLine, index: int, x: alt.X, y: alt.Y) -> list[Layer]:
    color = theme.ACCENT if line.chosen else theme.INK_2
    rows = [{"x": p.x, "y": p.value} for p in line.points]
    layers = []
    if line.chosen:
        band = [{"x": p.x, "y": p.low, "y2": p.high} for p in line.points]
        layers.append(theme.mark("area", band, color=color, opacity=theme.BAND_OPACITY).encode(x=x, y=y, y2="y2:Q"))
        naive = [{"x": p.x, "y": p.plug_in} for p in line.points if p.plug_in is not None]
        layers.append(theme.mark("line", naive, color=color, strokeWidth=1.75, strokeDash=[1.5, 3]).encode(x=x, y=y))
    dash = [1, 0] if line.chosen else _DASHES[index % len(_DASHES)]
    layers.append(
        theme.mark("line", rows, color=color, strokeWidth=2 if line.chosen else 1.5, strokeDash=dash).encode(x=x, y=y)
    )
    return layers


def _group_mark(figure: GradientCurves, low: float, high: float, x: alt.X, y: alt.Y) -> list[Layer]:
    size = figure.group_size
    if not low <= size <= high:
        return []
    rule = theme.mark("rule", [{"x": size, "y": 0, "y2": 1}], color=theme.INK_2, strokeDash=[1.5, 3]).encode(
        x=x, y=y, y2="y2:Q"
    )
    layers = [rule]
    for line in figure.lines:
        at = [{"x": p.x, "y": p.value} for p in line.points if p.x == size]
        color = theme.ACCENT if line.chosen else theme.INK_2
        layers.append(
            theme.mark(
                "point",
                at,
                filled=True,
                opacity=1,
                size=40,
                color=color if line.chosen else theme.PAPER,
                stroke=color,
                strokeWidth=1.5,
            ).encode(x=x, y=y)
        )
    layers.append(
        theme.text_at(
            [{"x": size, "y": 1, "text": f"G = {size}"}],
            x,
            y,
            dy=-7 if size < high else -4,
            align="center" if size < high else "right",
            color=theme.INK,
        )
    )
    return layers


def _names(figure: GradientCurves) -> list[_Label]:
    labels = []
    for line in figure.lines:
        rows = wrap_name(line.model, _NAME_WIDTH)
        rows[-1:] = (
            [f"{rows[-1]}  {line.label}"]
            if len(rows[-1]) + len(line.label) <= _NAME_WIDTH + 8
            else [rows[-1], line.label]
        )
        labels.append(
            _Label(
                line.points[-1].value,
                tuple(rows),
                theme.ACCENT if line.chosen else theme.INK,
                600 if line.chosen else 400,
            )
        )
        plug_in = line.points[-1].plug_in
        if line.chosen and plug_in is not None:
            labels.append(_Label(plug_in, ("its plug-in",), theme.ACCENT, 400))
    return labels


def _letters(figure: GradientCurves) -> list[_Label]:
    labels = []
    for index, line in enumerate(figure.lines):
        color = theme.ACCENT if line.chosen else theme.INK
        labels.append(_Label(line.points[-1].value, (letter(index),), color, 600))
        plug_in = line.points[-1].plug_in
        if line.chosen and plug_in is not None:
            labels.append(_Label(plug_in, (f"{letter(index)}′",), color, 400))
    return labels


def _labels(labels: list[_Label], across: Scale, up: Scale, x: alt.X, y: alt.Y) -> list[Layer]:
    """Return the labels at the right, pushed apart, each with a leader to the end of its line."""
    heights = [15.0 * len(label.lines) + 3 for label in labels]
    centres = dodge([up.px(label.end) for label in labels], heights, -8, up.pixels + 8)
    layers = []
    for label, centre in zip(labels, centres, strict=True):
        leader = [
            {"x": across.value(across.pixels + 2), "y": label.end},
            {"x": across.value(across.pixels + 16), "y": up.value(centre)},
        ]
        layers.append(theme.mark("line", leader, color=theme.NONE, strokeWidth=0.75).encode(x=x, y=y))
        for row, text in enumerate(label.lines):
            at = [
                {
                    "x": across.value(across.pixels + 20),
                    "y": up.value(centre + (row - (len(label.lines) - 1) / 2) * 15),
                    "text": text,
                }
            ]
            layers.append(theme.text_at(at, x, y, align="left", color=label.color, fontWeight=label.weight))
    return layers
