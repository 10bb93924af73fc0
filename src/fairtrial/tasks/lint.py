"""Read task folders and list what is wrong with them, without running anything.

An `error` stops a task from being loaded; a `lead` is worth a look: something that would be proven less than its
author may think. It does not judge whether a grader is right: that is what `fairtrial prove` measures.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from fairtrial.records import FormatError, InputError
from fairtrial.tasks.folder import TaskFolder, read_folder
from fairtrial.tasks.hashes import is_left_over
from fairtrial.tasks.load import find_tasks, split_folder, task_name
from fairtrial.tasks.model import Key
from fairtrial.tasks.toml import read_toml

COVERED = ("environment", "tests", "solution", "steps", "candidates")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing to mend."""

    severity: Literal["error", "lead"]
    what: str
    path: str
    line: int | None = None
    field: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """What was read of one task folder."""

    task: str
    path: Path
    hash: str
    """Empty where it cannot be loaded."""
    problems: tuple[Problem, ...]
    fails: tuple[str, ...] = ()
    """Every check that a declared defect should fail."""
    grading: Path | None = None
    key: Key | None = None
    """Its private half, where it can be loaded."""

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        problems = [asdict(problem) for problem in self.problems]
        return {"task": self.task, "path": str(self.path), "hash": self.hash, "problems": problems}


def lint(path: Path) -> list[Linted]:
    """Read every task at `path` (see `find_tasks`). Raise InputError if there is none."""
    linted = [lint_task(place) for place in find_tasks(path)]
    seen: dict[str, Path] = {}
    for index, one in enumerate(linted):
        if one.task in seen:
            twin = error_problem(FormatError(f"two tasks are named `{one.task}`: {seen[one.task]}", path=one.path))
            linted[index] = replace(one, problems=(*one.problems, twin))
        seen.setdefault(one.task, one.path)
    return linted


def lint_task(path: Path) -> Linted:
    """Read one task folder and list its errors and leads."""
    folder = read_folder(path)
    problems = [error_problem(error) for error in folder.errors]
    if not folder.errors:
        problems += [*_unproven(folder), *_left_over(path), *_misspelt(folder)]
    halves = None if folder.errors else split_folder(folder)
    fails = dict.fromkeys(name for candidate in folder.candidates for name in candidate.fails)
    return Linted(
        task=task_name(folder),
        path=path,
        hash=halves[0].hash if halves else "",
        problems=tuple(problems),
        fails=tuple(fails),
        grading=folder.grading,
        key=halves[1] if halves else None,
    )


def error_problem(error: InputError) -> Problem:
    """Return an error of reading as a problem."""
    return Problem(
        severity="error",
        what=error.what,
        path=error.path or "",
        line=error.line,
        field=error.field,
        hint=error.hint,
    )


def _lead(what: str, path: Path, hint: str, line: int | None = None, field: str | None = None) -> Problem:
    return Problem(severity="lead", what=what, path=str(path), line=line, field=field, hint=hint)


def _unproven(folder: TaskFolder) -> Iterator[Problem]:
    """Name what the task leaves unproven: a missing reference, missing kinds of candidates, loose defects."""
    path = folder.path
    for step in folder.steps:
        if step.solution is None:
            place = path / "steps" / step.name if step.name else path
            yield _lead("is missing", place / "solution" / "solve.sh", "Without a reference, passing is never shown.")
    if not folder.candidates:
        hint = "Declare candidates in proof.toml: at least a defect, an alternative and a hack."
        yield _lead("declares no candidate", path / "proof.toml", hint)
        return
    kinds = {candidate.kind for candidate in folder.candidates}
    for kind in ("defect", "alternative", "hack"):
        if kind not in kinds:
            yield _lead(f"declares no {kind}", path / "proof.toml", "Each kind shows another weakness of a grader.")
    for index, candidate in enumerate(folder.candidates):
        if candidate.kind == "defect" and not candidate.fails and folder.proof_file:
            line = folder.proof_file.line(("candidate", index))
            hint = "Without `fails` it only has to fail at least one check: name those it must fail."
            yield _lead(
                f"`{candidate.name}` names no check", path / "proof.toml", hint, line, f"candidate[{index}].fails"
            )


def _left_over(path: Path) -> Iterator[Problem]:
    """Name caches, version control and editors' backups that are laid out with the task."""
    for top in COVERED:
        for folder, folders, files in os.walk(path / top):
            for name in sorted(name for name in (*folders, *files) if is_left_over(name)):
                hint = "It is laid out with the task, and counts in its hash: remove it unless the task needs it."
                yield _lead("looks left over", Path(folder) / name, hint)
            folders[:] = [name for name in folders if not is_left_over(name)]


def _misspelt(folder: TaskFolder) -> Iterator[Problem]:
    """Name keys of task.toml that look like a known key, misspelt."""
    file = read_toml(folder.path / "task.toml")
    for place, known in _unknown_keys(folder.settings, ()):
        close = difflib.get_close_matches(str(place[-1]), known, n=1, cutoff=0.8)
        if close and place[0] != "metadata":
            name = ".".join(str(part) for part in place)
            hint = f"Did you mean `{close[0]}`?"
            yield _lead("is not a key that anything reads", file.path, hint, file.line(place), name)


def _unknown_keys(table: BaseModel, place: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], list[str]]]:
    """Yield the place of each extra key in `table` and below, with the keys known there."""
    known = list(type(table).model_fields)
    for name in table.model_extra or {}:
        yield (*place, name), known
    for name in known:
        value = getattr(table, name)
        inner: Iterable[tuple[tuple[str | int, ...], Any]] = [((*place, name), value)]
        if isinstance(value, list):
            inner = [((*place, name, index), item) for index, item in enumerate(value)]
        for at, item in inner:
            if isinstance(item, BaseModel):
                yield from _unknown_keys(item, at)
