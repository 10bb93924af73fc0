"""What the scripted agents share: find the task, make stories, train, hand in. Plain programs, no models.

They run in the workspace of `fairtrial posttrain run`; the evaluator's folder lends them its Llama.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, "evaluator")
import torch
from llama import answers, load, save, train

BASE, FINAL = Path("/base_model"), Path("final_model")
SIZES = (4, 5, 6)
Rows = list[dict[str, str]]
torch.set_num_threads(1)


def seed_given() -> int:
    """Return the seed that the command names, 0 where it names none."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else 0


def track() -> str:
    """Return the benchmark that TASK.md names."""
    return re.search(r"`(\w+)`", Path("TASK.md").read_text(encoding="utf-8"))[1]


def read_rows(path: Path | str) -> Rows:
    """Read JSON lines."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def write_rows(path: Path | str, rows: Rows) -> None:
    """Write JSON lines."""
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def solved(question: str, family: str) -> dict[str, str]:
    """Return a row with the right answer of a story."""
    digits = re.search(r"\d+", question)[0]
    return {"question": question, "answer": "".join(sorted(digits)) if family == "sort" else digits[::-1]}


def made(drawn: random.Random, sizes: Sequence[int], count: int) -> Rows:
    """Return new stories: each sentence is one of another practice story, the digits are drawn."""
    family = track()
    told = [row["question"].split(" . ") for row in read_rows(f"practice/{family}.jsonl")]
    rows = []
    for _ in range(count):
        text = " . ".join(drawn.choice(told)[place] for place in range(len(told[0])))
        rows.append(solved(re.sub(r"\d+", "".join(drawn.choices("0123456789", k=drawn.choice(sizes))), text), family))
    return rows


def rates(rows: Rows, seed: int) -> dict[int, float]:
    """Return the base's accuracy on rows, by the number of digits."""
    model, tokenizer = load(BASE)
    said = answers(model, tokenizer, [row["question"] for row in rows], seed=seed)
    right: dict[int, list[bool]] = {}
    for row, one in zip(rows, said, strict=True):
        right.setdefault(len(row["answer"]), []).append(one == row["answer"])
    return {size: sum(each) / len(each) for size, each in sorted(right.items())}


def trained(rows: Rows, seed: int, steps: int = 150, start: Path = BASE, rate: float = 3e-3) -> float:
    """Train a model on rows and leave it as the final one; return the last loss."""
    model, tokenizer = load(start)
    loss = train(model, tokenizer, rows, steps=steps, seed=seed, rate=rate)
    save(model, FINAL, BASE)
    return loss


def declare(*names: str) -> None:
    """Say which files the model was trained on."""
    Path("training_set.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


class Trajectory:
    """What was done, as ATIF: every command that was run, with what it printed."""

    def __init__(self, agent: str) -> None:
        task = Path("TASK.md").read_text(encoding="utf-8")
        self.steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": task}]
        self.agent = agent

    def say(self, message: str, **more: Any) -> None:
        """Add a step with words."""
        print(message, flush=True)
        self.steps.append({"step_id": len(self.steps) + 1, "source": "agent", "message": message} | more)

    def run(self, message: str, command: str) -> subprocess.CompletedProcess[str]:
        """Run a command and add it as a step."""
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        call = {"tool_call_id": f"call-{len(self.steps)}", "function_name": "bash", "arguments": {"command": command}}
        result = {"source_call_id": call["tool_call_id"], "content": f"{done.stdout}{done.stderr}"[-4000:]}
        self.say(message, tool_calls=[call], observation={"results": [result]})
        return done

    def write(self) -> None:
        """Write it where the benchmark looks for it."""
        whole = {"schema_version": "ATIF-v1.5", "session_id": "run", "agent": {"name": self.agent, "version": "1"},
                 "steps": self.steps}  # fmt: skip
        Path("trajectory.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
