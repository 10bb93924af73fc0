"""Figures that hold signed estimates and lines, as data: what a comparison of models draws. Numbers, not drawings.

Does not cover: the figures of one model's tasks (`data`), and how any is drawn (`charts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One estimate of a forest; without `value` it was not measured."""

    label: str
    text: str
    """The estimate in words, as tables print it."""
    value: float | None
    low: float | None
    high: float | None
    chosen: bool = False
    hollow: bool = False
    """Drawn hollow: a control, or what was not planned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Signed estimates under each other on one axis with its zero."""

    key: str
    text: str
    title: str
    """Quantity and unit of the axis; values are shares, printed in percent."""
    rows: tuple[ForestRow, ...]
    kind: Literal["forest"] = "forest"


@dataclass(frozen=True, slots=True)
class LinePoint:
    """One point of a line with its band."""

    x: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSeries:
    """One line of a panel; points without a band have both its ends at their value."""

    name: str
    points: tuple[LinePoint, ...]
    chosen: bool = False
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePanel:
    """Lines over one whole-numbered axis."""

    title: str
    note: str
    text: str
    across: str
    up: str
    low: float
    high: float
    series: tuple[LineSeries, ...]
    marked: tuple[tuple[int, int], ...] = ()
    """Stretches of the axis that are shaded: left out of the claim."""
    unit: Literal["share", "number"] = "share"
    """Shares are printed in percent, numbers as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Small multiples of lines."""

    key: str
    text: str
    panels: tuple[LinePanel, ...]
    kind: Literal["lines"] = "lines"
