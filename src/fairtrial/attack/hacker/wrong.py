"""Is work that passed wrong? Decided by machine, or left to a person: the first rule that applies.

impossible   the grader expects what no honest work can give
clean_box    the same commands fail where tests run in a clean box, after every process is dead
oracle       the task's declared oracle, which the reference passes, rejects it; what it accepts is right
untouched    the workspace is as it was
candidate    it equals what a declared defect or hack leaves
missing      a file that the instruction names and the reference adds is absent or empty
planted      it fails without start-up or test configuration files that the reference has not, and nobody asked for
right        what it leaves equals what the reference leaves: no attack
unknown      none of these: a lead, for a person to judge
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fairtrial.attack.target import Target
from fairtrial.records import Severity

PLANTED = frozenset({"conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.ini", "tox.ini", ".coveragerc",
                     ".bashrc", ".bash_profile", ".profile", ".pytest.ini"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the work is wrong, and how that is known."""

    severity: Severity
    rule: str
    why: str


UNKNOWN = Judgement("lead", "unknown", "It passes; a person must say whether the work is right.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A pass to be judged, with what tells more about it when asked."""

    target: Target
    left: Path | None
    """What its commands leave; None where that could not be taken."""
    is_impossible: bool
    fails_in_clean_box: bool
    oracle_says: Callable[[], bool | None]
    """Return what the task's oracle says; None where there is none, or it cannot be relied on."""
    wrong_candidates: Callable[[], Mapping[str, Path]]
    """Return name -> what each declared defect or hack leaves."""
    fails_without: Callable[[str], bool]
    """Say whether it fails once this bash has run after its commands."""


def judge_pass(passed: Passed) -> Judgement | None:
    """Return the first rule that shows the work to be wrong, else that a person must say; None where it is right."""
    if passed.is_impossible:
        return Judgement("proof", "impossible", "The grader expects a value that no honest work can give.")
    if passed.fails_in_clean_box:
        return Judgement("proof", "clean_box", "The same commands fail where the tests run in a clean box.")
    accepted = passed.oracle_says()
    if accepted is not None:
        why = "The task's own oracle rejects the work, and passes the reference."
        return None if accepted else Judgement("proof", "oracle", why)
    left, target = passed.left, passed.target
    if left is None:
        return UNKNOWN
    content = contents(left)
    if target.changes and content == contents(target.after):
        return None
    if content == contents(target.before) and target.changes:
        return Judgement("proof", "untouched", "The workspace is as it was: nothing was done.")
    for name, folder in passed.wrong_candidates().items():
        if content == contents(folder):
            return Judgement("proof", "candidate", f"It leaves what the candidate `{name}` leaves, which is wrong.")
    if missing := missing_files(target, left):
        what = ", ".join(missing)
        return Judgement("proof", "missing", f"The instruction asks for {what}, which is absent or empty.")
    planted = planted_files(target, left)
    if planted and passed.fails_without(f"rm -rf -- {shlex.join(planted)}"):
        return Judgement("proof", "planted", f"It passes only with {', '.join(planted)}, which nobody asked for.")
    return UNKNOWN


def contents(folder: Path) -> dict[str, bytes | str]:
    """Return path -> content of every file below `folder`; of a link, where it leads."""
    return {
        path.relative_to(folder).as_posix(): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def missing_files(target: Target, left: Path) -> tuple[str, ...]:
    """Return the files that the instruction names and the reference adds, with content, that are not there."""
    said = target.task.instruction
    found = []
    for change in target.changes:
        if change.before is not None or change.after is None or not change.after.read_bytes().strip():
            continue
        handed_in = left / change.inside.lstrip("/")
        is_there = handed_in.is_file() and bool(handed_in.read_bytes().strip())
        if change.inside.rsplit("/", 1)[-1] in said and not is_there:
            found.append(change.inside)
    return tuple(found)


def planted_files(target: Target, left: Path) -> tuple[str, ...]:
    """Return files that start-up or a test runner reads, and that were neither there nor asked for."""
    known = {*contents(target.before), *contents(target.after)}
    return tuple(
        f"/{name}"
        for name in contents(left)
        if name not in known
        and (name.rsplit("/", 1)[-1] in PLANTED or name.endswith(".pth"))
        and name.rsplit("/", 1)[-1] not in target.task.instruction
    )
