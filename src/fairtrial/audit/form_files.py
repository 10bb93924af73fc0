"""What all forms have alike when they are written: their formats, rows as CSV or JSONL, texts of TOML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.records import InputError, storable

FORMATS = (".toml", ".csv", ".jsonl")


def suffix_of(path: Path, field: str) -> str:
    """Return the suffix of a form's file. Raise InputError for one that is no format of ours."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError("its name ends in no form of ours", path=path, field=field,
                         hint=f"Forms end in: {', '.join(FORMATS)}.")  # fmt: skip
    return suffix


def csv_form(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> bytes:
    """Return `rows` as CSV with a header, lines ended as RFC 4180 has it (so that a cell's own ends are quoted)."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def jsonl_form(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return `rows` as one JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def toml_text(value: str) -> str:
    """Return `value` as a TOML string: JSON's escapes are TOML's, but for the delete character.

    >>> print(toml_text('say "when"'))
    "say \\"when\\""
    """
    return json.dumps(storable(value), ensure_ascii=False).replace("\x7f", "\\u007f")
