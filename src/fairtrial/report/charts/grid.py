"""Tasks by the pass rates of a weak and a strong model: discs, the four bins, reversed cells as triangles."""

from __future__ import annotations

import math
from itertools import pairwise

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.layout import Scale
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.data import Grid
from fairtrial.report.numbers import count

_SIDE = 0.1
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_grid(figure: Grid, key: str) -> str:
    """Return the drawing, 364 pixels wide."""
    frame = Frame(316, 316, 40, 8, 44, 62)
    domain = [-_SIDE, 1 + _SIDE]
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=domain, nice=False),
        axis=theme.axis(_TICKS, expr="format(datum.value * 100, '.0f')"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=domain, nice=False),
        axis=theme.axis(_TICKS, expr="format(datum.value * 100, '.0f')"),
    )
    across = Scale(-_SIDE, 1 + _SIDE, frame.width)
    layers = [*_ground(x, y), *_discs(list(figure.cells), across, x, y), *_titles(figure, across, frame, x, y)]
    return theme.svg(layers, frame, key, f"Tasks by pass rate under {figure.weak} and {figure.strong}", figure.text)


def bin_of(weak: float, strong: float) -> str:
    """Return the bin of a pair of rates.

    >>> bin_of(0.2, 0.6), bin_of(0.2, 0.0), bin_of(0.6, 0.8), bin_of(0.2, 0.4)
    ('discriminates', 'reversed', 'both pass', 'too hard')
    """
    if weak > 0.5 and strong > 0.5:
        return "both pass"
    if weak > strong:
        return "reversed"
    return "discriminates" if strong > 0.5 else "too hard"


def _ground(x: alt.X, y: alt.Y) -> list[Layer]:
    low, high = -_SIDE, 1 + _SIDE
    whole = theme.mark("rect", [{"x": low, "x2": high, "y": low, "y2": high}], color=theme.FILL)
    told = theme.mark("rect", [{"x": low, "x2": 0.5, "y": 0.5, "y2": high}], color=theme.ACCENT_SOFT)
    halves = [{"x": 0.5, "x2": 0.5, "y": low, "y2": high}, {"x": low, "x2": high, "y": 0.5, "y2": 0.5}]
    diagonal = [{"x": low, "x2": high, "y": low, "y2": high}]
    return [
        whole.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"),
        told.encode(x=x, x2="x2:Q", y=y, y2="y2:Q"),
        theme.mark("rule", diagonal, color=theme.INK_2, strokeDash=[3, 3], strokeWidth=0.75).encode(
            x=x, x2="x2:Q", y=y, y2="y2:Q"
        ),
        theme.mark("rule", halves, color=theme.INK_2).encode(x=x, x2="x2:Q", y=y, y2="y2:Q"),
    ]


def _discs(cells: list[tuple[float, float, int]], across: Scale, x: alt.X, y: alt.Y) -> list[Layer]:
    if not cells:
        return []
    spread = min(_gap([c[0] for c in cells]), _gap([c[1] for c in cells])) * (across.px(1) - across.px(0))
    largest, widest = max(cell[2] for cell in cells), max(4.0, min(18.0, spread / 2 - 1))
    layers = []
    for name, color, shape in (
        ("discriminates", theme.ACCENT, "circle"),
        ("both pass", theme.NONE, "circle"),
        ("too hard", theme.NONE, "circle"),
        ("reversed", theme.LEAD, "triangle-up"),
    ):
        mine = [
            (weak, strong, tasks, max(4.0, widest * math.sqrt(tasks / largest)))
            for weak, strong, tasks in cells
            if bin_of(weak, strong) == name
        ]
        is_lead = name == "reversed"
        rows = [
            {"x": w, "y": s, "size": math.pi * max(r, 7.0 if is_lead and spread > 20 else r) ** 2}
            for w, s, _, r in mine
        ]
        if rows:
            discs = theme.mark(
                "point",
                rows,
                shape=shape,
                filled=True,
                opacity=1,
                color=theme.LEAD_SOFT if is_lead else color,
                stroke=color,
                strokeWidth=1.5 if is_lead else 0,
            )
            layers.append(discs.encode(x=x, y=y, size=alt.Size("size:Q", scale=None, legend=None)))
        layers += _counts(mine, across, spread, is_lead, x, y)
    return layers


def _gap(rates: list[float]) -> float:
    distinct = sorted(set(rates))
    return min((b - a for a, b in pairwise(distinct)), default=0.25)


def _counts(
    mine: list[tuple[float, float, int, float]], across: Scale, spread: float, is_lead: bool, x: alt.X, y: alt.Y
) -> list[Layer]:
    """Return the number of tasks inside each disc that can hold it, else beside it where the next cell leaves room."""
    inside = [{"x": w, "y": s, "text": count(n)} for w, s, n, r in mine if not is_lead and len(count(n)) * 3.6 + 3 <= r]
    beside = [
        {"x": across.value(across.px(w) + max(r, 7.0 if is_lead else r) + 3), "y": s, "text": count(n)}
        for w, s, n, r in mine
        if (is_lead or len(count(n)) * 3.6 + 3 > r) and spread >= 28
    ]
    layers = []
    if inside:
        layers.append(theme.text_at(inside, x, y, color=theme.PAPER, fontWeight=600))
    if beside:
        layers.append(theme.text_at(beside, x, y, align="left", color=theme.LEAD if is_lead else theme.INK))
    return layers


def _titles(figure: Grid, across: Scale, frame: Frame, x: alt.X, y: alt.Y) -> list[Layer]:
    counts = dict(figure.counts)
    top, bottom, left, right = 1 + _SIDE, -_SIDE, -_SIDE, 0.5
    out = across.value(-frame.left)
    layers = [
        theme.text_at(
            [{"x": out, "y": top, "text": "strong pass rate, %"}], x, y, dy=-34, align="left", color=theme.INK_2
        ),
        theme.text_at(
            [{"x": across.value(frame.width / 2), "y": bottom, "text": "weak pass rate, %"}],
            x,
            y,
            dy=52,
            align="center",
            color=theme.INK_2,
        ),
    ]
    for name, at, edge, dy, color in (
        ("discriminates", left, top, -11, theme.ACCENT),
        ("both pass", right, top, -11, theme.INK),
        ("too hard", left, bottom, 34, theme.INK),
        ("reversed", right, bottom, 34, theme.LEAD),
    ):
        row = [{"x": at, "y": edge, "text": f"{name}: {count(counts.get(name, 0))}"}]
        layers.append(
            theme.text_at(
                row, x, y, dx=2, dy=dy, align="left", color=color, fontWeight=600 if color == theme.ACCENT else 400
            )
        )
    return layers
