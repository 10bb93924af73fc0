"""Item results that a grader left beside its reward: CTRF (`ctrf.json`) or JUnit XML (`*.xml`).

A report that cannot be read yields no checks and says why; it never changes the reward. Where one name occurs more
than once, the worst status counts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from fairtrial.records import CheckResult, CheckStatus, storable

MOST_BYTES = 16_000_000
_CTRF: dict[str, CheckStatus] = {"passed": "passed", "failed": "failed", "skipped": "skipped", "pending": "skipped"}
_WORST: dict[CheckStatus, int] = {"passed": 0, "skipped": 1, "broken": 2, "failed": 3}


def read_items(folder: Path) -> tuple[tuple[CheckResult, ...], str]:
    """Return the checks reported in `folder`, and what was wrong with the report (empty if nothing)."""
    for path in [folder / "ctrf.json", *sorted(folder.glob("*.xml"))]:
        if path.is_file() and not path.is_symlink():
            return _read(path)
    return (), ""


def read_values(folder: Path) -> dict[str, float]:
    """Return what the checks measured, by name, as `fairtrial.pyz` writes it: `extra.value` in ctrf.json.

    What is no finite number is left out, and a report that cannot be read holds none.
    """
    path = folder / "ctrf.json"
    if not path.is_file() or path.is_symlink() or path.stat().st_size > MOST_BYTES:
        return {}
    try:
        tests = json.loads(path.read_bytes())["results"]["tests"]
        found = {storable(str(test["name"])): test["extra"]["value"] for test in tests if "value" in _extra(test)}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return {name: float(value) for name, value in found.items() if _is_finite(value)}


def _extra(test: Any) -> dict[str, Any]:
    extra = test.get("extra")
    return extra if isinstance(extra, dict) else {}


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def _read(path: Path) -> tuple[tuple[CheckResult, ...], str]:
    if path.stat().st_size > MOST_BYTES:
        return (), storable(f"{path.name} is larger than {MOST_BYTES} bytes")
    try:
        rows = _ctrf(path) if path.suffix == ".json" else _junit(path)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, ElementTree.ParseError) as error:
        return (), storable(f"{path.name} is not a report: {error}"[:200])
    return _worst_of_each(rows), ""


def _ctrf(path: Path) -> list[CheckResult]:
    document: Any = json.loads(path.read_bytes())
    return [
        CheckResult(
            storable(str(test["name"])),
            _CTRF.get(test["status"], "broken"),
            storable(str(test.get("message") or "")[:2000]),
        )
        for test in document["results"]["tests"]
    ]


def _junit(path: Path) -> list[CheckResult]:
    rows = []
    for case in ElementTree.fromstring(path.read_bytes()).iter("testcase"):
        scope, name = case.get("classname", ""), case.get("name", "")
        status: CheckStatus = "passed"
        message = ""
        for tag, meaning in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
            found = case.find(tag)
            if found is not None:
                status, message = meaning, (found.get("message") or found.text or "")[:2000]  # type: ignore[assignment]
                break
        rows.append(CheckResult(f"{scope}::{name}" if scope else name, status, message))
    return rows


def _worst_of_each(rows: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
    worst: dict[str, CheckResult] = {}
    for row in rows:
        held = worst.get(row.name)
        if held is None or _WORST[row.status] > _WORST[held.status]:
            worst[row.name] = row
    return tuple(worst.values())
