"""Read the JSON files of a result folder without trusting their shape.

A wrong shape is a `FormatError` that names file and field; a reader skips that trial and goes on. Covers access only;
what the fields mean is each format's own.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.records import FormatError


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object of a file, read field by field."""

    path: Path
    content: dict[str, Any]
    at: str = ""
    """Where in the file it stands, `step_results[0].`."""

    def text(self, name: str) -> str:
        """Return text, empty where absent or null; numbers as their decimal text."""
        value = self.content.get(name)
        if value is None:
            return ""
        if isinstance(value, bool | dict | list):
            raise self.wrong(name, "is not text")
        return str(value)

    def integer(self, name: str) -> int | None:
        """Return a whole number, None where absent or null."""
        value = self.content.get(name)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not -(2**63) <= value < 2**63:
            raise self.wrong(name, "is not a whole number")
        return value

    def number(self, name: str) -> float | None:
        """Return a number, None where absent or null."""
        value = self.content.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(name, "is not a number")
        return float(value)

    def inner(self, name: str) -> Fields | None:
        """Return an inner object, None where absent or null."""
        value = self.content.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(name, "is not an object")
        return Fields(self.path, value, f"{self.at}{name}.")

    def inners(self, name: str) -> list[Fields]:
        """Return a list of objects, empty where absent or null."""
        value = self.content.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.wrong(name, "is not a list of objects")
        return [Fields(self.path, entry, f"{self.at}{name}[{n}].") for n, entry in enumerate(value)]

    def wrong(self, name: str, what: str) -> FormatError:
        """Return the error that names this field."""
        return FormatError(what, path=self.path, field=f"{self.at}{name}")


def read_fields(path: Path) -> Fields:
    """Read the JSON object in `path`. Raise FormatError if it is none."""
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    if not isinstance(content, dict):
        raise FormatError("is not a JSON object", path=path)
    return Fields(path, content)


def attempt_number(name: str) -> int:
    """Return a number for an attempt that its source names but does not number: the same at every import.

    Numbering in order of arrival would give one trial two ids when a job is imported before and after its end.

    >>> attempt_number("fix-bug__a1b2c3") == attempt_number("fix-bug__a1b2c3")
    True
    """
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1
