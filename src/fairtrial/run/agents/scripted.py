"""A scripted policy: a seeded program that really acts in the sandbox and records its steps.

The program's folder is laid read-only at /policy; it is started as `python3 /policy/NAME.py --seed N --task NAME` in
the workdir, reads its instruction from the file that FAIRTRIAL_INSTRUCTION names, and appends one JSON line an action
(`message`, `command`, `output`, `exit_code`) to the file that FAIRTRIAL_STEPS names; a line with `stop` ends it. It may
state tokens and cost. Pages label such rollouts as scripted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.run.agents.shell import START_IN
from fairtrial.run.protocol import Action, Episode, Situation
from fairtrial.sandbox import Command, Mount
from fairtrial.sandbox.cache import scratch_folder

INSIDE = "/policy"
STEPS = "/logs/agent/steps.jsonl"
INSTRUCTION = "/logs/agent/instruction.md"
MOST_BYTES = 16_000_000
MOST_STOP_CHARACTERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedAgent:
    """Run one policy program per step."""

    program: Path
    """The policy, a Python file; its folder is what the box sees."""
    program_hash: str = ""
    """Content address of the folder, so that a changed policy is another policy."""
    name: str = "scripted"
    effort: str = ""
    needs_isolation: bool = False

    @property
    def model(self) -> str:
        """Return `scripted:` and the program's name."""
        return f"scripted:{self.program.stem}"

    def settings(self) -> Mapping[str, Any]:
        """Return the content address of the program."""
        return {"program": self.program.name, "hash": self.program_hash}

    def mounts(self) -> Sequence[Mount]:
        """Return the folder of the program."""
        return (Mount(self.program.parent, INSIDE),)

    def act(self, situation: Situation) -> Episode:
        """Run the program, then read what it recorded."""
        with scratch_folder() as scratch:
            logs = scratch / "agent"
            logs.mkdir()
            (logs / "instruction.md").write_text(situation.step.instruction)
            situation.box.put(logs, "/logs/agent")
            completed = situation.box.run(self._command(situation))
            taken = situation.box.take(["/logs/agent"], scratch / "taken", MOST_BYTES)
            recorded = taken.folder / STEPS.lstrip("/")
            lines = recorded.read_bytes().splitlines() if recorded.is_file() else []
        episode = _episode(lines)
        if completed.killed == "timeout":
            return replace(episode, stop="agent_timeout")
        if completed.killed or completed.exit_code:
            failure = Action(message="the policy program failed", observation=completed.output[-2000:])
            return replace(episode, actions=(*episode.actions, failure), stop="agent_error")
        return episode

    def _command(self, situation: Situation) -> Command:
        return Command(
            (
                "bash",
                "-c",
                START_IN,
                "bash",
                situation.task.environment.workdir,
                "python3",
                f"{INSIDE}/{self.program.name}",
                "--seed",
                str(situation.seed),
                "--task",
                situation.task.name,
            ),
            cwd="/",
            variables={"FAIRTRIAL_STEPS": STEPS, "FAIRTRIAL_INSTRUCTION": INSTRUCTION, "PYTHONDONTWRITEBYTECODE": "1"},
            limits=replace(situation.task.environment.limits, seconds=situation.step.agent_seconds),
        )


def _episode(lines: Sequence[bytes]) -> Episode:
    actions: list[Action] = []
    ending: dict[str, Any] = {}
    for line in lines:
        try:
            row: Any = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue  # a line cut short by a time-out
        if not isinstance(row, dict):
            continue
        if "stop" in row:
            ending = row
            continue
        command = row.get("command")
        actions.append(
            Action(
                message=str(row.get("message") or ""),
                tool="shell" if command else "",
                arguments={"command": str(command)} if command else None,
                observation=str(row.get("output") or ""),
            )
        )
    return Episode(
        actions=tuple(actions),
        stop=str(ending.get("stop") or "agent_error")[:MOST_STOP_CHARACTERS],
        input_tokens=_tokens(ending.get("input_tokens")),
        output_tokens=_tokens(ending.get("output_tokens")),
        cost_usd=_usd(ending.get("cost_usd")),
        answer=None if ending.get("answer") is None else str(ending["answer"]),
    )


def _tokens(stated: Any) -> int | None:
    """Return a count that a policy stated; None where it is none."""
    return stated if type(stated) is int and 0 <= stated < 2**63 else None


def _usd(stated: Any) -> float | None:
    is_number = type(stated) in (int, float)
    return float(stated) if is_number and 0 <= stated < float("inf") else None
