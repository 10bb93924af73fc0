"""A Lifted as the JSON document `fairtrial.lift/1` of the command-line contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fairtrial.train.lift.result import Lift, Lifted

SCHEMA = "fairtrial.lift/1"


def document_of(lifted: Lifted) -> dict[str, Any]:
    """Return the document: the fields of the contract, and beside them everything else."""
    rest = asdict(lifted)
    comparisons = [_comparison(one) for one in lifted.comparisons]
    rest["refused"] = [{"model": model, "why": why} for model, why in lifted.refused]
    return {"schema": SCHEMA} | rest | {"comparisons": comparisons}


def _comparison(one: Lift) -> dict[str, Any]:
    """Return one comparison; `runs_per_task` is the fewest, and `runs` tells the most too."""
    whole = asdict(one)
    whole["runs_per_task"], whole["runs"] = one.runs_per_task[0], list(one.runs_per_task)
    whole["left_out"] = [{"task": task, "why": why} for task, why in one.left_out]
    return whole
