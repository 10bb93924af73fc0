"""Checks of values in JSON, TOML and YAML files, and that nothing else in a JSON file changed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, is_of_the_key, named, of_the_work, plain_text, said
from fairtrial.checks.reading import json_value as json_in
from fairtrial.checks.state.json_path import is_single, places, steps
from fairtrial.checks.state.values import difference, in_range, wanted

MOST_NODES = 1_000_000


@of_the_work
def json_value(
    path: Inside,
    at: str = "$",
    equals: Any = None,
    equals_json: str = "",
    tolerance: float = 0.0,
    least: float | None = None,
    most: float | None = None,
    absent: bool = False,
) -> Result:
    """Check what lies `at` a JSONPath of a JSON file: its value, its range, or that nothing lies there.

    A path over every member (`[*]`) selects a list. Keys have no order; 1 is 1.0, but no "1" and no true.
    """
    return _judged(json_in(path), path, at, _Asked(equals, equals_json, tolerance, least, most, absent))


@of_the_work
def toml_value(
    path: Inside,
    at: str = "$",
    equals: Any = None,
    tolerance: float = 0.0,
    least: float | None = None,
    most: float | None = None,
    absent: bool = False,
) -> Result:
    """Check what lies `at` a path of a TOML file, as `json_value` does."""
    text = plain_text(path)

    def work() -> Any:
        return _plain(tomllib.loads(text))

    return _judged(limited(work, named(path)), path, at, _Asked(_plain(equals), "", tolerance, least, most, absent))


@of_the_work
def yaml_value(
    path: Inside,
    at: str = "$",
    equals: Any = None,
    equals_json: str = "",
    tolerance: float = 0.0,
    least: float | None = None,
    most: float | None = None,
    absent: bool = False,
) -> Result:
    """Check what lies `at` a path of a YAML 1.2 file of one document, as `json_value` does. Needs `ruamel.yaml`."""
    text = plain_text(path)

    def work() -> Any:
        from ruamel.yaml import YAML

        return _plain(YAML(typ="safe", pure=True).load(text))

    value = limited(work, named(path))
    return _judged(value, path, at, _Asked(_plain(equals), equals_json, tolerance, least, most, absent))


@of_the_work
def json_unchanged(path: Inside, before: Inside, allow: list[str] | None = None, tolerance: float = 0.0) -> Result:
    """Check that a JSON file says what `before` says, but at the paths that `allow` names and below them."""
    found = json_in(path)
    try:
        expected = json_in(before)
    except WorkError as error:
        if is_of_the_key(before):
            raise CheckError(f"the reference: {error}") from None
        raise
    for allowed in allow or ():
        _blotted(found, allowed)
        _blotted(expected, allowed)
    differs = difference(found, expected, tolerance)
    return Result(not differs, differs or f"{named(path)} says what it said before, but what may change")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one place is asked for."""

    equals: Any
    equals_json: str
    tolerance: float
    least: float | None
    most: float | None
    absent: bool

    def judged(self, value: Any, what: str) -> Result:
        is_range = self.least is not None or self.most is not None
        if self.equals is not None or self.equals_json or not is_range:
            differs = difference(value, wanted(self.equals, self.equals_json), self.tolerance, what)
            if differs or not is_range:
                return Result(not differs, differs or f"{what} is {said(value)}, as it should be")
        return in_range(value, self.least, self.most, what)


def _judged(value: Any, path: str, at: str, asked: _Asked) -> Result:
    found = places(value, at)
    what = f"{at} of {named(path)}"
    if asked.absent:
        return Result(not found, f"{what} is {'there, and should not be' if found else 'absent, as it should be'}")
    if is_single(at):
        if not found:
            return Result(False, f"{named(path)} has nothing at {at}")
        return asked.judged(found[0][1], what)
    return asked.judged([one for _, one in found], what)


def _plain(value: Any, left: list[int] | None = None) -> Any:
    """Return `value` as JSON has it: dates as ISO text, keys as text. Raise WorkError where it is too much."""
    left = left if left is not None else [MOST_NODES]
    left[0] -= 1
    if left[0] < 0:
        raise WorkError(f"it holds more than {MOST_NODES} values")
    if isinstance(value, dict):
        return {str(key): _plain(inner, left) for key, inner in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(inner, left) for inner in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _blotted(value: Any, path: str) -> None:
    """Take out what lies at `path`; in a list its place stays."""
    last = steps(path)
    if not last:
        raise CheckError("`allow` cannot be the whole document")
    for way, _ in places(value, path):
        outer = value
        for step in way[:-1]:
            outer = outer[step]
        if isinstance(outer, dict):
            outer.pop(way[-1], None)
        else:
            outer[way[-1]] = None
