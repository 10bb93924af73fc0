"""Read a checks.toml: which checks a task's deliverable must pass, one table each.

end_others = true                  # end what the agent left running, in a box of its own
[[check]]
name = "refund-paid"               # as grading.toml and the report call it
use = "sqlite_rows"                # a check by its name; or "./mine.py:function", run in the box alone
database = "/app/shop.db"          # the rest are the check's own parameters
query = "SELECT amount FROM refunds WHERE order_id = 4711"
equals = [[1250]]

Standard library only: the kit reads it inside the box.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.records.errors import FormatError

NAME = "checks.toml"


@dataclass(frozen=True, slots=True)
class Declared:
    """One table of a checks.toml."""

    name: str
    use: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChecksFile:
    """A checks.toml that was read."""

    path: Path
    checks: tuple[Declared, ...]
    end_others: bool = False

    @property
    def beside(self) -> Path:
        """Return the folder that relative paths start from."""
        return self.path.parent


def read_checks(path: Path) -> ChecksFile:
    """Read the checks.toml at `path`. Raise FormatError for what is no such file."""
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not TOML: {error}", path=path) from error
    tables = values.get("check")
    if strange := sorted(set(values) - {"check", "end_others"}):
        raise FormatError(f"has no key `{strange[0]}`", path=path, field=strange[0], hint="Known: check, end_others.")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise FormatError("declares no check", path=path, field="check", hint="Add a [[check]] table.")
    end_others = values.get("end_others", False)
    if not isinstance(end_others, bool):
        raise FormatError("should be true or false", path=path, field="end_others")
    return ChecksFile(path, tuple(_declared(path, tables)), end_others)


def _declared(path: Path, tables: list[dict[str, Any]]) -> list[Declared]:
    declared: list[Declared] = []
    for index, table in enumerate(tables):
        for key in ("name", "use"):
            if not isinstance(table.get(key), str) or not table[key]:
                raise FormatError(f"needs `{key}`, a text", path=path, field=f"check[{index}].{key}")
        if table["name"] in {one.name for one in declared}:
            raise FormatError(f"`{table['name']}` is named twice", path=path, field=f"check[{index}].name")
        rest = {key: value for key, value in table.items() if key not in ("name", "use")}
        declared.append(Declared(table["name"], table["use"], rest))
    return declared
