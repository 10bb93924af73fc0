"""Select what lies at a path of a JSON value, in the part of JSONPath (RFC 9535) that names and counts.

Read: `$`, `.name`, `["name"]`, `[0]`, `[-1]`, and `.*` or `[*]` for every member; the `$` and its dot may be left out,
and `.0` counts in a list. Not read: filters, slices, unions and `..`. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import named, said

EVERY = object()
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_STEP = re.compile(r"""\.?\[\s*(?:(?P<index>-?\d+)|(?P<every>\*)|(?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*'))\s*\]"""
                   r"""|(?:^|\.)(?P<name>[^.\[\]"'*\s]+)|(?:^|\.)(?P<all>\*)""")  # fmt: skip


def steps(path: str) -> list[Any]:
    """Return the steps of `path`: names, whole numbers and EVERY. Raise CheckError for what is not read.

    >>> steps('$.items[0]["a b"]')
    ['items', 0, 'a b']
    """
    rest = path.strip().removeprefix("$")
    found: list[Any] = []
    position = 0
    while position < len(rest):
        match = _STEP.match(rest, position)
        if match is None or match.end() == position:
            raise CheckError(f"the path {named(path)} is not understood from {said(rest[position:])} on")
        found.append(_step(match, path))
        position = match.end()
    return found


def _step(match: re.Match[str], path: str) -> Any:
    if match["index"] is not None:
        return int(match["index"])
    if match["every"] or match["all"]:
        return EVERY
    quoted = match["quoted"]
    if quoted is None:
        return match["name"]
    try:
        return json.loads(quoted) if quoted.startswith('"') else quoted[1:-1]
    except ValueError:
        raise CheckError(f"the path {named(path)} has a name that is no JSON text") from None


def is_single(path: str) -> bool:
    """Say whether `path` names one place, not every member of something."""
    return EVERY not in steps(path)


def places(value: Any, path: str) -> list[tuple[tuple[Any, ...], Any]]:
    """Return (steps taken, value) of all that lies at `path`.

    >>> places({"a": [{"n": 1}, {"n": 2}]}, "$.a[*].n")
    [(('a', 0, 'n'), 1), (('a', 1, 'n'), 2)]
    """
    found: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    for step in steps(path):
        found = [((*way, taken), inner) for way, outer in found for taken, inner in _members(outer, step)]
    return found


def _members(value: Any, step: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        if step is EVERY:
            return list(value.items())
        return [(step, value[step])] if step in value else []
    if isinstance(value, list):
        if step is EVERY:
            return list(enumerate(value))
        index = int(step) if isinstance(step, str) and _WHOLE.fullmatch(step) else step
        if isinstance(index, int) and -len(value) <= index < len(value):
            return [(index % len(value), value[index])]
    return []
