"""Find the JSON value that a text gives, and read it strictly: bare, in a fence, or with prose around it.

Strict means RFC 8259: no duplicate keys, no NaN or Infinity, no single quotes, Python literals, comments or trailing
commas. What is cut off is no value, even where a piece of it would be one. Numbers are exact. Several values in one
text must be one and the same, unless the last is said to be a correction; what the prose around a value says of it
stands in surroundings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from fairtrial.compare.fences import fenced
from fairtrial.compare.final_answer import stated_part
from fairtrial.compare.surroundings import the_one_given

MOST_DIGITS, MOST_EXPONENT_DIGITS = 4000, 12
MOST_PLACES = 500
"""Values, and brackets that begin none, in one text before it is given up: each can cost a look at the whole text."""

_START = re.compile(r"\{(?=\s*+[\"}])|\[(?=\s*+[\[\]{\"0-9tfn-])")
_STRAY = re.compile(r"\s*\}")
_JSON_LABELS = ("json", "jsonc", "json5")


class UnreadableError(ValueError):
    """A text holds no JSON value, or not one alone; the message says why."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A value, or why there is none, and where it stands."""

    start: int
    end: int
    value: Any = None
    broken: str = ""


def read(text: str) -> Any:
    """Return the value that `text` is: numbers as int or Decimal. Raise UnreadableError for what is no strict JSON.

    >>> read('{"a": [1, 2.50]}')
    {'a': [1, Decimal('2.50')]}
    """
    text = text.removeprefix("\ufeff").strip(" \t\r\n")
    if not text:
        raise UnreadableError("it is empty")
    value, end = _decoded(text, 0)
    if end != len(text):
        raise UnreadableError(f"more stands after the value, at character {end}")
    return value


def find(text: str, same: Callable[[Any, Any], bool], wanted: type | None = None) -> Any:
    """Return the one value that `text` gives; in prose only values of the type `wanted`.

    Several must be the `same`. Raise UnreadableError where there is none, or none alone.
    """
    try:
        return read(text)
    except UnreadableError as error:
        bare = str(error)
    places = list(_in_fences(text)) or list(_in_prose(text, wanted) if wanted else _as_stated(text))
    if not places:
        raise UnreadableError(bare)
    if places[-1].broken:
        raise UnreadableError(places[-1].broken)
    places = [place for place in places if not place.broken]
    given = the_one_given(text, [(one.start, one.end) for one in places], [one.value for one in places], same)
    if isinstance(given, str):
        raise UnreadableError(given)
    return places[given].value


def _in_fences(text: str) -> Iterator[_Place]:
    fences = fenced(text)
    labels = [fence.label for fence in fences]
    if any(label in _JSON_LABELS for label in labels):
        fences = [fence for fence in fences if fence.label in _JSON_LABELS]
    elif "" in labels:
        fences = [fence for fence in fences if not fence.label]
    for fence in fences:
        try:
            yield _Place(fence.start, fence.end, value=read(fence.content))
        except UnreadableError as error:
            yield _Place(fence.start, fence.end, broken=str(error))


def _in_prose(text: str, wanted: type) -> Iterator[_Place]:
    """Yield the values of type `wanted` in a text; after one that is broken, go on behind the place where it broke."""
    place = 0
    for _ in range(MOST_PLACES):
        start = _START.search(text, place)
        if start is None:
            return
        try:
            value, end = _decoded(text, start.start())
        except _BrokenError as error:
            if error.place < 0:
                yield _Place(start.start(), len(text), broken=str(error))
                return
            place = max(error.place, start.start() + 1)
            if place - start.start() > 1 and (start[0] == "{") is (wanted is dict):
                yield _Place(start.start(), place, broken=str(error))
        else:
            if _STRAY.match(text, end) and "{" not in text[place : start.start()]:
                yield _Place(start.start(), end, broken=f"a bracket too many stands at character {end}")
            elif isinstance(value, wanted):
                yield _Place(start.start(), end, value=value)
            place = end
    yield _Place(place, len(text), broken=f"it holds more than {MOST_PLACES} brackets that may begin a value")


def _as_stated(text: str) -> Iterator[_Place]:
    """Yield the bare value (a number, a string, true) that a sentence gives as its answer."""
    part = stated_part(text).text
    for one in (part, part.removesuffix(".")):
        try:
            yield _Place(0, len(text), value=read(one))
        except UnreadableError:
            continue
        return


class _BrokenError(UnreadableError):
    """Reading broke off at `place` of the text; -1 where that says nothing."""

    def __init__(self, why: str, place: int) -> None:
        super().__init__(why)
        self.place = place


def _decoded(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        why = "it is cut off" if is_cut else f"it is no JSON: {error.msg[0].lower()}{error.msg[1:]}"
        raise _BrokenError(f"{why}, at character {error.pos}", error.pos) from None
    except RecursionError:
        raise _BrokenError("it is nested too deeply to be read", -1) from None
    return value, end


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _BrokenError(f"the key `{twice:.40}` stands twice", -1)
    return found


def _whole(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= MOST_DIGITS else Decimal(digits)


def _real(text: str) -> Decimal:
    exponent = text.lower().partition("e")[2].lstrip("+-0")
    if len(exponent) > MOST_EXPONENT_DIGITS:
        raise _BrokenError("a number has an exponent past all bounds", -1)
    return Decimal(text)


def _refused(constant: str) -> Any:
    raise _BrokenError(f"{constant} is no JSON", -1)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_float=_real, parse_constant=_refused)
