"""Ledgers of models with known counts, for the tests of lift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.records import Checkpoint, Rollout, Verdict
from fairtrial.train.lift import Lifted, Options
from fairtrial.train.lift.lifting import lift_of
from fairtrial.train.lift.reading import Held, Line, TrainedOn

BOARD: dict[str, Any] = {
    "suite": "digits@1", "settings": "warm", "environment": "text", "agent": "completion", "split": "held_out",
}  # fmt: skip


QUICK = Options(replicates=300)


class Book:
    """Rollouts that are filled in by counts of passes, to be written to a ledger or compared as they are."""

    def __init__(self, folder: Path | None = None) -> None:
        self.ledger = Ledger.open(folder, create=True) if folder else None
        self.checkpoints: list[Checkpoint] = []
        self._rollouts: list[Rollout] = []
        self._verdicts: list[Verdict] = []

    def add(self, model: str, task: str, marks: str, grader: str = "same", **fields: Any) -> None:
        """Add one rollout a letter: p passed, f failed, u ungraded, l passed at a limit."""
        for number, mark in enumerate(marks):
            stop = "turn_limit" if mark == "l" else "finished"
            known = BOARD | {"stop": stop, "family": task.rstrip("0123456789"), "output_tokens": 10} | fields
            rollout = Rollout(task=task, model=model, attempt=number, **known)
            outcome: Any = {"p": "passed", "l": "passed", "f": "failed", "u": "ungraded"}[mark]
            self._rollouts.append(rollout)
            self._verdicts.append(Verdict(rollout=rollout.id, outcome=outcome, grader=grader, recorded_at="2026-01-01"))

    def model(self, name: str, marks: Mapping[str, str] | Sequence[str], **fields: Any) -> None:
        """Add the marks of every task: by name, or `t0`, `t1`, ... in order."""
        named = marks if isinstance(marks, Mapping) else {f"t{i}": each for i, each in enumerate(marks)}
        for task, each in named.items():
            self.add(name, task, each, **fields)

    def written(self, folder: Path | None = None) -> Ledger:
        """Return the ledger with all that was added, in `folder` where none was named before."""
        if self.ledger is None:
            assert folder is not None
            self.ledger = Ledger.open(folder, create=True)
        self.ledger.append("verdicts", self._verdicts)
        self.ledger.append("rollouts", self._rollouts)
        self.ledger.append("checkpoints", self.checkpoints)
        self._rollouts, self._verdicts, self.checkpoints = [], [], []
        return self.ledger

    def held(self, *names: str) -> Held:
        """Return the evaluations of these models as the ledger would, without one; a test holds it to that."""
        lines: dict[str, dict[Line, list[int | None]]] = {name: {} for name in names}
        trained = set()
        for one, verdict in zip(self._rollouts, self._verdicts, strict=True):
            if one.model not in lines or one.origin != "policy":
                continue
            if one.split == "train" or one.group:
                trained.add((one.task, one.task_hash, one.cluster))
                continue
            line = Line(one.suite, one.settings, one.environment, one.agent, one.model, one.effort, one.task,
                        one.task_hash, one.cluster, one.family, one.split, one.seed, one.step, verdict.grader,
                        verdict.outcome, one.stop, 0, 0, 0)  # fmt: skip
            lines[one.model].setdefault(line, []).append(one.output_tokens)
        known = TrainedOn(**{field: frozenset(row[i] for row in trained if row[i])
                             for i, field in enumerate(("tasks", "hashes", "clusters"))})  # fmt: skip
        return Held(
            lines={name: tuple(line._replace(runs=len(spent), told=len(spent) - spent.count(None),
                                             tokens=sum(each or 0 for each in spent))
                               for line, spent in sorted(mine.items(), key=repr)) for name, mine in lines.items()},
            trained_on=known, checkpoints=tuple(self.checkpoints),
        )  # fmt: skip

    def lift(self, *names: str, options: Options = QUICK) -> Lifted:
        """Return what the models gained over the first one."""
        return lift_of(self.held(*names, *options.controls), options)


def of_passes(passes: Sequence[int], runs: int = 8) -> list[str]:
    """Return the marks of tasks with these passes."""
    return ["p" * each + "f" * (runs - each) for each in passes]
