"""Call functions of a tree apart, and return what each gave; the process that runs them sees inputs alone."""

from __future__ import annotations

import json
import math
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.checks.code import drivers
from fairtrial.checks.code.runs import Limits
from fairtrial.checks.protocol import CheckError

Answer = Mapping[str, Any]
"""{"returns": …}, or {"raises": names, the nearest first, "said": text}; {} where none came."""


def answers(folder: Path, calls: Sequence[Mapping[str, Any]], limits: Limits, python: str = "") -> list[Answer]:
    """Return an answer for each of `calls` (`call`, `args`, `kwargs`) on the code in `folder`.

    A run that ends early leaves the rest without. What is written in another's name counts for nothing.
    """
    secret = secrets.token_hex(16)
    asked = {"secret": secret, "import_from": list(limits.import_from), "before": "", "calls": list(calls)}
    program = [python or sys.executable, "-s", "-B", "-c", drivers.source("functions_driver")]
    ended = limits.run(program, folder, json.dumps(asked))
    if not ended.is_started:
        raise CheckError(f"Python cannot be run here: {ended.errors[-300:]}")
    found: list[Answer] = [{}] * len(calls)
    for line in ended.output.split("\n"):
        if line.startswith(f"{secret} "):
            try:
                record = json.loads(line.removeprefix(f"{secret} "))
            except (ValueError, RecursionError):
                continue
            if _is_answer(record, len(calls)):
                found[record.pop("number")] = record
    return found


def _is_answer(record: Any, count: int) -> bool:
    """Say whether `record` is an answer to one of `count` calls; the code under test could write anything."""
    if not isinstance(record, dict) or not isinstance(number := record.get("number"), int) or not 0 <= number < count:
        return False
    kinds = record.get("raises", ["-"])
    return (
        isinstance(kinds, list)
        and bool(kinds)
        and all(isinstance(kind, str) for kind in kinds)
        and isinstance(record.get("said", ""), str)
    )


def _near(wanted: float, got: float, tolerance: float) -> bool:
    """Say whether two numbers are near; one that is infinite, or too large for a float, is near to nothing."""
    try:
        one, other = float(wanted), float(got)
    except OverflowError:
        return False
    return math.isfinite(other) and abs(one - other) <= tolerance * max(abs(one), abs(other))


def same(wanted: Any, got: Any, tolerance: float = 0.0) -> bool:
    """Say whether two JSON values are equal, in type too but for whole floats; numbers within a relative `tolerance`.

    >>> [same(1, 1.0), same(1, True), same([0.1 + 0.2], [0.3]), same([0.1 + 0.2], [0.3], 1e-9)]
    [True, False, False, True]
    """
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return wanted == got or _near(wanted, got, tolerance)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(same(a, b, tolerance) for a, b in zip(wanted, got, strict=True))
    if isinstance(wanted, dict) and isinstance(got, dict):
        return wanted.keys() == got.keys() and all(same(wanted[name], got[name], tolerance) for name in wanted)
    return type(wanted) is type(got) and bool(wanted == got)
