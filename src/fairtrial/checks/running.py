"""Run the checks of a checks.toml: in the box (`in_box`) and out of it (`outside`); what breaks is told, not raised."""

from __future__ import annotations

import importlib.util
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairtrial.checks.checks_file import ChecksFile, Declared
from fairtrial.checks.protocol import MOST_SAID, Check, CheckError, Given, Kept, Result
from fairtrial.checks.registry import BOX, OUTSIDE, OUTSIDE_NAMES, called, find, needs
from fairtrial.checks.report import Report
from fairtrial.records.errors import InputError

Provided = Mapping[type[Given], Given]


def in_box(file: ChecksFile, root: Path = Path("/"), given: Provided | None = None) -> Report:
    """Run every check but those that need what lies outside, and name these."""
    report = _run(file, [one for one in file.checks if not is_outside(one)], root, given or {})
    report.elsewhere = tuple(one.name for one in file.checks if is_outside(one))
    return report


def outside(file: ChecksFile, root: Path, given: Provided) -> Report:
    """Run the checks that need a trajectory or a judge; `root` is where the deliverable lies."""
    return _run(file, [one for one in file.checks if is_outside(one)], root, given)


def is_outside(declared: Declared) -> bool:
    """Say whether the check needs what the box does not have."""
    return declared.use in OUTSIDE_NAMES


def _run(file: ChecksFile, declared: list[Declared], root: Path, given: Provided) -> Report:
    report = Report()
    kept: dict[type[Given], Given] = {}
    try:
        for one in declared:
            try:
                check = _found(one, file.beside)
                kept |= {kind: kind() for kind in needs(check) if issubclass(kind, Kept) and kind not in kept}
                report.results[one.name] = _sound(called(check, one.parameters, {**given, **kept}, root, file.beside))
            except CheckError as error:
                report.broken[one.name] = error.what
            except InputError as error:
                report.broken[one.name] = f"{file.path.name}: check `{one.name}`: {error}"
            except (Exception, SystemExit) as error:  # noqa: BLE001 - what nobody foresaw costs that check alone
                report.broken[one.name] = f"it ended with {_words(error)}"[:MOST_SAID]
    finally:
        for shared in kept.values():
            if isinstance(shared, Kept):
                shared.close()
    return report


def _sound(result: Any) -> Result:
    """Return what a check of the author's own said. Raise CheckError where it is no result that can be reported."""
    if not isinstance(result, Result):
        raise CheckError(f"it returned {result!r:.80}, which is no Result")
    if not isinstance(result.passed, bool) or not isinstance(result.why, str):
        raise CheckError(f"its Result says {result.passed!r:.80} and {result.why!r:.80}, which is no yes or no and why")
    return result


def _words(error: BaseException) -> str:
    """Return the kind of an exception and what it says, on one line; a class of the work's may fail at that too."""
    return " ".join("".join(traceback.format_exception_only(error)).split())


def _found(declared: Declared, beside: Path) -> Check:
    if not declared.use.startswith("./"):
        return find(declared.use, BOX if not is_outside(declared) else OUTSIDE)
    place, _, name = declared.use.partition(":")
    path = beside / place
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise InputError(f"there is no file `{place}`", field="use")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    check: Check | None = getattr(module, name, None)
    if check is None:
        raise InputError(f"`{place}` has no function `{name}`", field="use")
    return check
