"""The neutral shape of a data artifact: its values, its rows, and how to write it with some of them replaced.

Every format (JSON, CSV, SQLite, text …) is read into a `Document`; probes know no other. Written back, everything but
what was replaced stays as it was, byte for byte where the format is text. Not covered: what a value means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Kind = Literal["text", "number", "bool", "null", "raw"]
"""`raw` is written as it stands, where the format has literals: `NaN`, `[]`."""
Form = Literal["json", "jsonl", "csv", "sqlite", "sql", "markdown", "text", "settings"]
Row = Any
"""What one record is to its format; probes only choose, order and repeat rows."""


@dataclass(frozen=True, slots=True)
class Put:
    """A value to write in place of a leaf."""

    text: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One value of an artifact."""

    place: str
    """Where it is, for readers: `surcharges.L-31`, `line 3, depot`, `audit row 2, action`."""
    group: str
    """The column or field that it belongs to, the same for all rows: `surcharges.*`, `depot`, `audit.action`."""
    kind: Kind
    text: str
    """The value without quotes or escapes."""
    row: int | None = None
    """Which of the document's rows it lies in."""
    is_identity: bool = False
    """It names its row and answers nothing (a primary key)."""
    changed: bool = True
    """The reference wrote it; False where the untouched workspace holds it in the same place."""

    @property
    def field(self) -> str:
        """Return the last named part of the group.

        >>> Leaf(place="", group="surcharges.*", kind="number", text="1").field
        'surcharges'
        """
        parts = [part for part in self.group.split(".") if part != "*"]
        return parts[-1] if parts else ""


class Document(Protocol):
    """An artifact that could be read."""

    @property
    def form(self) -> Form:
        """Return its format."""
        ...

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Return its values in order."""
        ...

    def write(self, puts: Mapping[int, Put]) -> bytes | None:
        """Return it with the leaves at these positions replaced; None where the format does not allow it."""
        ...

    def rearranged(self, rows: Sequence[Row]) -> bytes | None:
        """Return it with `rows` in place of its rows; None where the format does not allow it."""
        ...


class Rowed(Document, Protocol):
    """A document that has rows."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return its records in order; empty where it is not a table."""
        ...
