"""Whether the agent looked at a file before it changed it.

A file that is written as a whole may be new, so it counts only where `whole` says so. A look is an earlier step that
names the file, or whose output does, and that showed something.
"""

from __future__ import annotations

import fnmatch
import posixpath

from fairtrial.checks.process.edits import SCRATCH, UNKNOWN, edits_of
from fairtrial.checks.process.trajectory import Act, Trajectory, said
from fairtrial.checks.protocol import Result
from fairtrial.checks.reading import of_the_work

_NOT_THERE = ("No such file", "cannot open", "does not exist", "not found")


@of_the_work
def looked_before_edit(trajectory: Trajectory, files: list[str] | None = None, whole: bool = False) -> Result:
    """Hold that every file changed in place was shown in an earlier step; `files` are patterns of those meant."""
    made: set[str] = set()
    looked = 0
    for act in trajectory.acts:
        edits = edits_of(act)
        for path in (*edits.in_place, *(edits.whole if whole else ())):
            if path == UNKNOWN or path in made or not _is_meant(path, files or ["*"]):
                continue
            if not any(_shows(earlier, path) for earlier in trajectory.acts[: act.number] if earlier.step < act.step):
                return Result(False, f"step {act.step} changed `{path:.80}`, which no step before it had looked at",
                              evidence={"step": act.step, "file": path})  # fmt: skip
            looked += 1
        made |= set(edits.whole) | set(edits.in_place)
    return Result(True, f"each of {looked} files that were changed had been looked at before", float(looked))


def _is_meant(path: str, files: list[str]) -> bool:
    if path.startswith(SCRATCH) or "$" in path:
        return False
    return any(fnmatch.fnmatch(path, glob) or fnmatch.fnmatch(posixpath.basename(path), glob) for glob in files)


def _shows(act: Act, path: str) -> bool:
    """Say whether an action named the file and something was shown, or its output names it."""
    shown = act.observation.strip()
    if not shown or act.is_claim or any(mark in shown[:200] for mark in _NOT_THERE):
        return False
    name = posixpath.basename(path)
    if f"{name}:" in shown or (f"/{name}\n" in f"{shown}\n" and "diff" in shown):
        return True
    if act.path:
        return posixpath.basename(act.path) == name and path not in edits_of(act).paths
    words = [word for ran in act.commands for word in ran.words[1:]] if act.commands else said(act.arguments).split()
    code = " ".join(ran.code for ran in act.commands)
    return (
        any(_names(word, path, name) for word in words)
        or f"/{name}" in code
        or f'"{name}' in code
        or f"'{name}" in code
    )


def _names(word: str, path: str, name: str) -> bool:
    last = posixpath.basename(word)
    if last == name or fnmatch.fnmatch(last, name) or (set("*?[") & set(last) and fnmatch.fnmatch(name, last)):
        return True
    folder = word.rstrip("/")
    return folder not in ("", ".", "-") and posixpath.dirname(path) == folder
