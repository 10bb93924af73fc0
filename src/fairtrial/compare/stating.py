"""Make a `Stated` of what a file or a command line says, and refuse what it does not know."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from fairtrial.compare.stated import STRICT, Stated
from fairtrial.records.errors import InputError

_NAMES = tuple(field.name for field in dataclasses.fields(Stated))
_TEXTS, _TOLERANCES = ("choices",), ("absolute", "relative")


def stated_from(values: Mapping[str, Any]) -> Stated:
    """Return the `Stated` of `values`, by the names of its fields. Raise InputError for another name or type.

    >>> stated_from({"absolute": 1, "choices": ["Paris", "Rome"]}).choices
    ('Paris', 'Rome')
    """
    given: dict[str, Any] = {}
    for name, value in values.items():
        if name not in _NAMES:
            raise InputError(f"nothing is called `{name}` that could be stated", field=name,
                             hint=f"Known: {', '.join(_NAMES)}.")  # fmt: skip
        given[name] = _fitted(name, value)
    return Stated(**given) if given else STRICT


def _fitted(name: str, value: Any) -> Any:
    if name in _TEXTS:
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise InputError("should be a list of texts", field=name)
        return tuple(value)
    if name in _TOLERANCES:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise InputError("should be a number, 0 or more", field=name)
        return float(value)
    if not isinstance(value, bool) and not (value is None and getattr(STRICT, name) is None):
        raise InputError("should be true or false", field=name)
    return value
