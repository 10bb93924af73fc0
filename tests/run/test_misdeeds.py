"""What an agent does to its own box is its failure: never the sandbox's, never the end of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fairtrial.grade import HarborGrader
from fairtrial.run import Action, Assignment, Episode, Situation, Trial, Tried
from fairtrial.sandbox import Command, Mount, Sandbox, find
from fairtrial.tasks import load_task

STEPS = 'version = "1.0"\n[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n'
TEST = "grep -q ok answer.txt && r=1 || r=0\necho $r > /logs/verifier/reward.txt\n"


@dataclass(frozen=True)
class Bash:
    """An agent with one script a step."""

    scripts: tuple[str, ...]
    name: str = "bash"
    model: str = "tester"
    effort: str = ""
    needs_isolation: bool = False

    def settings(self) -> Mapping[str, Any]:
        return {}

    def mounts(self) -> Sequence[Mount]:
        return ()

    def act(self, situation: Situation) -> Episode:
        script = self.scripts[1 if situation.step.name == "two" else 0]
        done = situation.box.run(Command(("bash", "-c", f"cd /app; {script}"), cwd="/"))
        return Episode(actions=(Action(tool="shell", observation=done.output),), stop="finished")


@pytest.fixture
def sandbox() -> Sandbox:
    found = find("bwrap")
    if why := found.capability().why:
        pytest.skip(f"bubblewrap does not work here: {why}")
    return found


def _tried(folder: Path, sandbox: Sandbox, scripts: tuple[str, ...], *, live: bool = False) -> Tried:
    files = {
        "task.toml": STEPS if len(scripts) > 1 else 'version = "1.0"\n',
        "instruction.md": "Do it.\n",
        "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n",
        "tests/test.sh": TEST,
        "proof.toml": f"live = {str(live).lower()}\n",
    }
    for step in ("one", "two") if len(scripts) > 1 else ():
        files |= {f"steps/{step}/instruction.md": "Do it.\n", f"steps/{step}/workdir/given.txt": "given\n"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    task, key = load_task(folder)
    assignment = Assignment(task=task, agent=Bash(scripts), attempt=0, seed=0, sandbox=sandbox)
    return Trial(assignment=assignment, grader=HarborGrader(key=key, sandbox=sandbox))()


DEEP = "python3 -c \"import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')\""
LONG = "python3 -c \"import os\nfor _ in range(40): os.mkdir('d' * 250); os.chdir('d' * 250)\""


@pytest.mark.parametrize("misdeed", [DEEP, LONG, "rm -rf /app; mkfifo /app", "chmod 0 / /app"])
def test_what_an_agent_leaves_is_graded_as_wrong_work(tmp_path: Path, sandbox: Sandbox, misdeed: str) -> None:
    assert [grading.outcome for grading in _tried(tmp_path, sandbox, (misdeed,)).gradings] == ["failed"]


@pytest.mark.parametrize(
    "misdeed", ["rm -rf /app; touch /app", "rm -rf /app; ln -s app /app", "rm -rf /logs; touch /logs", "mv /etc /x"]
)
@pytest.mark.parametrize("live", [False, True])
def test_a_step_cannot_break_the_next(tmp_path: Path, sandbox: Sandbox, misdeed: str, live: bool) -> None:
    tried = _tried(tmp_path, sandbox, (misdeed, "true"), live=live)
    assert [(grading.outcome, grading.score) for grading in tried.gradings] == [("failed", 0.0)]


def test_a_live_box_in_which_nothing_runs_is_a_failure(tmp_path: Path, sandbox: Sandbox) -> None:
    (grading,) = _tried(tmp_path, sandbox, ("rm /lib64 /lib",), live=True).gradings
    assert (grading.outcome, grading.evidence["error"]) == (
        "failed", "nothing runs any more in the box that the agent left",
    )  # fmt: skip


def test_the_tests_of_a_step_are_gone_when_the_agent_goes_on(tmp_path: Path, sandbox: Sandbox) -> None:
    tried = _tried(tmp_path, sandbox, ("echo ok > answer.txt", "cat /tests/*"), live=True)
    assert tried.gradings[0].outcome == "passed"
    assert b"reward.txt" not in tried.blobs[0]
