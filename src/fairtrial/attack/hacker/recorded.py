"""Recorded commands: read out of a rollout, written as a script, and acted out again without a model.

Each command runs in a shell of its own, where the last one ended, as the terminal agent ran it. One difference: what a
command leaves in the background lives until the script ends. Not covered: commands that wait for a person, or a clock.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.records import SandboxError, digest
from fairtrial.run import Agent, Assignment, Attempt, Episode, Situation, SubmissionAgent, Tried, attempt_seed
from fairtrial.sandbox import Command, Mount, Sandbox
from fairtrial.tasks import Task

SOLVE = "solve.sh"
_HEAD = """\
#!/bin/bash
# Commands that a language model gave on the task, in its order. Each ran in a shell of its own, where the last ended.
folder=$PWD
act() {
  local mark
  mark=$(mktemp)
  bash -c 'trap "pwd >$3" EXIT; cd -- "$2" || cd /; eval "set --; $1"' bash "$1" "$folder" "$mark" </dev/null
  folder=$(cat "$mark")
  rm -f "$mark"
}

"""

Commands = tuple[tuple[str, ...], ...]
"""Commands of each step of a task."""


def commands_of(tried: Tried) -> Commands:
    """Return the shell commands of a kept trial, step by step.

    The trajectory is the trial's first blob; the user's message opens each step.
    """
    steps: list[list[str]] = []
    for step in orjson.loads(tried.blobs[0])["steps"]:
        if step["source"] == "user":
            steps.append([])
        for call in step.get("tool_calls", ()):
            command = call["arguments"].get("command") if call["function_name"] == "shell" else None
            if steps and isinstance(command, str) and command.strip():
                steps[-1].append(command)
    return tuple(tuple(commands) for commands in steps)


def script(commands: Sequence[str]) -> str:
    """Return a bash script that acts the commands out.

    >>> script(["cd /tmp", "pwd"]).splitlines()[-2:]
    ["act 'cd /tmp'", 'act pwd']
    """
    return _HEAD + "".join(f"act {shlex.quote(command)}\n" for command in commands)


def write_scripts(folder: Path, task: Task, commands: Commands) -> dict[str, Path]:
    """Write a solve.sh for each step below `folder`; return step name -> the folder of its script."""
    folders = {}
    for step, given in zip(task.steps, commands, strict=False):
        place = folder / step.name if step.name else folder
        place.mkdir(parents=True, exist_ok=True)
        (place / SOLVE).write_text(script(given), encoding="utf-8")
        folders[step.name] = place
    return folders


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAgent:
    """Act out recorded scripts; a model wrote them, so they need isolation as it did."""

    model: str
    """Name of the attack."""
    folders: Mapping[str, Path]
    """Step name -> folder of its solve.sh."""
    after: str = ""
    """Bash, run after the script of the last step; for trying what the attack rests on."""
    name: str = "recorded"
    effort: str = ""
    needs_isolation: bool = True

    def _acted(self) -> SubmissionAgent:
        return SubmissionAgent(model=self.model, folders=self.folders)

    def settings(self) -> Mapping[str, Any]:
        """Return the scripts by content."""
        hashes = {step: digest((folder / SOLVE).read_bytes()) for step, folder in self.folders.items()}
        return {"scripts": hashes, "after": self.after}

    def mounts(self) -> Sequence[Mount]:
        """Return the folders of the scripts."""
        return self._acted().mounts()

    def act(self, situation: Situation) -> Episode:
        """Run the step's script."""
        episode = self._acted().act(situation)
        if self.after and situation.step == situation.task.steps[-1]:
            limits = replace(situation.task.environment.limits, seconds=situation.step.agent_seconds)
            situation.box.run(Command(("bash", "-c", self.after), cwd="/", limits=limits))
        return episode


def left_by(task: Task, agent: Agent, sandbox: Sandbox, scratch: Path, seed: int) -> Path | None:
    """Return the folder that mirrors what `agent` leaves after the last step; None where that cannot be told."""
    scratch.mkdir(parents=True)
    assignment = Assignment(task=task, agent=agent, attempt=0, sandbox=sandbox, origin="known",
                            seed=attempt_seed(seed, task.name, 0))  # fmt: skip
    try:
        with Attempt(assignment, scratch) as attempt:
            for step in task.steps:
                if attempt.act(step) is None:
                    return None
            return attempt.taken[-1].folder
    except SandboxError:
        return None
