"""Score against spend on a log scale: whiskers both ways, the Pareto front, efforts of one model joined."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.layout import CHARACTER_PX, Box, Scale, place_labels
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.data import Front, FrontMark

_MOST_NAME = 44


def draw_front(figure: Front, key: str, *, narrow: bool) -> str:
    """Return the drawing, 864 pixels wide, or 368 with row numbers instead of names."""
    frame = Frame(316, 240, 40, 12, 26, 44) if narrow else Frame(808, 320, 44, 12, 26, 44)
    low, high = _domain(figure)
    ceiling = _ceiling(figure)
    across, up = Scale(low, high, frame.width, log=True), Scale(0, ceiling, frame.height, flipped=True)
    x = alt.X(
        "x:Q", scale=alt.Scale(domain=[low, high], type="log", nice=False), axis=_spend_axis(figure, low, high, narrow)
    )
    shares = [tenth / 10 for tenth in range(0, 11, 2 if ceiling > 0.5 else 1) if tenth / 10 <= ceiling + 1e-9]
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, ceiling], nice=False),
        axis=theme.axis(shares, grid=True, line=False, expr="format(datum.value * 100, '.0f')"),
    )
    layers = [
        *_lines(figure, x, y),
        *_whiskers(figure, x, y),
        *_points(figure, x, y),
        *_labels(figure, across, up, frame, narrow, x, y),
    ]
    what = (
        "mean cost of a rollout, US dollars, log scale"
        if figure.quantity == "cost"
        else "mean output tokens of a rollout, log scale"
    )
    layers += [
        theme.text_at(
            [{"x": across.value(-frame.left), "y": ceiling, "text": "pass rate, %"}],
            x,
            y,
            dy=-18,
            align="left",
            color=theme.INK_2,
        ),
        theme.text_at(
            [{"x": across.value(frame.width / 2), "y": 0, "text": what}], x, y, dy=37, align="center", color=theme.INK_2
        ),
    ]
    return theme.svg(layers, frame, key, f"Pass rate against {figure.quantity}", figure.text)


def _spends(figure: Front) -> list[float]:
    ends = [
        value for m in figure.marks for value in (m.spend, m.spend_low, m.spend_high) if value is not None and value > 0
    ]
    return ends or [1.0]


def _domain(figure: Front) -> tuple[float, float]:
    """Return the ends of the spend axis: a fifth of a decade and more beyond the data."""
    low, high = min(_spends(figure)), max(_spends(figure))
    room = max(0.12 * math.log10(high / low), 0.1)
    return low / 10**room, high * 10**room


def _ceiling(figure: Front) -> float:
    highest = max((m.score_high if m.score_high is not None else m.score for m in figure.marks), default=1.0)
    return min(1.0, math.ceil(highest * 10 + 0.5) / 10)


def _spend_axis(figure: Front, low: float, high: float, narrow: bool) -> alt.Axis:
    digits: tuple[float, ...] = (1.0, 2.0, 5.0)
    most = 5 if narrow else 10
    if high / low < 12:
        digits = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
    candidates = [
        digit * 10.0**power for power in range(-9, 13) for digit in digits if low <= digit * 10.0**power <= high
    ]
    while len(candidates) > most:
        candidates = candidates[::2]
    if figure.quantity == "cost":
        return theme.axis(
            candidates, expr="'$' + format(datum.value, datum.value < 0.01 ? '.3f' : datum.value < 10 ? '.2f' : ',.0f')"
        )
    return theme.axis(candidates, format=",.0f")


def _lines(figure: Front, x: alt.X, y: alt.Y) -> list[Layer]:
    front = [{"x": max(m.spend, 1e-9), "y": m.score} for m in figure.marks if m.on_front]
    layers = [theme.mark("line", front, color=theme.ACCENT, strokeWidth=1.5).encode(x=x, y=y)] if len(front) > 1 else []
    efforts: dict[str, list[FrontMark]] = defaultdict(list)
    for mark in figure.marks:
        efforts[mark.name].append(mark)
    for same in efforts.values():
        if len(same) > 1:
            rows = [{"x": m.spend, "y": m.score} for m in same]
            layers.append(
                theme.mark("line", rows, color=theme.INK_2, strokeWidth=1.25, strokeDash=[4, 3]).encode(x=x, y=y)
            )
    return layers


def _whiskers(figure: Front, x: alt.X, y: alt.Y) -> list[Layer]:
    up = [
        {"x": m.spend, "x2": m.spend, "y": m.score_low, "y2": m.score_high}
        for m in figure.marks
        if m.score_low is not None
    ]
    side = [
        {"x": m.spend_low, "x2": m.spend_high, "y": m.score, "y2": m.score}
        for m in figure.marks
        if m.spend_low is not None and m.spend_low > 0
    ]
    return [
        theme.mark("rule", rows, color=theme.INK, strokeWidth=1.25).encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
        for rows in (up, side)
        if rows
    ]


def _points(figure: Front, x: alt.X, y: alt.Y) -> list[Layer]:
    layers = []
    for on_front, shape in ((True, "circle"), (False, "diamond")):
        rows = [{"x": m.spend, "y": m.score} for m in figure.marks if m.on_front == on_front]
        if rows:
            color = theme.ACCENT if on_front else theme.INK_2
            layers.append(
                theme.mark(
                    "point",
                    rows,
                    shape=shape,
                    filled=True,
                    opacity=1,
                    size=64,
                    strokeWidth=1.5,
                    stroke=color,
                    color=color if on_front else theme.PAPER,
                ).encode(x=x, y=y)
            )
    return layers


def _labels(figure: Front, across: Scale, up: Scale, frame: Frame, narrow: bool, x: alt.X, y: alt.Y) -> list[Layer]:
    """Return names beside their points; row numbers where names do not fit; nothing where not even these do."""
    points = [(across.px(m.spend), up.px(m.score)) for m in figure.marks]
    taken = _occupied(figure, points, across, up)
    size = (frame.width, frame.height)
    for texts in ([m.model for m in figure.marks], [str(m.number) for m in figure.marks]):
        if len(texts[0]) > 2 and (narrow or max(len(text) for text in texts) > _MOST_NAME):
            continue
        placed = place_labels(points, [len(text) * CHARACTER_PX for text in texts], taken, size)
        if placed is not None:
            layers = []
            for mark, at, text in zip(figure.marks, placed, texts, strict=True):
                row = [{"x": across.value(at.x), "y": up.value(at.y), "text": text}]
                layers.append(
                    theme.text_at(
                        row,
                        x,
                        y,
                        align=at.align,
                        fontWeight=600 if mark.chosen else 400,
                        color=theme.ACCENT if mark.chosen else theme.INK,
                    )
                )
            return layers
    return []


def _occupied(figure: Front, points: list[tuple[float, float]], across: Scale, up: Scale) -> list[Box]:
    """Return what labels must not touch: points, whiskers, and the lines between points, as small boxes along them."""
    boxes = [Box(px - 6, py - 6, px + 6, py + 6) for px, py in points]
    for mark, (px, py) in zip(figure.marks, points, strict=True):
        if mark.score_low is not None and mark.score_high is not None:
            boxes.append(Box(px - 2, up.px(mark.score_high), px + 2, up.px(mark.score_low)))
        if mark.spend_low is not None and mark.spend_low > 0 and mark.spend_high is not None:
            boxes.append(Box(across.px(mark.spend_low), py - 2, across.px(mark.spend_high), py + 2))
    front = [point for point, mark in zip(points, figure.marks, strict=True) if mark.on_front]
    for (ax, ay), (bx, by) in pairwise(front):
        steps = max(int(abs(bx - ax) / 6), int(abs(by - ay) / 6), 1)
        for step in range(steps + 1):
            px, py = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
            boxes.append(Box(px - 2, py - 2, px + 2, py + 2))
    return boxes
