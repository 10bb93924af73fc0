"""Targets made of plain files, and graders that are Python functions of what was handed in: no box, no process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.tasks.task_folders import FILES, make_task

from fairtrial.attack import Probe, Submission, Target
from fairtrial.attack.artifacts import PROBES
from fairtrial.run import FilesAgent
from fairtrial.tasks import load_task

Files = Mapping[str, bytes]
Grade = Callable[[Files], bool]
"""From inside path -> content, without the leading /app/, to passed or failed. A crash is a failure."""


def target_of(
    path: Path, instruction: str, before: Mapping[str, bytes], after: Mapping[str, bytes], *,
    free: str = "", grader: str = "echo 0\n", most: int = 24, seed: int = 0,
) -> Target:  # fmt: skip
    """Return a task as probes see it; `after` holds what the reference adds or changes below /app."""
    proof = f"free = [{free}]\n" + FILES["proof.toml"]
    folder = make_task(path / "task", {"instruction.md": instruction, "proof.toml": proof, "tests/check.py": grader})
    task, key = load_task(folder)
    for name, files in (("before", before), ("after", {**before, **after})):
        for inside, content in files.items():
            file = path / name / "app" / inside
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        (path / name).mkdir(exist_ok=True)
    (path / "scratch").mkdir()
    return Target(task=task, key=key, before=path / "before", after=path / "after", scratch=path / "scratch",
                  seed=seed, most=most)  # fmt: skip


def handed_in(target: Target, submission: Submission) -> dict[str, bytes]:
    """Return the workspace that a submission leaves, by path below /app."""
    agent = submission.agent
    assert isinstance(agent, FilesAgent)
    app = target.before / "app"
    left = {p.relative_to(app).as_posix(): p.read_bytes() for p in app.rglob("*") if p.is_file()}
    for inside in agent.removed:
        left.pop(inside.removeprefix("/app/"), None)
    return left | {inside.removeprefix("/app/"): path.read_bytes() for inside, path in agent.files.items()}


def wrong_verdicts(
    target: Target, grade: Grade, severity: str = "proof", probes: tuple[Probe, ...] = PROBES
) -> Iterator[tuple[str, Submission]]:
    """Yield the probe and the submission of each wrong verdict of this severity."""
    for probe in probes:
        for submission in probe.submissions(target):
            if submission.severity == severity and passed(grade, handed_in(target, submission)) != (
                submission.expects == "passes"
            ):
                yield probe.card.id, submission


def passed(grade: Grade, files: Files) -> bool:
    """Grade as a careful harness does: a grader that crashes has not passed the work."""
    try:
        return bool(grade(files))
    # sqlite3 says MemoryError for a database of no bytes.
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, MemoryError, sqlite3.Error):
        return False
