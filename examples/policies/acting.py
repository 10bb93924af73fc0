"""What both scripted policies share: a shell whose every use is recorded, a budget of turns, and seeded slips.

A policy is a program, not a model. It knows how to do each task and forgets, miscounts or overlooks things at set
rates, so that its rollouts are real (every command is run in the box, and what it leaves is graded) and its pass rates lie
between 0 and 1. It never sees tests or solutions, and has no idea whether it passed. Tokens are characters / 4.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_OUTPUT = 4_000
SECONDS = 30


class TurnLimit(Exception):
    """The policy has used up its turns."""


class GaveUp(Exception):
    """The policy sees no way on."""


@dataclass(frozen=True)
class Skill:
    """How a policy works: chances in [0, 1] per occasion."""

    name: str
    turns: int
    slips: Mapping[str, float]
    """Skill -> chance to get it wrong; `*` is the chance of those not named."""
    second_look: float
    """Chance to notice a slip before acting on it, at the price of a turn."""
    fumbles: float
    """Chance to waste a turn on a command that does not work here."""


class Shell:
    """Acts in the box and appends each step to the file that FAIRTRIAL_STEPS names."""

    def __init__(self, skill: Skill, task: str, seed: int, steps: Path) -> None:
        self.skill = skill
        self.task = task
        self.random = random.Random(f"{skill.name}/{task}/{seed}")
        self.steps = steps
        self.used = 0

    def run(self, message: str, command: str) -> str:
        """Run a command, record it, and return its output. Raise TurnLimit when no turn is left."""
        if self.used >= self.skill.turns:
            raise TurnLimit
        self.used += 1
        try:
            done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=SECONDS, check=False)
            output, code = (done.stdout + done.stderr).decode("utf-8", "replace"), done.returncode
        except subprocess.TimeoutExpired:
            output, code = f"no end after {SECONDS} s", 124
        output = output if len(output) <= MOST_OUTPUT else output[:MOST_OUTPUT] + "\n[cut]"
        self._write({"message": message, "command": command, "output": output, "exit_code": code})
        return output

    def python(self, message: str, code: str) -> str:
        """Run Python code as one command."""
        return self.run(message, f"python3 - <<'PY'\n{code.strip()}\nPY")

    def slips(self, skill: str, reread: str = "") -> bool:
        """Draw whether `skill` goes wrong now; a second look may catch it, with `reread` as its command."""
        chance = self.skill.slips.get(f"{self.task}/{skill}", self.skill.slips.get(skill, self.skill.slips["*"]))
        if self.random.random() >= chance:
            return False
        if self.random.random() >= self.skill.second_look:
            return True
        self.run("Before I go on, let me read that again.", reread or "ls")
        return False

    def fumble(self, *commands: str) -> None:
        """Perhaps waste a turn."""
        if self.random.random() < self.skill.fumbles:
            self.run("Let me try this first.", self.random.choice(commands))

    def end(self, stop: str) -> None:
        """Record why the policy stopped. It is a program: it used no token, and states none."""
        self._write({"stop": stop})

    def _write(self, row: Mapping[str, object]) -> None:
        with self.steps.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def main(skill: Skill, solvers: Mapping[str, Callable[[Shell], None]]) -> None:
    """Run one attempt at one task."""
    parser = argparse.ArgumentParser(description=f"The scripted policy `{skill.name}`.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--task", required=True)
    parser.add_argument("--steps-out", type=Path, default=os.environ.get("FAIRTRIAL_STEPS", "steps.jsonl"))
    options = parser.parse_args()
    shell = Shell(skill, options.task, options.seed, Path(options.steps_out))
    stop = "finished"
    try:
        instruction = os.environ.get("FAIRTRIAL_INSTRUCTION")
        shell.run("First, what is asked?", f"cat {instruction}" if instruction else "ls -a")
        solvers.get(options.task, _look_around)(shell)
    except TurnLimit:
        stop = "turn_limit"
    except GaveUp:
        stop = "gave_up"
    shell.end(stop)


def _look_around(shell: Shell) -> None:
    """Do what a policy can that knows nothing of the task: look, and give up."""
    shell.run("I have not done anything like this. What is here?", "ls -aR . | head -50")
    raise GaveUp
