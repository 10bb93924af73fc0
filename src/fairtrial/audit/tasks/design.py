"""A second correct design, handed to the task's own grader: does it pass?

A folder with solve.sh is run as the reference is; a folder without one mirrors the box, as a deliverable does (the file
/app/x lies at FOLDER/app/x); a patch is applied in the workdir. Its rollout is `known`: no policy made it. A design
whose own script or patch fails was not handed in, and nothing is said of the grader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fairtrial.formats.atif import read_trajectory
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.grade.outside import TRAJECTORY
from fairtrial.models import ModelSpec
from fairtrial.records import FormatError, InputError, canonical_json, digest
from fairtrial.run import Agent, Assignment, FilesAgent, SubmissionAgent, Trial, Tried, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Key, Task
from fairtrial.tasks.hashes import tree_entries

Kind = Literal["script", "files", "patch"]
PATCHES = (".patch", ".diff")
REPEATS = 2

_SHOWN_AT = "/design"
_APPLIED = "the patch was applied"
_APPLY = f"""\
set -e
if command -v patch >/dev/null; then patch -p1 --batch -i {_SHOWN_AT}/second.patch
elif command -v git >/dev/null; then git apply -v {_SHOWN_AT}/second.patch
else echo 'neither patch nor git is there'; exit 1
fi
echo '{_APPLIED}'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A design as it lies in a folder or a patch."""

    path: Path
    kind: Kind
    hash: str
    """Content address of what is handed in: the same for two who bring the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedDesign:
    """What the grader said of a design."""

    design: Design
    passed: int
    failed: int
    reasons: tuple[str, ...]
    """Why gradings came to no verdict, or why the design was not handed in; empty where all were measured."""
    tried: tuple[Tried, ...]
    sandbox: str

    @property
    def passes(self) -> bool | None:
        """Say whether the grader passes it each time; None where it wavers or was not measured to the end."""
        if self.reasons or (self.passed and self.failed) or not (self.passed or self.failed):
            return None
        return self.passed > 0

    def evidence(self) -> dict[str, Any]:
        """Return how it was tried, as JSON."""
        return {"design": self.design.hash, "kind": self.design.kind, "passed": self.passed, "failed": self.failed,
                "reasons": list(self.reasons), "rollouts": [one.rollout.id for one in self.tried],
                "sandbox": self.sandbox}  # fmt: skip


def read_design(path: Path) -> Design:
    """Read what lies at `path`. Raise InputError where it is no design, FormatError for links that lead out."""
    if path.is_file() and path.suffix in PATCHES:
        return Design(path=path, kind="patch", hash=digest(b"design/1\0" + path.read_bytes()))
    if not path.is_dir():
        raise InputError("is neither a folder nor a .patch" if path.exists() else "there is no such file or folder",
                         path=path, field="--try")  # fmt: skip
    entries = sorted(tree_entries(path, path, path))
    if not entries:
        raise InputError("is empty", path=path, field="--try")
    kind: Kind = "script" if (path / "solve.sh").is_file() else "files"
    if kind == "files" and any(what == "link" for _, what, _ in entries):
        raise FormatError("holds links, and files are laid one by one", path=path, hint="Copy what they lead to.")
    return Design(path=path, kind=kind, hash=digest(b"design/1\0" + canonical_json(entries)))


def try_design(
    task: Task, key: Key, design: Design, sandbox: Sandbox, *, repeats: int = REPEATS, judge: ModelSpec | None = None
) -> TriedDesign:
    """Hand `design` in and let the task's grader grade it `repeats` times; what runs, runs in `sandbox`."""
    rules = read_rules(key.grading) if key.grading is not None else None
    grader = HarborGrader(key=key, sandbox=sandbox, rules=rules, judge=judge)
    agent = _agent(design, key)
    # What a live grader needs is gone after one grading, so that the design is made anew for each.
    attempts, times = (repeats, 1) if task.live else (1, repeats)
    assignments = [
        Assignment(task=task, agent=agent, attempt=number, sandbox=sandbox, origin="known",
                   seed=attempt_seed(0, task.name, number))
        for number in range(attempts)
    ]  # fmt: skip
    tried = [Trial(assignment=one, grader=grader, times=times)() for one in assignments]
    gradings = [grading for one in tried for grading in one.gradings]
    counts = Counter(grading.outcome for grading in gradings)
    reasons = [f"{one.reason}: {one.evidence.get('error', '')}".rstrip(": ") for one in gradings
               if one.outcome == "ungraded"]  # fmt: skip
    reasons += _not_handed_in(design, tried)
    return TriedDesign(design=design, passed=counts["passed"], failed=counts["failed"], tried=tuple(tried),
                       reasons=tuple(dict.fromkeys(reasons)), sandbox=sandbox.name)  # fmt: skip


def _agent(design: Design, key: Key) -> Agent:
    """Return who hands it in, in the last step; the steps before it are the reference's."""
    name = f"second_design:{design.hash.removeprefix('sha256:')[:12]}"
    folders = {step.name: step.solution for step in key.steps if step.solution is not None}
    last = key.steps[-1].name
    folders.pop(last, None)
    if design.kind == "script":
        folders[last] = design.path
    trajectories = {name: path for name, folder in folders.items() if (path := folder / TRAJECTORY).is_file()}
    if last in trajectories:
        read_trajectory(trajectories[last])
    submission = SubmissionAgent(model=name, folders=folders, variables=key.solution_variables,
                                 trajectories=trajectories)  # fmt: skip
    if design.kind == "script":
        return submission
    earlier = submission if folders else None
    if design.kind == "patch":
        return FilesAgent(model=name, script=_APPLY, shown={f"{_SHOWN_AT}/second.patch": design.path}, earlier=earlier)
    files = {f"/{path.relative_to(design.path).as_posix()}": path
             for path in sorted(design.path.rglob("*")) if path.is_file()}  # fmt: skip
    return FilesAgent(model=name, files=files, earlier=earlier)


def _not_handed_in(design: Design, tried: Sequence[Tried]) -> list[str]:
    """Return why a design did not come to the grader as it was meant."""
    whys = []
    for one in tried:
        if design.kind == "patch" and _APPLIED not in one.said:
            whys.append(f"the patch could not be applied: {one.said.strip()[-300:]}")
        elif one.rollout.stop not in ("", "finished"):
            whys.append(f"its own script did not finish ({one.rollout.stop}): {one.said.strip()[-300:]}".rstrip(": "))
    return whys
