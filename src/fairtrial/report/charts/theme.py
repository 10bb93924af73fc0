"""The look of every chart, and the way from altair to an SVG that the page can hold.

Colours are the page's CSS variables, which altair passes through untouched; fonts come from the page's style. The SVG
gets a viewBox and no size of its own, no background, ids unique on the page, and its values as a text alternative.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import altair as alt
import vl_convert

INK, INK_2, RULE, RULE_2 = "var(--ink)", "var(--ink-2)", "var(--rule)", "var(--rule-2)"
ACCENT, ACCENT_SOFT, PAPER, FILL, NONE = (
    "var(--accent)",
    "var(--accent-soft)",
    "var(--paper)",
    "var(--fill)",
    "var(--none)",
)
LEAD, LEAD_SOFT = "var(--lead)", "var(--lead-soft)"
TEXT_PX = 12
BAND_OPACITY = 0.16
_SVG = "http://www.w3.org/2000/svg"

Rows = Sequence[Mapping[str, Any]]
Layer = dict[str, Any]
"""One layer of a chart as Vega-Lite. Altair makes the channels; putting layers together through it copies too much."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Plot size and the room around it, in pixels."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float

    @property
    def total(self) -> float:
        """Return the width of the whole drawing."""
        return self.width + self.left + self.right


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark over rows, waiting for its channels."""

    rows: Rows
    style: Mapping[str, Any]

    def encode(self, **channels: alt.X | alt.Y | alt.Size | str) -> Layer:
        """Return the layer. A channel is an altair object, or `field:N`; second ends (`x2`, `y2`) take no type."""
        return {
            "data": {"values": [dict(row) for row in self.rows]},
            "mark": dict(self.style),
            "encoding": {name: _channel(name, channel) for name, channel in channels.items()},
        }


def mark(kind: str, rows: Rows, **style: Any) -> Mark:
    """Return a mark of Vega-Lite's kind over plain rows."""
    return Mark(rows, {"type": kind} | style)


def _channel(name: str, channel: alt.X | alt.Y | alt.Size | str) -> dict[str, Any]:
    if not isinstance(channel, str):
        described = channel.to_dict(validate=False)
        return described if isinstance(described, dict) else {}
    field, kind = channel.split(":")
    return (
        {"field": field}
        if name in ("x2", "y2")
        else {"field": field, "type": {"N": "nominal", "Q": "quantitative"}[kind]}
    )


def axis(
    values: Sequence[float], *, grid: bool = False, format: str = "", line: bool = True, expr: str = ""
) -> alt.Axis:
    """Return an axis with ticks at `values`; a grid in light rules for the axis of an estimate."""
    options: dict[str, Any] = {"labelExpr": expr} if expr else {}
    return alt.Axis(
        values=list(values),
        grid=grid,
        format=format,
        domain=line,
        ticks=line,
        title=None,
        domainColor=RULE_2,
        tickColor=RULE_2,
        tickSize=4,
        gridColor=RULE,
        labelColor=INK_2,
        labelFontSize=TEXT_PX,
        labelPadding=4,
        labelFlush=False,
        labelOverlap=False,
        **options,
    )


def text_at(rows: Rows, x: alt.X, y: alt.Y, **style: Any) -> Layer:
    """Return labels: each row holds x, y and text."""
    style = {"fontSize": TEXT_PX, "color": INK, "baseline": "middle"} | style
    return mark("text", rows, **style).encode(x=x, y=y, text="text:N")


def specification(layers: Sequence[Layer], frame: Frame) -> dict[str, Any]:
    """Return the layers as one Vega-Lite chart of a fixed frame."""
    return {
        "$schema": alt.SCHEMA_URL,
        "width": frame.width,
        "height": frame.height,
        "autosize": {"type": "none"},
        "background": "transparent",
        "padding": {"left": frame.left, "right": frame.right, "top": frame.top, "bottom": frame.bottom},
        "config": {"view": {"stroke": None}, "aria": False, "axis": {"labelFont": "sans-serif"}},
        "layer": list(layers),
    }


def svg(layers: Sequence[Layer], frame: Frame, key: str, title: str, text: str) -> str:
    """Return the layers as one SVG, made fit for the page."""
    drawn: str = vl_convert.vegalite_to_svg(specification(layers, frame))
    return _fit(drawn, key, title, text)


def _fit(drawn: str, key: str, title: str, text: str) -> str:
    """Return the SVG without size, background and shared ids, with its text alternative."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(drawn)
    for element in root.iter():
        for name in ("font-family", "aria-hidden"):
            element.attrib.pop(name, None)
        for name, value in list(element.attrib.items()):
            if name == "id":
                element.set(name, f"{key}-{value}")
            elif "url(#" in value:
                element.set(name, re.sub(r"url\(#", f"url(#{key}-", value))
    _drop_background(root)
    width = root.get("viewBox", "0 0 1 1").split()[2]
    for name in ("width", "height", "version", "class"):
        root.attrib.pop(name, None)
    root.set("class", "ch")
    root.set("style", f"max-width:{width}px")
    root.set("role", "img")
    root.set("aria-labelledby", f"{key}-title {key}-desc")
    for position, (tag, content) in enumerate((("title", title), ("desc", text))):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}", {"id": f"{key}-{tag}"})
        element.text = content
        root.insert(position, element)
    return ElementTree.tostring(root, encoding="unicode")


def _drop_background(root: ElementTree.Element) -> None:
    """Remove the rectangle that vega lays under a chart."""
    for child in list(root):
        if child.tag.endswith("rect") and child.get("fill") in ("transparent", "white", "#fff"):
            root.remove(child)
