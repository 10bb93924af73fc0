"""Compare a checks.toml with the checks that it names, before anything is run: names, parameters and their types.

Not covered: whether values make sense (a key that is not there, a pattern that is none), which each check says itself;
functions of a task's own, which are not imported here. Not part of the kit: there a check that does not fit is broken.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairtrial.checks.checks_file import ChecksFile, Declared
from fairtrial.checks.protocol import Given
from fairtrial.checks.registry import bound, find, needs
from fairtrial.records.errors import InputError


def misfits(file: ChecksFile, declared: Iterable[Declared] | None = None) -> list[InputError]:
    """Return an error for each check of `file` (or of those `declared`) that no check of that name would take."""
    found = [_misfit(one, file) for one in (file.checks if declared is None else declared)]
    return [error for error in found if error is not None]


def _misfit(declared: Declared, file: ChecksFile) -> InputError | None:
    try:
        if declared.use.startswith("./"):
            _refuse_lacking(declared.use, file.beside)
        else:
            check = find(declared.use)
            bound(check, declared.parameters, {kind: Given() for kind in needs(check)}, Path("/"), file.beside)
    except InputError as error:
        return InputError(f"check `{declared.name}`: {error.what}", path=file.path, field=error.field, hint=error.hint)
    return None


def _refuse_lacking(use: str, beside: Path) -> None:
    place, _, function = use.partition(":")
    if not (beside / place).is_file():
        raise InputError(f"there is no file `{place}`", field="use")
    if not function:
        raise InputError(f"`{use}` names no function", field="use", hint=f"Write `{place}:NAME`.")
