"""Read a TOML file and say where each key stands.

tomllib gives values without places, so `places` reads the text a second time and maps each key path to its line.
It assumes text that tomllib has accepted, and places the keys of an inline table at the line of the table.
It does not parse values.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from fairtrial.records import FormatError

Place = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)$")
_KEY = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file that was read: its values, and the line of each key."""

    path: Path
    values: Mapping[str, Any]
    lines: Mapping[Place, int]

    def line(self, place: Iterable[str | int]) -> int | None:
        """Return the line of the key at `place`, or of the nearest table around it."""
        parts = tuple(place)
        while parts:
            if parts in self.lines:
                return self.lines[parts]
            parts = parts[:-1]
        return None

    def error(self, what: str, place: Iterable[str | int], hint: str | None = None) -> FormatError:
        """Return an error that names this file, the line and the field."""
        parts = tuple(place)
        return FormatError(what, path=self.path, line=self.line(parts), field=field_name(parts) or None, hint=hint)


def field_name(place: Iterable[str | int]) -> str:
    """Write a key path the way a reader of TOML would.

    >>> field_name(("candidate", 1, "kind"))
    'candidate[1].kind'
    """
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def read_toml(path: Path, *, may_be_marked: bool = False) -> TomlFile:
    """Read the TOML file at `path`. Raise FormatError with the line of a syntax error.

    A byte order mark is passed over where it `may_be_marked`: files that Harbor reads too may not, as it refuses them.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig" if may_be_marked else "utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", path=path, hint="TOML files are UTF-8.") from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.search(str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise FormatError(f"is not TOML: {_AT_LINE.sub('', str(error))}", path=path, line=line) from error
    except RecursionError as error:
        raise FormatError("is nested too deep to be read", path=path) from error
    return TomlFile(path, values, places(text.replace("\r\n", "\n")))


def places(text: str) -> dict[Place, int]:
    """Map every key path of TOML `text` to its line; items of an array of tables are counted from 0.

    >>> places('a = 1\\n[[b]]\\nc.d = 2\\n')
    {('a',): 1, ('b',): 2, ('b', 0): 2, ('b', 0, 'c', 'd'): 3}
    """
    found: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    position = 0
    while (position := _skip_blank(text, position)) < len(text):
        line = text.count("\n", 0, position) + 1
        if text[position] != "[":
            keys, position = _key_path(text, position)
            found.setdefault((*table, *keys), line)
            position = _skip_value(text, position + 1)
            continue
        is_item = text.startswith("[[", position)
        keys, position = _key_path(text, position + 1 + is_item)
        position += 1 + is_item
        table = _resolve(keys[:-1], counts)
        table = (*table, keys[-1])
        found.setdefault(table, line)
        if is_item:
            counts[table] = counts.get(table, 0) + 1
        if table in counts:
            table = (*table, counts[table] - 1)
            found.setdefault(table, line)
    return found


def _resolve(keys: tuple[str, ...], counts: Mapping[Place, int]) -> Place:
    """Return the place of a header's parent: under an array of tables, its last item is meant."""
    place: Place = ()
    for key in keys:
        place = (*place, key)
        if place in counts:
            place = (*place, counts[place] - 1)
    return place


def _key_path(text: str, position: int) -> tuple[tuple[str, ...], int]:
    """Read a dotted key and return its parts and where it ends."""
    keys: list[str] = []
    while match := _KEY.match(text, position):
        keys.append(next(part for part in match.groups() if part is not None))
        position = match.end()
        if not text.startswith(".", position):
            break
        position += 1
    return tuple(keys) or ("",), position


def _skip_blank(text: str, position: int) -> int:
    """Return where the next statement starts."""
    while position < len(text):
        if text[position] == "#":
            position = _line_end(text, position)
        elif not text[position].isspace():
            break
        else:
            position += 1
    return position


def _skip_value(text: str, position: int) -> int:
    """Return where a value ends: at the end of a line outside every bracket and string."""
    depth = 0
    while position < len(text):
        character = text[position]
        if character in "\"'" and (match := _STRING.match(text, position)):
            position = match.end()
            continue
        if character == "#":
            position = _line_end(text, position)
            continue
        if character == "\n" and depth <= 0:
            return position
        depth += (character in "[{") - (character in "]}")
        position += 1
    return position


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def check_values(model: type[Model], file: TomlFile) -> tuple[Model | None, list[FormatError]]:
    """Read the values of `file` as `model`; return None and every error where they do not fit."""
    try:
        return model.model_validate(file.values), []
    except ValidationError as error:
        return None, [_worded(model, file, dict(item)) for item in error.errors(include_url=False)]


def _worded(model: type[BaseModel], file: TomlFile, item: dict[str, Any]) -> FormatError:
    """Say one of pydantic's errors in the words of the file."""
    # A union adds the names of its members to the place; keep the part that the file has.
    place = _known_part(file.values, item["loc"])
    kind = item["type"]
    if kind == "missing":
        return file.error("is missing", item["loc"])
    if kind == "extra_forbidden":
        names = difflib.get_close_matches(str(item["loc"][-1]), _field_names(model, item["loc"][:-1]), n=1)
        hint = (
            f"Did you mean `{names[0]}`?" if names else "It knows: " + ", ".join(_field_names(model, item["loc"][:-1]))
        )
        return file.error("is not a key of this file", item["loc"], hint)
    message = item["msg"].removeprefix("Value error, ")
    message = message.replace("Input should be", "should be")
    return file.error(f"{message}, not {_shown(item['input'])}", place)


def _known_part(values: Any, place: Place) -> Place:
    """Return the longest part of `place` that leads somewhere in `values`."""
    known: list[str | int] = []
    for part in place:
        try:
            values = values[part]
        except (KeyError, IndexError, TypeError):
            break
        known.append(part)
    return tuple(known)


def _field_names(model: type[BaseModel], place: Place) -> list[str]:
    """Return the keys that the table at `place` may hold."""
    for part in place:
        if isinstance(part, int):
            continue
        inner = _inner_model(model.model_fields[part].annotation) if part in model.model_fields else None
        if inner is None:
            return []
        model = inner
    return [field.alias or name for name, field in model.model_fields.items()]


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    """Return the model inside an annotation such as `tuple[Row, ...]`, or None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in getattr(annotation, "__args__", ()) if (found := _inner_model(part))), None)


def _shown(value: Any) -> str:
    """Return `value` as a reader would write it, cut to a readable length."""
    text = f"`{value}`" if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
