"""Checkpoints on disk: published whole, found again, thinned. No torch here.

`stage.toml` in a checkpoint says of which stage it is. Of all checkpoints but the latest the trainer's state is
removed; the models stay, so that any of them can still be evaluated.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from fairtrial.records import FormatError
from fairtrial.train.trainers.protocol import STATE

MARKER = "stage.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """Where in a run a checkpoint stands."""

    stage: int
    method: str
    own_step: int
    """Steps of this stage alone."""
    ended: bool
    """The stage was whole at this step."""
    paused: str = ""
    """Why the run was paused here; empty where it was not."""


def publish(making: Path, final: Path, marker: Marker) -> None:
    """Write the marker and give the folder its name, after all of it is safe on disk; thin those before it."""
    lines = "".join(f"{key} = {orjson.dumps(value).decode()}\n" for key, value in asdict(marker).items())
    (making / MARKER).write_text(lines, encoding="utf-8")
    for path in making.rglob("*"):
        sync(path)
    final.parent.mkdir(parents=True, exist_ok=True)
    if final.exists():  # a pause was overruled, or a kill came between the rename and the log
        shutil.rmtree(final)
    making.rename(final)
    sync(final.parent)
    for step, folder in kept_steps(final.parent):
        if step < step_of(final):
            shutil.rmtree(folder / STATE, ignore_errors=True)


def kept_steps(checkpoints: Path) -> Iterator[tuple[int, Path]]:
    """Yield (step, folder) of every checkpoint in `checkpoints`, first to last."""
    if checkpoints.is_dir():
        found = [(step_of(path), path) for path in checkpoints.glob("step-*") if path.name[5:].isdigit()]
        yield from sorted(found)


def step_of(folder: Path) -> int:
    """Return the step that a checkpoint's name says."""
    return int(folder.name.removeprefix("step-"))


def read_marker(checkpoint: Path) -> Marker:
    """Return where a checkpoint stands. Raise FormatError where that cannot be read."""
    path = checkpoint / MARKER
    try:
        return Marker(**tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError) as error:
        raise FormatError(f"cannot be read: {error}", path=path, hint="Remove this checkpoint.") from error


def sync(path: Path) -> None:
    """Return when a file or folder is safe on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
