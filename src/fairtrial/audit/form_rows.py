"""The rows of a filled form, each with the line it stands at: TOML with `[[answer]]` tables, CSV, or JSONL.

What a form says of these cells is its own; here they are read as texts, lists of texts and numbers, and nothing else.
"""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.records import FormatError
from fairtrial.tasks.toml import read_toml

_TRUE, _FALSE = ("yes", "true"), ("no", "false")


@dataclass(frozen=True, slots=True)
class FormRow:
    """One answer of a form, and where it stands."""

    path: Path
    line: int | None
    cells: Mapping[str, Any]

    def error(self, what: str, field: str, hint: str | None = None) -> FormatError:
        """Return an error that names file, line and field."""
        return FormatError(what, path=self.path, line=self.line, field=field, hint=hint)

    def text(self, name: str) -> str:
        """Return a text without blanks around it, empty where there is none."""
        value = self.cells.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.error("should be text", name)
        return value.strip()

    def yes(self, name: str, others: str = "") -> bool | None:
        """Return yes or no, None where neither is said; `others` names what else the caller understands."""
        value = self.cells.get(name)
        if isinstance(value, bool):
            return value
        word = self.text(name).lower()
        if word and word not in _TRUE + _FALSE:
            raise self.error(f"should be yes{', no or ' + others if others else ' or no'}, not `{word}`", name)
        return None if not word else word in _TRUE

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; in CSV, the lines of a cell."""
        value = self.cells.get(name)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(one.strip() for one in value if one.strip())
        if isinstance(value, list):
            raise self.error("should be a list of texts", name)
        return tuple(line.strip() for line in self.text(name).splitlines() if line.strip())


def read_rows(path: Path, known: Collection[str]) -> list[FormRow]:
    """Return the rows of the form at `path`. Raise FormatError where it is none, or has a field that is not `known`."""
    suffix = path.suffix.lower()
    readers = {".toml": _toml, ".csv": _csv, ".jsonl": _jsonl}
    if suffix not in readers:
        raise FormatError("its name ends in no form of ours", path=path,
                          hint=f"Forms end in: {', '.join(readers)}.")  # fmt: skip
    rows = readers[suffix](path)
    if not rows:
        raise FormatError("holds no answer", path=path, hint="`--write FILE` writes a form with a row for each.")
    for row in rows:
        if strange := sorted(set(row.cells) - set(known)):
            raise row.error("is not a field of this form", strange[0], f"It knows: {', '.join(known)}.")
    return rows


def _toml(path: Path) -> list[FormRow]:
    """Read TOML; what stands above the answers holds for each."""
    file = read_toml(path, may_be_marked=True)
    head = {name: value for name, value in file.values.items() if name != "answer"}
    answers = file.values.get("answer", [])
    if not isinstance(answers, list) or not all(isinstance(one, dict) for one in answers):
        raise file.error("should be [[answer]] tables", ("answer",))
    return [FormRow(path, file.line(("answer", number)), head | one) for number, one in enumerate(answers)]


def _csv(path: Path) -> list[FormRow]:
    text = _decoded(path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[FormRow] = []
    try:
        header = next(reader, [])
        line = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) != len(header):
                    raise FormatError(f"has {len(cells)} cells where the first row has {len(header)}", path=path,
                                      line=line)  # fmt: skip
                rows.append(FormRow(path, line, dict(zip(header, cells, strict=True))))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(f"is not CSV: {error}", path=path, line=reader.line_num) from error
    return rows


def _jsonl(path: Path) -> list[FormRow]:
    rows = []
    for number, line in enumerate(_decoded(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            cells = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise FormatError(f"is not JSON: {error.msg}", path=path, line=number) from error
        if not isinstance(cells, dict):
            raise FormatError("is not a JSON object", path=path, line=number)
        rows.append(FormRow(path, number, cells))
    return rows


def _decoded(path: Path) -> str:
    try:
        return path.read_bytes().removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", path=path) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
