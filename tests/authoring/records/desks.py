"""The simulated claims desk of the examples, and small record sets written by hand, for the tests beside this file."""

from __future__ import annotations

import csv
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairtrial.authoring.records.decisions import Rebuilt, rebuild
from fairtrial.authoring.records.events import Desk, read_events
from fairtrial.authoring.records.grading import Graded, grade_by
from fairtrial.authoring.records.schema import Declared, read_declared
from fairtrial.authoring.records.sources import read_rows

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "claims-desk"

HEAD = """
[records]
source = "events.csv"

[columns]
entity = "case"
time = "at"
actor = "by"
action = "what"
{columns}

[[action]]
name = "yes"
{yes}

[[action]]
name = "no"

[[action]]
name = "ask"
"""


def simulator() -> ModuleType:
    """Return examples/claims-desk/desk.py as a module, leaving no bytecode beside it."""
    if "claims_desk_example" in sys.modules:
        return sys.modules["claims_desk_example"]
    spec = importlib.util.spec_from_file_location("claims_desk_example", EXAMPLE / "desk.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["claims_desk_example"] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        spec.loader.exec_module(module)
    return module


def simulated(
    folder: Path, seed: int, claims: int, leak: str = "none", orderly: bool = True
) -> tuple[Declared, dict[str, dict[str, Any]]]:
    """Write a simulated desk into `folder`; return what RECORDS.toml says, and the truth by the decision's event."""
    desk = simulator()
    made = desk.run_desk(seed, claims, leak, orderly)
    desk.write(made, seed, folder, orderly)
    return read_declared(folder / "RECORDS.toml"), {one["event_id"]: one for one in made.decisions}


def written(
    folder: Path, rows: Sequence[Mapping[str, Any]], more: str = "", columns: str = "", yes: str = ""
) -> Declared:
    """Write rows and a RECORDS.toml of three actions, and return what it says. `more` is added at its end."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with (folder / "events.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "RECORDS.toml").write_text(HEAD.format(columns=columns, yes=yes) + more, encoding="utf-8")
    return read_declared(folder / "RECORDS.toml")


def rebuilt(declared: Declared) -> tuple[Desk, Rebuilt]:
    """Return the events and the decisions of the records."""
    desk = read_events(declared, read_rows(declared))
    return desk, rebuild(desk, declared)


def graded(declared: Declared, how: Any = None) -> Graded:
    """Return the cases of the records."""
    return grade_by(rebuilt(declared)[1].decisions, declared, how)


def row(at: str, by: str, what: str, **more: Any) -> dict[str, Any]:
    """Return one row of the case `c1`, unless `case` says otherwise."""
    return {"case": "c1", "at": at, "by": by, "what": what} | more
