"""What both scripted policies of the claims desk share: read the record, act, and write down each step.

They are programs, not models: pages label their rollouts as scripted. They see what any agent sees, and no key.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXCESS = 100
Decide = Callable[[dict[str, Any], list[int], random.Random, bool], dict[str, Any]]


def main(name: str, decide: Decide) -> None:
    """Run one attempt: look, decide, write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--task", required=True)
    options = parser.parse_args()
    draw = random.Random(f"{name}/{options.task}/{options.seed}")
    instruction = Path(os.environ["FAIRTRIAL_INSTRUCTION"]).read_text()
    history = [json.loads(line) for line in _run("What is on record?", "cat history.jsonl").splitlines()]
    opened = next((line["fields"] for line in history if line["action"] == "opened"), {})
    totals = [line["fields"]["total"] for line in history if line["action"] == "document"]
    decision = decide(opened, totals, draw, "`ask`" in instruction)
    text = json.dumps(decision)
    _run("That settles it.", f"cat >decision.json <<'JSON'\n{text}\nJSON")
    _write({"stop": "finished"})


def _run(message: str, command: str) -> str:
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30, check=False)
    output = done.stdout + done.stderr
    _write({"message": message, "command": command, "output": output, "exit_code": done.returncode})
    return output


def _write(row: dict[str, Any]) -> None:
    with Path(os.environ["FAIRTRIAL_STEPS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def signs(opened: dict[str, Any], totals: list[int]) -> int:
    """Return how many of the policy's three signs of a forged claim the record shows."""
    higher = bool(totals) and opened["claimed"] - totals[-1] > 0
    return higher + (opened["policy_days"] < 60) + (not opened["police_report"])


def approve(amount: int) -> dict[str, Any]:
    """Return the decision to pay so much, less the excess."""
    return {"action": "approve", "amount": max(0, amount - EXCESS)}
