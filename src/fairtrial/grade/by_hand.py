"""Run a checks.toml on a deliverable or a trajectory that somebody has at hand, apart from any run.

Nothing that was handed in is executed outside a box: checks that only read files, or a trajectory, run here; the rest
run in the task's own environment where the task is known, else they are not run, unless the user says that they may
(`here`). A deliverable is a folder that mirrors the box: the file /app/x lies at FOLDER/app/x.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fairtrial.checks.checks_file import ChecksFile, Declared
from fairtrial.checks.judged import Judges
from fairtrial.checks.process import Trajectory
from fairtrial.checks.protocol import Given, Result
from fairtrial.checks.report import Report
from fairtrial.checks.running import in_box, is_outside, outside
from fairtrial.grade.harbor import HarborGrader
from fairtrial.sandbox import Sandbox, Taken
from fairtrial.tasks import Key, Task

READING = frozenset({
    "answer_equals", "answers_equal", "csv_cell", "csv_rows", "docx_text", "file_absent", "file_equals",
    "file_exists", "file_lines", "file_similar", "file_text", "files_unchanged", "folder_lists", "image_is",
    "image_similar", "json_unchanged", "json_value", "pdf_pages", "pdf_text", "scope", "tests_untouched",
    "toml_value", "xlsx_cell", "yaml_value",
})  # fmt: skip
"""Checks of the box that read files and run nothing; one that is not named here needs a box."""
MOST_ENTRIES = 200_000
NEEDS_BOX = "it may run what was handed in, so it needs a box: name the task's folder, or say --here"
NEEDS_DELIVERABLE = "it needs a deliverable, and none was named (--deliverable)"


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """What there is to check, and where it may be checked."""

    deliverable: Path | None = None
    trajectory: Trajectory | None = None
    judges: Judges | None = None
    task: tuple[Task, Key] | None = None
    """Where the checks are those of a task of one step."""
    sandbox: Sandbox | None = None
    here: bool = False
    """Run every check on this machine, without a box."""


@dataclass(slots=True)
class Found:
    """What each check came to, by its name."""

    results: dict[str, Result] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> dict[str, bool | None]:
        """Return what a grading.toml makes a score of."""
        return {name: result.passed for name, result in self.results.items()} | dict.fromkeys(self.broken)


def check_by_hand(file: ChecksFile, at_hand: AtHand) -> Found:
    """Run the checks of `file` on what is at hand; each is named in what is returned, run or not, in their order."""
    found = _found(file, at_hand)
    order = {one.name: number for number, one in enumerate(file.checks)}
    found.results = dict(sorted(found.results.items(), key=lambda item: order[item[0]]))
    found.broken = dict(sorted(found.broken.items(), key=lambda item: order[item[0]]))
    return found


def _found(file: ChecksFile, at_hand: AtHand) -> Found:
    found = Found()
    folder = at_hand.deliverable
    blind = [one for one in file.checks if _looks_at_files(one)] if folder is None else []
    found.broken |= {one.name: NEEDS_DELIVERABLE for one in blind}
    left = [one for one in file.checks if one.name not in found.broken]
    root = (folder or Path(os.devnull)).resolve()
    here = [one for one in left if is_outside(one)]
    _take(found, outside(_of(file, here), root, _given(at_hand, root)))
    boxed = [one for one in left if not is_outside(one)]
    if not boxed or folder is None:
        return found
    odd = "" if at_hand.here else leads_out(root)
    reading = [one for one in boxed if at_hand.here or (one.use in READING and not odd)]
    _take(found, in_box(_of(file, reading), root))
    rest = [one for one in boxed if one not in reading]
    if rest and at_hand.task is not None and at_hand.sandbox is not None:
        _grade_in_box(found, rest, at_hand.task, at_hand.sandbox, root)
    else:
        found.broken |= {one.name: odd if one.use in READING else NEEDS_BOX for one in rest}
    return found


def _looks_at_files(declared: Declared) -> bool:
    """Say whether a check says nothing without a deliverable: of the outside ones those that name files of it."""
    return bool(declared.parameters.get("artifacts")) if is_outside(declared) else True


def leads_out(root: Path) -> str:
    """Return what in a deliverable would lead a reader out of it; empty if nothing does."""
    entries = 0
    for folder, names, files in os.walk(root):
        for name in (*names, *files):
            entries += 1
            path = Path(folder, name)
            if entries > MOST_ENTRIES:
                return f"the deliverable has more than {MOST_ENTRIES} entries, so it needs a box"
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
                return f"`/{path.relative_to(root)}` is a link that leads out of the deliverable, so it needs a box"
    return ""


def _of(file: ChecksFile, chosen: list[Declared]) -> ChecksFile:
    return replace(file, checks=tuple(chosen))


def _given(at_hand: AtHand, root: Path) -> Mapping[type[Given], Given]:
    given: dict[type[Given], Given] = {}
    if at_hand.trajectory is not None:
        given[Trajectory] = at_hand.trajectory
    if at_hand.judges is not None:
        seen = at_hand.trajectory.document if at_hand.trajectory is not None else None
        given[Judges] = replace(at_hand.judges, root=root, trajectory=seen)
    return given


def _take(found: Found, report: Report) -> None:
    found.results |= report.results
    found.broken |= report.broken


def _grade_in_box(found: Found, rest: list[Declared], task: tuple[Task, Key], sandbox: Sandbox, root: Path) -> None:
    """Let the task's own tests grade the deliverable in a box, and take from their report what is still open."""
    public, key = task
    grading = HarborGrader(key=key, sandbox=sandbox).grade(public, public.steps[0], Taken(root, "", 0, 0))
    reported = {check.name: check for check in grading.checks}
    values: Mapping[str, float] = grading.evidence.get("values", {})
    for one in rest:
        check = reported.get(one.name)
        if check is None:
            found.broken[one.name] = f"the grader in the box did not report it ({grading.reason or grading.outcome})"
        elif check.status == "broken":
            found.broken[one.name] = check.message
        else:
            found.results[one.name] = Result(check.status == "passed", check.message, values.get(one.name))
