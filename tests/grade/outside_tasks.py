"""A task whose tests report one check in the box, and whose checks.toml has one of the process beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.sandbox import Command, Completed, FakeSandbox

CHECKS = """[[check]]
name = "word"
use = "file_text"
path = "/app/file"
contains = "hello"

[[check]]
name = "asked-first"
use = "comes_before"
first = {tool = "ask"}
then = {tool = "act"}
"""
GRADING = '[[check]]\nname = "word"\n[[check]]\nname = "asked-first"\nrole = "blocker"\n'


def make_task(folder: Path, checks: str = CHECKS, grading: str = GRADING) -> Path:
    """Write the task into `folder`."""
    texts = {"task.toml": 'version = "1.0"\n', "instruction.md": "Say hello.\n", "tests/test.sh": "t\n",
             "tests/checks.toml": checks, "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n",
             "solution/solve.sh": "s\n"} | ({"grading.toml": grading} if grading else {})  # fmt: skip
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def acted(*tools: str) -> Trajectory:
    """Return a trajectory of these tools, one a step."""
    steps = [
        AtifStep(source="agent", tool_calls=(ToolCall(tool_call_id="c", function_name=tool),),
                 observations=(Observation(content="ok", source_call_id="c"),))
        for tool in tools
    ]  # fmt: skip
    return Trajectory(agent="a", steps=(AtifStep(source="user", message="Say hello."), *steps))


def box(status: str = "passed", reward: str | None = None, extra: Mapping[str, str] | None = None) -> FakeSandbox:
    """Return a sandbox whose tests report the check `word` with `status`, and write `reward`."""

    def act(command: Command, root: Path) -> Completed:
        logs = root / "logs" / "verifier"
        if "/tests/test.sh" in " ".join(command.argv):
            tests = [{"name": name, "status": s} for name, s in ({"word": status} | dict(extra or {})).items()]
            (logs / "ctrf.json").write_text(json.dumps({"results": {"tests": tests}}))
            if reward is not None:
                (logs / "reward.txt").write_text(reward)
        elif command.argv[0] == "write":
            (root / "app" / "file").write_text(command.argv[1])
        return Completed(exit_code=0, output="", seconds=0.0)

    return FakeSandbox(act)
