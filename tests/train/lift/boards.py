"""Ledgers of models with known counts, for the tests of lift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.records import Rollout, Verdict

BOARD: dict[str, Any] = {
    "suite": "digits@1", "settings": "warm", "environment": "text", "agent": "completion", "split": "held_out",
}  # fmt: skip


class Book:
    """A ledger that is filled by counts of passes."""

    def __init__(self, folder: Path) -> None:
        self.ledger = Ledger.open(folder, create=True)
        self._rollouts: list[Rollout] = []
        self._verdicts: list[Verdict] = []

    def add(self, model: str, task: str, marks: str, **fields: Any) -> None:
        """Add one rollout a letter: p passed, f failed, u ungraded, l passed at a limit."""
        for number, mark in enumerate(marks):
            stop = "turn_limit" if mark == "l" else "finished"
            known = BOARD | {"stop": stop, "family": task.rstrip("0123456789"), "output_tokens": 10} | fields
            rollout = Rollout(task=task, model=model, attempt=number, **known)
            outcome: Any = {"p": "passed", "l": "passed", "f": "failed", "u": "ungraded"}[mark]
            self._rollouts.append(rollout)
            self._verdicts.append(Verdict(rollout=rollout.id, outcome=outcome, grader="same", recorded_at="2026-01-01"))

    def model(self, name: str, marks: Mapping[str, str] | Sequence[str], **fields: Any) -> None:
        """Add the marks of every task: by name, or `t0`, `t1`, ... in order."""
        named = marks if isinstance(marks, Mapping) else {f"t{i}": each for i, each in enumerate(marks)}
        for task, each in named.items():
            self.add(name, task, each, **fields)

    def written(self) -> Ledger:
        """Return the ledger with all that was added."""
        self.ledger.append("verdicts", self._verdicts)
        self.ledger.append("rollouts", self._rollouts)
        self._rollouts, self._verdicts = [], []
        return self.ledger


def of_passes(passes: Sequence[int], runs: int = 8) -> list[str]:
    """Return the marks of tasks with these passes."""
    return ["p" * each + "f" * (runs - each) for each in passes]
