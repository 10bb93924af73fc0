"""Values that a reading of Python knows without running it: the texts that an expression may come to.

Literals, joins, formats, decodings (base64, hex, rot13, reversed, lists of characters). Not covered: what is computed
from data, ciphers, compression.
"""

from __future__ import annotations

import base64
import binascii
import codecs
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

MOST_TEXTS = 12
"""Texts that one expression may come to."""
MOST_OF_A_TEXT = 20_000
NAMED = -1
HOLE = "\0"
"""Stands in a text for a part that is not known."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of which one is meant; none is known where it is empty."""

    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Nothing:
    """The constant None."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a file holds that was opened."""

    text: str


@dataclass(frozen=True, slots=True)
class Made:
    """What a call gave: a client, a session."""

    name: str
    number: int
    """Of the call among those of the program; `NAMED` where it is no call's, but a thing under another name."""

    @property
    def dotted(self) -> str:
        """Return how a name that stands for it is to be read."""
        return self.name if self.number == NAMED else f"{self.name}()"


@dataclass(slots=True)
class Table:
    """A dict, by its known keys."""

    entries: dict[str, Value] = field(default_factory=dict)


Value: TypeAlias = "Texts | Nothing | Held | Made | Table | tuple[Value, ...]"
UNKNOWN = Texts()


def one_of(values: Iterable[Value]) -> Value:
    """Return what may be any of some values; texts are put together, else the first that is known.

    >>> one_of([Texts(("a",)), UNKNOWN, Texts(("b",))]).options
    ('a', 'b')
    """
    every = list(values)
    rows = [one for one in every if isinstance(one, tuple)]
    if rows and len(rows) == len(every) and len({len(one) for one in rows}) == 1:
        return tuple(one_of(column) for column in zip(*rows, strict=True))
    texts = tuple(dict.fromkeys(text for one in every if isinstance(one, Texts) for text in one.options))
    if texts:
        return Texts(texts[:MOST_TEXTS])
    return next((one for one in every if one != UNKNOWN), UNKNOWN)


def texts_of(value: Value) -> tuple[str, ...]:
    """Return the texts that a value may be or hold; those of lists and dicts too."""
    if isinstance(value, Texts):
        return value.options
    if isinstance(value, Held):
        return (value.text,)
    if isinstance(value, Table):
        return tuple(text for one in value.entries.values() for text in texts_of(one))
    if isinstance(value, tuple):
        return tuple(text for one in value for text in texts_of(one))
    return ()


def joined(parts: Iterable[Value], between: str = "") -> Texts:
    """Return the texts that parts come to one after the other; what is not known leaves a hole.

    >>> joined([Texts(("https://",)), Texts(("a", "b"))]).options
    ('https://a', 'https://b')
    """
    choices = [_texts_or_hole(part) for part in parts][:200]
    made: list[str] = []
    for combination in product(*choices):
        made.append(between.join(combination)[:MOST_OF_A_TEXT])
        if len(made) >= MOST_TEXTS:
            break
    return Texts(tuple(made))


def _texts_or_hole(value: Value) -> tuple[str, ...]:
    return (texts_of(value) if isinstance(value, Texts | Held) else ()) or (HOLE,)


def formatted(template: Value, given: list[Value], named: dict[str, Value]) -> Texts:
    """Return what `template.format(...)` comes to, where its fields are plain.

    >>> formatted(Texts(("https://{}/{v}",)), [Texts(("h",))], {"v": Texts(("v1",))}).options
    ('https://h/v1',)
    """
    made: list[str] = []
    for text in texts_of(template):
        for number, value in enumerate(given):
            first = _texts_or_hole(value)[0]
            text = text.replace("{}", first, 1).replace(f"{{{number}}}", first)
        for name, value in named.items():
            text = text.replace(f"{{{name}}}", _texts_or_hole(value)[0])
        made.append(text[:MOST_OF_A_TEXT])
    return Texts(tuple(made))


def percented(template: Value, given: Value) -> Texts:
    """Return what `template % given` comes to.

    >>> percented(Texts(("https://%s/v%d",)), (Texts(("h",)), Texts(("1",)))).options
    ('https://h/v1',)
    """
    values = given if isinstance(given, tuple) else (given,)
    made: list[str] = []
    for text in texts_of(template):
        for value in values:
            at = min((n for n in (text.find("%s"), text.find("%d"), text.find("%r")) if n >= 0), default=-1)
            text = text if at < 0 else text[:at] + _texts_or_hole(value)[0] + text[at + 2 :]
        made.append(text[:MOST_OF_A_TEXT])
    return Texts(tuple(made))


def decoded(name: str, value: Value, form: Value = UNKNOWN) -> Value:
    """Return what a decoding makes of texts; UNKNOWN where they are no such code.

    >>> decoded("b64decode", Texts(("YXBpLmEuYg==",))).options, decoded("fromhex", Texts(("6162",))).options
    (('api.a.b',), ('ab',))
    """
    made: list[str] = []
    for text in texts_of(value):
        try:
            if name in ("b64decode", "standard_b64decode", "urlsafe_b64decode", "decodebytes", "a2b_base64"):
                tidy = "".join(text.split()).replace("-", "+").replace("_", "/")
                made.append(base64.b64decode(tidy + "=" * (-len(tidy) % 4)).decode("utf-8", "replace"))
            elif name in ("fromhex", "unhexlify", "a2b_hex"):
                made.append(bytes.fromhex(text).decode("utf-8", "replace"))
            elif name == "b32decode":
                made.append(base64.b32decode(text).decode("utf-8", "replace"))
            elif form in (Texts(("rot13",)), Texts(("rot_13",))):
                made.append(codecs.decode(text, "rot13"))
            else:
                made.append(text)
        except (binascii.Error, ValueError):
            continue
    return Texts(tuple(made[:MOST_TEXTS]))


def characters(value: Value) -> Value:
    """Return the text that a list of character numbers spells; UNKNOWN where it is no such list.

    >>> characters((Texts(("104",)), Texts(("105",)))).options
    ('hi',)
    """
    if not isinstance(value, tuple):
        return UNKNOWN
    numbers = [texts_of(one)[0] if texts_of(one) else "" for one in value]
    if not numbers or not all(one.isdecimal() and int(one) < 0x110000 for one in numbers):
        return UNKNOWN
    return Texts(("".join(chr(int(one)) for one in numbers),))


def valued(document: object) -> Value:
    """Return what a parsed JSON or TOML document is as a value."""
    if isinstance(document, dict):
        return Table({str(key): valued(one) for key, one in document.items()})
    if isinstance(document, list):
        return tuple(valued(one) for one in document[:1000])
    return Nothing() if document is None else Texts((str(document),))
