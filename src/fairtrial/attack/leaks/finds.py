"""Whether a piece holds an answer: the reference's file as it is, in other white space or order, within more.

A find is what could be handed in, taken from the piece alone. Equal means: the same lines but for white space, the same
JSON value, the same table rows in any order and below any column names, the same SQLite content. Answers of a few
characters are looked for by nobody: they stand everywhere. Not covered: a new table of a SQLite database that stands in
another table already.
"""

from __future__ import annotations

import csv
import io
import json
import posixpath
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.leaks.opening import SQLITE
from fairtrial.attack.leaks.pieces import Piece

LEAST = 16
"""Characters of an answer, white space left out, below which it is not looked for."""
LEAST_WITHIN = 24
MOST_BYTES = 4_000_000
LIKE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Something found that can be handed in."""

    piece: Piece
    data: bytes
    how: str
    """How it resembles the reference's: `the same file`, `the same JSON value`, `a like file of its name`."""


class Answer:
    """One file that the reference made, ready to be looked for."""

    def __init__(self, inside: str, after: bytes, before: bytes | None) -> None:
        self.inside = inside
        self.after = after
        self._before = before
        self._lines = _lines(_text(after))
        self._rows = _rows(_text(after))
        self._value = _json(after)
        self._content = _dump(after)

    @property
    def is_telling(self) -> bool:
        """Say whether it is long enough for a find to mean something."""
        return len(self.after) <= MOST_BYTES and sum(map(len, self._lines)) >= LEAST

    def find_in(self, piece: Piece) -> Find | None:
        """Return how `piece` answers; None where it does not."""
        if piece.data == self._before or len(piece.data) > MOST_BYTES:
            return None
        if piece.data == self.after:
            return Find(piece=piece, data=piece.data, how="the same file")
        if piece.data.startswith(SQLITE):
            same = self._content is not None and _dump(piece.data) == self._content
            return Find(piece=piece, data=piece.data, how="the same database") if same else None
        if self._content is not None or b"\0" in piece.data:
            return self._within(piece, piece.data.decode("latin-1")) if self._content is None else None
        text = _text(piece.data)
        if _lines(text) == self._lines:
            return Find(piece=piece, data=piece.data, how="the same lines")
        return self._same_value(piece) or self._same_rows(piece, text) or self._within(piece, text)

    def likeness(self, piece: Piece) -> float:
        """Return the share of lines that a file of the same name has in common with it; 0 where `before` is as near."""
        if posixpath.basename(piece.name) != posixpath.basename(self.inside) or piece.data in (
            self._before,
            self.after,
        ):
            return 0.0
        like = _overlap(self._lines, _lines(_text(piece.data)))
        untouched = _overlap(self._lines, _lines(_text(self._before))) if self._before is not None else 0.0
        return like if like >= max(LIKE, untouched) else 0.0

    def _same_value(self, piece: Piece) -> Find | None:
        if self._value is None:
            return None
        for value in _json_values(piece.data):
            if value == self._value:
                data = json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "replace")
                return Find(piece=piece, data=data + b"\n", how="the same JSON value")
        return None

    def _same_rows(self, piece: Piece, text: str) -> Find | None:
        if len(self._rows) < 2 or len(self._rows[0]) < 2:
            return None
        rows = _rows(text)
        how = "the same rows"
        if sorted(rows) != sorted(self._rows):
            # A task says what its columns are called; the rows below are the answer.
            if len(rows) < 3 or sorted(rows[1:]) != sorted(self._rows[1:]):
                return None
            rows, how = [self._rows[0], *rows[1:]], "the same rows below other column names"
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return Find(piece=piece, data=out.getvalue().encode(), how=how)

    def _within(self, piece: Piece, text: str) -> Find | None:
        """Look for the answer's lines one after the other, with whatever stands before each (`+`, `> `, spaces)."""
        wanted = self._lines
        if not wanted or sum(map(len, wanted)) < LEAST_WITHIN:
            return None
        lines = _lines(text)
        if len(wanted) == 1:
            if any(wanted[0] in line for line in lines):
                return Find(piece=piece, data=wanted[0].encode() + b"\n", how="its only line, within another text")
            return None
        for start, line in enumerate(lines[: len(lines) - len(wanted) + 1]):
            # The first line may stand behind anything, as after `cat > FILE <<EOF` in a history of one line each.
            if not line.endswith(wanted[0]):
                continue
            prefix = lines[start + 1][: len(lines[start + 1]) - len(wanted[1])]
            if all(lines[start + n] == prefix + wanted[n] for n in range(1, len(wanted))):
                return Find(piece=piece, data=_without(text, prefix, wanted), how="its lines, within another text")
        return None


def _without(text: str, prefix: str, wanted: list[str]) -> bytes:
    """Return the answer's lines as the text has them, what stands before each taken off."""
    stripped = (line[line.find(prefix) + len(prefix) :] if prefix else line for line in text.splitlines())
    kept = {line.strip(): line.rstrip() for line in stripped}
    return "".join(f"{kept.get(line, line)}\n" for line in wanted).encode("utf-8", "replace")


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _overlap(one: list[str], other: list[str]) -> float:
    mine, theirs = set(one), set(other)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def _json(data: bytes) -> Any:
    """Return the JSON object or list in `data`; None if it holds nothing else than a plain value."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) and value else None


def _json_values(data: bytes) -> Iterator[Any]:
    """Yield every object and list of a JSON text, or of a text of JSON lines."""
    waiting = [_json(data)]
    if waiting == [None]:
        waiting = [_json(line.encode()) for line in _text(data).splitlines() if line[:1] in "{["]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            yield value
            waiting += value.values() if isinstance(value, dict) else value


def _rows(text: str) -> list[tuple[str, ...]]:
    """Return the cells of a comma- or tab-separated table; nothing where it is none."""
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    try:
        rows = [
            tuple(cell.strip() for cell in row) for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row
        ]
    except csv.Error:
        return []
    return rows if rows and len({len(row) for row in rows}) == 1 else []


def _dump(data: bytes) -> list[str] | None:
    """Return what a SQLite database holds, as statements; None if it is none."""
    if not data.startswith(SQLITE) or len(data) > MOST_BYTES:
        return None
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(data[:18] + b"\1\1" + data[20:])
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return sorted(connection.iterdump())
    except (sqlite3.Error, sqlite3.Warning, UnicodeError, ValueError):
        return None
    finally:
        connection.close()
