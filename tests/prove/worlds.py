"""A task folder and a fake sandbox that acts out solutions and graders, so that proofs can be tested without processes.

A submission's script is one word, written to /app/answer. The grader is a Python function from that word (None where
nothing was handed in) to a reward, its checks, or a fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.sandbox import Command, Completed, FakeSandbox
from fairtrial.tasks import Suite, load_suite

Grade = Callable[[str | None], "Said"]


@dataclass(frozen=True)
class Said:
    """What the acted grader leaves behind."""

    reward: str | None = "0"
    checks: Mapping[str, str] = field(default_factory=dict)
    killed: str = ""
    output: str = "graded"


def make_task(
    folder: Path,
    *,
    candidates: Mapping[str, tuple[str, str]] | None = None,
    fails: Mapping[str, list[str]] | None = None,
    reference: str | None = "right",
    grading: str = "",
) -> Path:
    """Write a task folder; `candidates` maps a name to its kind and the word it hands in."""
    for name in ("environment", "tests"):
        (folder / name).mkdir(parents=True)
    (folder / "task.toml").write_text('version = "1.0"\n[verifier]\ntimeout_sec = 10.0\n[agent]\ntimeout_sec = 10.0\n')
    (folder / "instruction.md").write_text("Write the right word into /app/answer.\n")
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\n")
    (folder / "tests" / "test.sh").write_text("echo acted\n")
    if grading:
        (folder / "grading.toml").write_text(grading)
    if reference is not None:
        _script(folder / "solution", reference)
    proof = []
    for name, (kind, word) in (candidates or {}).items():
        _script(folder / "candidates" / name, word)
        proof.append(f'[[candidate]]\nname = "{name}"\nkind = "{kind}"\nsolve = "candidates/{name}/solve.sh"')
        if fails and name in fails:
            proof.append(f"fails = {json.dumps(fails[name])}")
    (folder / "proof.toml").write_text("\n".join(proof))
    return folder


def suite_of(folder: Path) -> Suite:
    """Load what `make_task` wrote."""
    return load_suite(folder)


def sandbox_with(grade: Grade, notes: tuple[str, ...] = ()) -> FakeSandbox:
    """Return a sandbox whose solve scripts hand in their word, and whose test.sh is `grade`."""

    def act(command: Command, root: Path) -> Completed:
        words = " ".join(command.argv)
        answer = root / "app" / "answer"
        if "/tests/test.sh" in words:
            said = grade(answer.read_text() if answer.exists() else None)
            logs = root / "logs" / "verifier"
            if said.reward is not None:
                (logs / "reward.txt").write_text(said.reward)
            if said.checks:
                tests = [{"name": n, "status": s, "duration": 0} for n, s in said.checks.items()]
                (logs / "ctrf.json").write_text(json.dumps({"results": {"tests": tests}}))
            return Completed(exit_code=0, output=said.output, seconds=0.0, killed=said.killed)  # type: ignore[arg-type]
        script = root / command.argv[-1].lstrip("/")
        answer.parent.mkdir(exist_ok=True)
        answer.write_text(script.read_text())
        return Completed(exit_code=0, output="", seconds=0.0)

    return FakeSandbox(act, notes)


def _script(folder: Path, word: str) -> None:
    folder.mkdir(parents=True)
    (folder / "solve.sh").write_text(word)
