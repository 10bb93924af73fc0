"""Ledgers to choose sets from: rollouts of text tasks and of agents, each with a verdict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory, document
from fairtrial.ledger import Ledger
from fairtrial.records import Outcome, Rollout, Verdict


def ledger_at(folder: Path) -> Ledger:
    """Return a ledger, made if it is not there."""
    folder.mkdir(exist_ok=True)
    return Ledger.open(folder / "ledger", create=True)


def put(ledger: Ledger, rollout: Rollout, outcome: Outcome | None = "passed", **verdict: Any) -> Rollout:
    """Append a rollout with its verdict; None: nobody graded it."""
    if outcome is not None:
        score = None if outcome == "ungraded" else float(outcome == "passed")
        ledger.append("verdicts", [Verdict(rollout=rollout.id, outcome=outcome, score=score, grader="g", **verdict)])
    ledger.append("rollouts", [rollout])
    return rollout


def put_all(ledger: Ledger, told: Sequence[tuple[Rollout, Outcome]]) -> None:
    """Append many rollouts with their verdicts at once."""
    ledger.append("verdicts", [Verdict(rollout=one.id, outcome=outcome, grader="g") for one, outcome in told])
    ledger.append("rollouts", [one for one, _ in told])


def text_rollout(task: str = "t", attempt: int = 0, answer: str = "four", **more: Any) -> Rollout:
    """Return a rollout of a prompt and an answer."""
    return Rollout(**{"task": task, "model": "m", "attempt": attempt, "agent": "completion", "answer": answer} | more)


def agent_rollout(ledger: Ledger, task: str, *steps: AtifStep, attempt: int = 0, **more: Any) -> Rollout:
    """Return a rollout with a trajectory: an instruction, then `steps`."""
    told = Trajectory(agent="a", model="m", steps=(AtifStep(source="user", message=f"Do {task}."), *steps))
    blob = ledger.put_blob(orjson.dumps(document(told)))
    return Rollout(task=task, model="m", agent="a", attempt=attempt, trajectory=blob, **more)


def acted(message: str, command: str = "ls", output: str = "a.txt") -> tuple[AtifStep, AtifStep]:
    """Return a step with a command, and a last one that says something."""
    call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": command})
    return (
        AtifStep(source="agent", tool_calls=(call,), observations=(Observation(content=output, source_call_id="c"),),
                 metrics=Metrics(prompt_tokens=1)),
        AtifStep(source="agent", message=message, metrics=Metrics(prompt_tokens=1)),
    )  # fmt: skip


def tasks_at(folder: Path, *rows: dict[str, Any], name: str = "tasks.jsonl") -> Path:
    """Write text tasks; what a row does not say is made up from its name."""
    full = [{"prompt": f"What is {row['name']}?", "answer": "four"} | row for row in rows]
    return lines(folder / name, full)


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
