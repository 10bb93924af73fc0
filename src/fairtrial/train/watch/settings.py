"""What a watch began with, kept beside the log: its settings, the rates known before, the shapes of right answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fairtrial.records import FormatError
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.document import to_json
from fairtrial.train.watch.known import Attempted, Known, Shape

WATCH_SETTINGS = "watch-settings.json"
SETTINGS_SCHEMA = "fairtrial.watch-settings/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """What a watch began with."""

    settings: Watch
    known: Known
    continue_past: int = 0


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")

    length: int
    kinds: frozenset[str]


class _Attempted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    family: str
    graded: int
    passed: int


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    schema_: Literal["fairtrial.watch-settings/1"] = Field(alias="schema")
    settings: Watch
    continue_past: int
    tasks: Mapping[str, _Attempted]
    shapes: Mapping[str, _Shape]
    source: str


def settings_document(settings: Watch, known: Known, continue_past: int) -> bytes:
    """Return the file."""
    return to_json({
        "schema": SETTINGS_SCHEMA, "settings": settings.model_dump(), "continue_past": continue_past,
        "tasks": {name: {"family": one.family, "graded": one.graded, "passed": one.passed}
                  for name, one in known.tasks.items()},
        "shapes": {name: {"length": one.length, "kinds": sorted(one.kinds)} for name, one in known.shapes.items()},
        "source": known.source,
    })  # fmt: skip


def read_settings(folder: Path) -> Began | None:
    """Return what the watch in `folder` began with; None where it was not watched.

    Raise FormatError where the file cannot be read.
    """
    path = folder / WATCH_SETTINGS
    try:
        file = _File.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FormatError(str(first["msg"]), path=path, field=where or None) from error
    known = Known(
        tasks={name: Attempted(family=one.family, graded=one.graded, passed=one.passed)
               for name, one in file.tasks.items()},
        shapes={name: Shape(length=one.length, kinds=one.kinds) for name, one in file.shapes.items()},
        source=file.source,
    )  # fmt: skip
    return Began(settings=file.settings, known=known, continue_past=file.continue_past)
