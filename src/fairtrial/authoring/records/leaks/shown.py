"""Read what an agent is given of a task: its instruction and every file of its environment, as they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.telling import HISTORY
from fairtrial.records import FormatError, InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask:
    """One task as the agent gets it, with the case that it was made of."""

    case: Case
    name: str
    lines: Sequence[Mapping[str, Any]]
    texts: Mapping[str, str]
    """File -> its text, names included; bytes that are no UTF-8 are replaced."""
    changed_at: frozenset[int]
    """Times of change of these files, in seconds since 1970."""

    @property
    def fields(self) -> dict[str, Any]:
        """Return the last value of each field of the history."""
        return {name: value for line in self.lines for name, value in line["fields"].items()}


def read_shown(case: Case, place: Path) -> ShownTask:
    """Return what the task at `place` shows. Raise InputError or FormatError where it cannot be read."""
    texts: dict[str, str] = {}
    changed = set()
    lines: list[dict[str, Any]] = []
    try:
        for path in (place / "instruction.md", *sorted((place / "environment").rglob("*"))):
            if not path.is_file():
                continue
            changed.add(int(path.stat().st_mtime))
            held = path.read_bytes()
            texts[path.relative_to(place).as_posix()] = held.decode("utf-8", "replace")
            if path.name == HISTORY:
                lines = [orjson.loads(line) for line in held.splitlines()]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=place) from error
    except orjson.JSONDecodeError as error:
        raise FormatError(f"holds a line that is no JSON: {error}", path=place / HISTORY) from error
    return ShownTask(case=case, name=place.name, lines=lines, texts=texts, changed_at=frozenset(changed))
