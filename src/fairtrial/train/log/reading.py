"""Read the log of one seed. A line that its writer has not ended yet is not read: a live page may ask at any time.

Not covered: what the lines mean for a claim (`watch`, `credit`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar, get_args

from pydantic import TypeAdapter, ValidationError

from fairtrial.records import FormatError, InputError, Outcome
from fairtrial.train.log.lines import GROUPS, STEPS, GroupLine, StepLine

Line = TypeVar("Line", GroupLine, StepLine)
OUTCOMES = get_args(Outcome)


def read_groups(folder: Path) -> Iterator[GroupLine]:
    """Yield the groups of the log in `folder`, in the order of their steps.

    Raise InputError where there is none, FormatError naming the line and field that are wrong.
    """
    return _lines(folder / GROUPS, _of_groups())


def read_steps(folder: Path) -> Iterator[StepLine]:
    """Yield the steps of the log in `folder`; errors as for `read_groups`."""
    return _lines(folder / STEPS, _of_steps())


def _lines(path: Path, adapter: TypeAdapter[Line]) -> Iterator[Line]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n") and line.strip():
                    yield _read(adapter, path, number, line)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error


def _read(adapter: TypeAdapter[Line], path: Path, number: int, line: bytes) -> Line:
    try:
        read = adapter.validate_json(line)
        if isinstance(read, GroupLine) and (odd := _uneven(read)):
            raise FormatError("is not as long as `completions`", path=path, line=number, field=odd)
        if isinstance(read, GroupLine) and (unknown := [one for one in read.outcomes if one not in OUTCOMES]):
            raise FormatError(f"`{unknown[0]}` is none of {', '.join(OUTCOMES)}", path=path, line=number,
                              field="outcomes")  # fmt: skip
        return read
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FormatError(str(first["msg"]), path=path, line=number, field=where or None) from error


def _uneven(line: GroupLine) -> str:
    """Name the list that does not say one thing of each attempt; empty where all do."""
    attempts = len(line.completions)
    whole = {name: len(getattr(line, name)) for name in ("tokens", "finished", "outcomes", "reasons", "rewards",
                                                         "advantages")}  # fmt: skip
    may_be_empty = {name: len(getattr(line, name)) or attempts for name in ("hacks", "ranks")}
    return next((name for name, length in (whole | may_be_empty).items() if length != attempts), "")


@cache
def _of_groups() -> TypeAdapter[GroupLine]:
    return TypeAdapter(GroupLine)


@cache
def _of_steps() -> TypeAdapter[StepLine]:
    return TypeAdapter(StepLine)
