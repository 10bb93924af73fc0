"""Find in a checks.toml the fields, wordings and columns that declared checks read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fairtrial.attack.reading.binding.finding import Bound
from fairtrial.attack.reading.binding.stated import Told
from fairtrial.attack.reading.binding.wording import bare, is_title, titles_of_pattern
from fairtrial.checks import Declared, read_checks
from fairtrial.records import InputError
from fairtrial.tasks.toml import read_toml

_PATHS = ("at", "json_path", "key", "field", "column")
_WORDINGS = ("text", "contains", "pattern", "matches", "heading")
_NAME = re.compile(r"[A-Za-z_][\w-]*")


def bindings(path: Path, name: str, told: Told) -> Iterator[Bound]:
    """Yield where the checks.toml at `path`, shown as `name`, binds to a form that the agent was not told of."""
    try:
        file, lines = read_checks(path), read_toml(path)
    except InputError:
        return  # `lint` names what is wrong with the file itself
    for index, declared in enumerate(file.checks):
        for key, form, what in _read(declared):
            if not told.states(bare(what)):
                yield Bound(name, lines.line(("check", index, key)) or 1, form, what)  # type: ignore[arg-type]


def _read(declared: Declared) -> Iterator[tuple[str, str, str]]:
    """Yield (parameter, form, what it names)."""
    for key, value in declared.parameters.items():
        if not isinstance(value, str):
            continue
        if key in _PATHS:
            yield from ((key, "field", part) for part in _NAME.findall(value))
        elif key in _WORDINGS:
            found = {value, *titles_of_pattern(value)}
            yield from ((key, "title", wording) for wording in sorted(found) if is_title(wording))
