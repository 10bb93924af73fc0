"""Where labels go: scales in pixels, labels pushed apart, labels placed beside points without touching anything.

Text is measured by counting: at 12 px no system sans is wider than 7.2 px a character on average. Covers placing only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

CHARACTER_PX = 6.8
LINE_PX = 15.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear or logarithmic map from values to pixels. `flipped`: pixels run against values, as y does."""

    low: float
    high: float
    pixels: float
    log: bool = False
    flipped: bool = False

    def px(self, value: float) -> float:
        """Return the pixel of `value`."""
        low, high, at = (
            (math.log(v) for v in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        )
        share = (at - low) / (high - low)
        return (1 - share if self.flipped else share) * self.pixels

    def value(self, pixel: float) -> float:
        """Return the value at a pixel; the inverse of `px`.

        >>> round(Scale(2, 64, 400, log=True).value(Scale(2, 64, 400, log=True).px(16)), 6)
        16.0
        """
        share = pixel / self.pixels
        share = 1 - share if self.flipped else share
        if self.log:
            return math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        return self.low + share * (self.high - self.low)


def dodge(centres: Sequence[float], heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return centres moved as little as a sweep needs so that blocks of these heights do not overlap.

    Blocks stay within [top, bottom] where they fit; where they do not, they run past the bottom in order.

    >>> dodge([10, 12], [10, 10], 0, 100)
    [6.0, 16.0]
    """
    order = sorted(range(len(centres)), key=lambda index: centres[index])
    groups: list[list[int]] = []
    for index in order:
        groups.append([index])
        while len(groups) > 1 and _end(groups[-2], centres, heights, top, bottom) > _start(
            groups[-1], centres, heights, top, bottom
        ):
            group = groups.pop()
            groups[-1] += group
    placed = [0.0] * len(centres)
    for group in groups:
        at = _start(group, centres, heights, top, bottom)
        for index in group:
            placed[index] = at + heights[index] / 2
            at += heights[index]
    return placed


def _start(group: list[int], centres: Sequence[float], heights: Sequence[float], top: float, bottom: float) -> float:
    """Return where a group of touching blocks begins: centred on the mean of what its members wish."""
    total, before, wish = sum(heights[i] for i in group), 0.0, 0.0
    for index in group:
        wish += centres[index] - before - heights[index] / 2
        before += heights[index]
    return max(top, min(wish / len(group), bottom - total))


def _end(group: list[int], centres: Sequence[float], heights: Sequence[float], top: float, bottom: float) -> float:
    return _start(group, centres, heights, top, bottom) + sum(heights[i] for i in group)


def wrap_name(name: str, width: int, lines: int = 2) -> list[str]:
    """Return a name in at most `lines` lines of `width` characters, broken after separators; the middle of more is cut.

    >>> wrap_name("20250923_droid_claude-4-1-opus", 16)
    ['20250923_droid_', 'claude-4-1-opus']
    >>> wrap_name("x" * 50, 10)
    ['xxxxxxxxxx', 'xxxx…xxxxx']
    """
    pieces = [piece for piece in re.split(r"(?<=[_\-/@.: ])", name) if piece]
    rows = [""]
    for piece in pieces:
        while len(piece) > width:
            head, piece = piece[:width], piece[width:]
            rows += [head] if rows[-1] else []
            rows[-1] = head
            rows.append("")
        if len(rows[-1]) + len(piece) > width:
            rows.append("")
        rows[-1] += piece
    rows = [row.strip() for row in rows if row.strip()]
    if len(rows) > lines:
        tail = "".join(rows[lines - 1 :])
        keep = (width - 1) // 2
        rows = [*rows[: lines - 1], f"{tail[:keep]}…{tail[-(width - keep - 1) :]}"]
    return rows


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: Box) -> bool:
        """Say whether two rectangles overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, width: float, height: float) -> bool:
        """Say whether it lies in a plot of this size."""
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height


@dataclass(frozen=True, slots=True)
class Placed:
    """A label that found a place: its anchor in pixels and which side of the point it is on."""

    x: float
    y: float
    align: str


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], taken: Sequence[Box], size: tuple[float, float]
) -> list[Placed] | None:
    """Return a place for every label beside its point, touching neither `taken` nor another; None if one has none.

    Labels are one line high. Tried in order: right, left, above and below on either side, then further off.
    """
    boxes, found = list(taken), []
    for (x, y), width in zip(points, widths, strict=True):
        for dx, dy, align in _OFFSETS:
            left = x + dx if align == "left" else x + dx - width
            box = Box(left, y + dy - LINE_PX / 2, left + width, y + dy + LINE_PX / 2)
            if box.inside(*size) and not any(box.touches(other) for other in boxes):
                boxes.append(box)
                found.append(Placed(x + dx, y + dy, align))
                break
        else:
            return None
    return found


_OFFSETS = tuple(
    (side * away, height, "left" if side > 0 else "right")
    for away in (8, 12)
    for height in (-12, 12, -22, 22, -34, 34)
    for side in (1, -1)
)
