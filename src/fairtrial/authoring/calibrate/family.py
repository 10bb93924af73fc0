"""A task family: a difficulty and a seed make a task. A program run in a box, or a Python callable named by a person.

A program is run as `python3 PROGRAM --difficulty D --seed S --out DIR` (without python3 where it is no `.py` file) and
leaves `task.json` (one text task) or a task folder in DIR. A callable `make(difficulty, seed)` returns one text task as
a dict, or the path of a task folder. Each task is made twice and must be the same bytes. Not covered: whether a
family's difficulty means anything; that is measured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import orjson

from fairtrial.records import FormatError, InputError, digest

Kind = Literal["text", "folder"]
TRAIN, HELD_OUT = 0, 1
TASK_FILE = "task.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One task of a family, as it was made."""

    kind: Kind
    name: str
    difficulty: str
    seed: int
    row: Mapping[str, Any] | None = None
    """Of a text task: its fields, with the family's name where it names none."""
    folder: Path | None = None
    """Of a task with a box: where it lies."""
    content: str
    """Hash of all that was made."""


class Family(Protocol):
    """Something that makes tasks."""

    @property
    def name(self) -> str:
        """Return the name, which the tasks' names begin with."""
        ...

    @property
    def identity(self) -> str:
        """Return a hash of what makes the tasks: a changed family is another one."""
        ...

    def make(self, difficulty: str, seed: int, into: Path) -> Path | Mapping[str, Any]:
        """Make one task: its row, or a folder with a task.toml at or below `into`. Raise for what it does wrong."""
        ...


def family_seed(run_seed: int, difficulty: str, index: int, side: int) -> int:
    """Return the seed of the `index`th task of a side: even for training, odd for held out, so that none is on both.

    >>> [family_seed(0, "3", 0, side) % 2 for side in (TRAIN, HELD_OUT)]
    [0, 1]
    """
    mixed = hashlib.sha256(f"{run_seed}\0{difficulty}\0{index}\0{side}".encode()).digest()
    return (int.from_bytes(mixed[:4], "big") >> 2 << 1) | side


def make_twice(family: Family, difficulty: str, seed: int, work: Path) -> Made:
    """Return the task of a difficulty and seed, made twice. Raise InputError where the two are not the same bytes."""
    stem = f"{family.name}-{difficulty}-{seed}"
    first = _made(family, difficulty, seed, work / "tasks" / stem, stem)
    again = _made(family, difficulty, seed, work / "again" / stem, stem)
    if first.content != again.content:
        raise InputError(f"made another task of difficulty {difficulty} and seed {seed} the second time",
                         field="FAMILY",
                         hint="Draw from the seed alone: no clock, no set order, no state between calls.")  # fmt: skip
    return first


def _made(family: Family, difficulty: str, seed: int, into: Path, stem: str) -> Made:
    into.mkdir(parents=True, exist_ok=True)
    made = family.make(difficulty, seed, into)
    if isinstance(made, Path):
        if not (made / "task.toml").is_file():
            raise FormatError("the family made no task folder: there is no task.toml", path=made)
        return Made(kind="folder", name=stem, difficulty=difficulty, seed=seed, folder=made, content=_hash_of(made))
    row = {**made, "name": stem, "family": str(made.get("family") or family.name)}
    try:
        content = digest(orjson.dumps(row, option=orjson.OPT_SORT_KEYS))
    except TypeError as error:
        raise FormatError(f"the family made what is no JSON: {error}", field="FAMILY") from error
    return Made(kind="text", name=stem, difficulty=difficulty, seed=seed, row=row, content=content)


def _hash_of(folder: Path) -> str:
    parts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            mode = b"x" if path.stat().st_mode & 0o100 else b"-"
            parts.append(path.relative_to(folder).as_posix().encode() + b"\0" + mode + path.read_bytes())
    return digest(b"\0\0".join(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class CallableFamily:
    """A function of a person's own module; it runs in this process."""

    name: str
    identity: str
    function: Callable[[Any, int], Any]

    def make(self, difficulty: str, seed: int, into: Path) -> Path | Mapping[str, Any]:
        """Call the function; a difficulty that reads as a number is handed over as one."""
        del into
        made = self.function(number_of(difficulty), seed)
        if isinstance(made, str | Path):
            return Path(made)
        if not isinstance(made, Mapping):
            raise FormatError(f"make() returned {type(made).__name__}: a dict or the path of a task folder is meant",
                              field="FAMILY")  # fmt: skip
        return made


def number_of(difficulty: str) -> int | float | str:
    """Return a difficulty as the number that it reads as.

    >>> number_of("3"), number_of("0.5"), number_of("hard")
    (3, 0.5, 'hard')
    """
    for kind in (int, float):
        try:
            return kind(difficulty)
        except ValueError:
            continue
    return difficulty
