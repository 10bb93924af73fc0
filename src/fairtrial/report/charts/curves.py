"""pass@k and pass^k of one model over k, with simultaneous bands; both ends labelled beside the plot."""

from __future__ import annotations

import altair as alt

from fairtrial.report.charts import theme
from fairtrial.report.charts.layout import Scale, dodge
from fairtrial.report.charts.theme import Frame, Layer
from fairtrial.report.data import CurvePanel, CurvePoint
from fairtrial.report.numbers import percent_number

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_MARKERS = 8
_LABEL_PX = 28.0


def draw_curves(panel: CurvePanel, width: float, key: str, text: str) -> str:
    """Return the drawing of one panel, `width` pixels wide."""
    frame = Frame(width - 94, 126, 32, 62, 26, 42)
    last = max(panel.at[-1].x, 2)
    across, up = Scale(1, last, frame.width), Scale(0, 1, frame.height, flipped=True)
    x = alt.X("x:Q", scale=alt.Scale(domain=[1, last], nice=False), axis=theme.axis(ticks(last), format="d"))
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=theme.axis(_QUARTERS, grid=True, line=False, expr="format(datum.value * 100, '.0f')"),
    )
    layers = [
        *_line(panel.hat, x, y, hollow=True),
        *_line(panel.at, x, y, hollow=False),
        *_ends(panel, up, across, x, y),
    ]
    layers.append(
        theme.text_at(
            [{"x": across.value(-frame.left), "y": 1, "text": "tasks solved, %"}],
            x,
            y,
            dy=-18,
            align="left",
            color=theme.INK_2,
        )
    )
    layers.append(
        theme.text_at(
            [{"x": across.value(frame.width / 2), "y": 0, "text": "attempts k"}],
            x,
            y,
            dy=36,
            align="center",
            color=theme.INK_2,
        )
    )
    return theme.svg(layers, frame, key, f"pass@k and pass^k of {panel.model}", text)


def ticks(last: int) -> list[int]:
    """Return every k up to eight; beyond, powers of two and the last where it stands clear of them.

    >>> ticks(5), ticks(16), ticks(12)
    ([1, 2, 3, 4, 5], [1, 4, 8, 16], [1, 4, 8, 12])
    """
    if last <= _MOST_MARKERS:
        return list(range(1, last + 1))
    step = 1
    while step * 2 <= last:
        step *= 2
    powers = [1, step // 4, step // 2, step] if step >= 8 else [1, step]
    if last - powers[-1] >= last / 6:
        powers.append(last)
    return sorted({k for k in powers if k == 1 or k >= last / 5})


def _line(points: tuple[CurvePoint, ...], x: alt.X, y: alt.Y, *, hollow: bool) -> list[Layer]:
    color = theme.INK_2 if hollow else theme.ACCENT
    rows = [{"x": p.x, "y": p.value, "low": p.low, "high": p.high} for p in points]
    if len(rows) == 1:
        bars = [{"x": r["x"], "y": r["low"], "y2": r["high"]} for r in rows]
        band = theme.mark("rule", bars, color=color, strokeWidth=1.5).encode(x=x, y=y, y2="y2:Q")
    else:
        areas = [{"x": r["x"], "y": r["low"], "y2": r["high"]} for r in rows]
        band = theme.mark("area", areas, color=color, opacity=theme.BAND_OPACITY).encode(x=x, y=y, y2="y2:Q")
    line = theme.mark("line", rows, color=color, strokeWidth=2, strokeDash=[5, 3] if hollow else [1, 0]).encode(
        x=x, y=y
    )
    shown = rows if len(rows) <= _MOST_MARKERS else [r for r in rows if r["x"] in ticks(points[-1].x)]
    points_mark = theme.mark(
        "point",
        shown,
        shape="square" if hollow else "circle",
        filled=True,
        opacity=1,
        size=26,
        color=theme.PAPER if hollow else color,
        stroke=color,
        strokeWidth=1.5,
    )
    return [band, line, points_mark.encode(x=x, y=y)]


def _ends(panel: CurvePanel, up: Scale, across: Scale, x: alt.X, y: alt.Y) -> list[Layer]:
    """Return the name and last value of both curves, pushed apart beside the plot."""
    lasts = [curve[-1] for curve in (panel.at, panel.hat) if curve]
    centres = dodge([up.px(p.value) for p in lasts], [_LABEL_PX] * len(lasts), -6, up.pixels + 6)
    layers = []
    for point, centre, name, color in zip(
        lasts, centres, ("pass@k", "pass^k"), (theme.ACCENT, theme.INK), strict=False
    ):
        end = across.value(across.px(point.x) + 8)
        for text, shift in ((name, -7.0), (percent_number(point.value), 7.0)):
            row = [{"x": end, "y": up.value(centre + shift), "text": text}]
            layers.append(
                theme.text_at(row, x, y, align="left", color=color, fontWeight=600 if color == theme.ACCENT else 400)
            )
    return layers
