"""What the page of a scan shows beyond tables: pairs of passages side by side, and clusters with their template.

Plain text, control characters made visible, cut to a length that can be read with what was cut said. No markup.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.report.data import Report


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a passage; `shared` where the other side has these words too."""

    text: str
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a pair."""

    title: str
    """`training row 7`, `item gsm8k-test-3`."""
    where: str
    """File, line and field."""
    before: str = ""
    pieces: tuple[Piece, ...] = ()
    after: str = ""
    missing: str = ""
    """Why there is no text, where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A training row and an item it holds or rewords."""

    label: str
    """What speaks for it, and how strongly: `verbatim 1.00`."""
    train: Side
    item: Side


@dataclass(frozen=True, slots=True)
class Part:
    """Fixed text of a template, or a slot in words."""

    text: str
    slot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeleton:
    """One template: what it explains, and its parts."""

    explains: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One cluster."""

    title: str
    about: str
    item: str
    """Text of the item, where it is known; else empty."""
    skeletons: tuple[Skeleton, ...]
    examples: tuple[tuple[str, str], ...]
    """(id, text) of the first rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanPage:
    """The page: a report whose sections `pairs` and `clusters` also hold these."""

    report: Report
    pairs: tuple[Pair, ...]
    groups: tuple[Group, ...]
