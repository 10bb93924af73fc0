"""Pass-rate histogram of one model: share of tasks by pass rate, Wilson whiskers, the training band shaded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.layout import CHARACTER_PX, Scale
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.data import Bar, Histogram, HistogramPanel
from fairtrial.report.numbers import count

_ROOM = 1.14
"""The scale goes on past 100% so that a count above a full bar has room."""
_SIDE = 0.08
_COARSE = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_histogram(panel: HistogramPanel, figure: Histogram, width: float, key: str) -> str:
    """Return the drawing of one panel, `width` pixels wide."""
    frame = Frame(width - 36, 126, 32, 4, 34, 42)
    across = Scale(-_SIDE, 1 + _SIDE, frame.width)
    x_scale, y_scale = alt.Scale(domain=[-_SIDE, 1 + _SIDE], nice=False), alt.Scale(domain=[0, _ROOM], nice=False)
    position = Position(figure.edges)
    rates = sorted(position.of(bar) for bar in panel.bars)
    spread = across.px(position.step) - across.px(0) if figure.edges else _spread(rates, across)
    x = alt.X("x:Q", scale=x_scale, axis=_axis(position, rates, across))
    y = alt.Y(
        "y:Q", scale=y_scale, axis=theme.axis(_COARSE, grid=True, line=False, expr="format(datum.value * 100, '.0f')")
    )
    band = (position.at(figure.band[0]), position.at(figure.band[1]))
    layers = [
        _band(band, x, y),
        *_bars(panel, position, spread, x, y),
        _baseline(x, y),
        *_titles(band, across, frame, x, y),
    ]
    return theme.svg(layers, frame, key, f"Pass rates of the tasks of {panel.model}", panel.text)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a rate stands across the plot, 0 to 1: itself, or with edges the bins in equal steps."""

    edges: tuple[float, ...]

    @property
    def step(self) -> float:
        """Return the distance of two bins."""
        return 1 / (len(self.edges) + 2)

    def of(self, bar: Bar) -> float:
        """Return the middle of a bar."""
        if not self.edges:
            return bar.most
        if bar.least == bar.most:
            return 0.0 if bar.most <= 0 else 1.0
        return (1 + sum(edge < bar.most for edge in self.edges)) * self.step

    def at(self, rate: float) -> float:
        """Return where a rate between the edges stands, linear within a bin."""
        if not self.edges:
            return rate
        known = (0.0, *self.edges, 1.0)
        index = min(sum(edge <= rate for edge in self.edges), len(known) - 2)
        share = (rate - known[index]) / (known[index + 1] - known[index])
        return (0.5 + index + share) * self.step


def _axis(position: Position, rates: list[float], across: Scale) -> alt.Axis:
    if position.edges:
        names = {0.0: "0", 1.0: "100"} | {
            position.at(edge): f"{edge * 100:.0f}" for edge in position.edges[:: 1 if across.pixels > 220 else 2]
        }
        spoken = " : ".join(f"abs(datum.value - {at}) < 1e-6 ? '{name}'" for at, name in names.items())
        return theme.axis(sorted(names), expr=f"{spoken} : ''")
    ticks = rates if len(rates) <= 6 and _spread(rates, across) >= 26 else _COARSE
    return theme.axis(ticks, expr="format(datum.value * 100, '.0f')")


def _spread(rates: list[float], across: Scale) -> float:
    """Return the least distance of two bars, in pixels."""
    return min((across.px(b) - across.px(a) for a, b in pairwise(rates)), default=40.0)


def _band(band: tuple[float, float], x: alt.X, y: alt.Y) -> Layer:
    rows = [{"x": band[0], "x2": band[1], "y": 0, "y2": _ROOM}]
    return theme.mark("rect", rows, color=theme.ACCENT_SOFT).encode(x=x, x2="x2:Q", y=y, y2="y2:Q")


def _bars(panel: HistogramPanel, position: Position, spread: float, x: alt.X, y: alt.Y) -> list[Layer]:
    thick = max(3.0, min(22.0, spread * 0.62))
    layers = []
    for inside, color, opacity in ((True, theme.ACCENT, 1.0), (False, theme.NONE, 0.6)):
        rows = [
            {"x": position.of(bar), "y": bar.tasks / panel.tasks}
            for bar in panel.bars
            if (bar.place == "inside") == inside
        ]
        if rows:
            layers.append(theme.mark("bar", rows, color=color, opacity=opacity, width=thick).encode(x=x, y=y))
    whiskers = [{"x": position.of(bar), "y": bar.low, "y2": bar.high} for bar in panel.bars]
    layers.append(theme.mark("rule", whiskers, color=theme.INK, strokeWidth=1.25).encode(x=x, y=y, y2="y2:Q"))
    ends = [{"x": position.of(bar), "y": end} for bar in panel.bars for end in (bar.low, bar.high)]
    layers.append(
        theme.mark("tick", ends, color=theme.INK, thickness=1.25, size=min(7.0, thick), orient="horizontal").encode(
            x=x, y=y
        )
    )
    labels = [{"x": position.of(bar), "y": bar.high, "text": count(bar.tasks)} for bar in panel.bars]
    if max((len(label["text"]) for label in labels), default=0) * CHARACTER_PX + 3 <= spread:  # type: ignore[arg-type]
        layers.append(theme.text_at(labels, x, y, dy=-8))
    return layers


def _baseline(x: alt.X, y: alt.Y) -> Layer:
    rows = [{"x": -_SIDE, "x2": 1 + _SIDE, "y": 0}]
    return theme.mark("rule", rows, color=theme.RULE_2).encode(x=x, x2="x2:Q", y=y)


def _titles(band: tuple[float, float], across: Scale, frame: Frame, x: alt.X, y: alt.Y) -> list[Layer]:
    middle = (across.px(band[0]) + across.px(band[1])) / 2
    named = len("training band") * CHARACTER_PX <= across.px(band[1]) - across.px(band[0]) + 40
    up = [{"x": across.value(-frame.left), "y": _ROOM, "text": "share of tasks, %"}]
    below = [{"x": across.value(frame.width / 2), "y": 0, "text": "pass rate of the task, %"}]
    layers = [
        theme.text_at(up, x, y, dy=-26, align="left", color=theme.INK_2),
        theme.text_at(below, x, y, dy=36, align="center", color=theme.INK_2),
    ]
    if named:
        label = [{"x": across.value(middle), "y": _ROOM, "text": "training band"}]
        layers.append(theme.text_at(label, x, y, dy=-9, align="center", color=theme.ACCENT, fontWeight=600))
    return layers
