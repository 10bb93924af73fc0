"""What one evaluation said of one model at one seed: an accuracy, items where the evaluator names them, or why none.

A file, exit code, time or number that is not there or makes no sense leaves the model ungraded, for a reason; it is
never a zero. Not covered: running it (`contract`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fairtrial.posttrain.folder import read_document
from fairtrial.records import FormatError

SCHEMA = "fairtrial.posttrain_evaluation/1"
MOST_BYTES = 256 << 20
MOST_ID = 500
TOLERANCE = 0.0005
"""Accuracies may be rounded to three digits."""

Reason = Literal[
    "", "evaluator_exit", "evaluator_timeout", "evaluator_memory", "evaluator_output", "result_missing",
    "result_invalid", "accuracy_invalid", "items_invalid", "items_disagree", "items_differ",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One seed."""

    seed: int
    accuracy: float | None
    """In [0, 1]; None: ungraded."""
    reason: Reason = ""
    """Why it is ungraded; empty where it is not."""
    why: str = ""
    """The same in words."""
    items: Mapping[str, bool | None] | None = None
    """Item -> passed, None where the evaluator could not grade it; None as a whole where it names no items."""
    seconds: float = 0.0
    exit_code: int | None = None
    said: str = ""
    """The end of what it printed."""
    evaluated_at: str = ""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        items = None if self.items is None else [{"id": name, "passed": one} for name, one in self.items.items()]
        return {"schema": SCHEMA} | told | {"items": items}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """All seeds of one model on one track."""

    seeds: tuple[Evaluation, ...] = field(default=())

    @property
    def graded(self) -> list[Evaluation]:
        """Return the evaluations that gave an accuracy."""
        return [one for one in self.seeds if one.accuracy is not None]

    @property
    def has_items(self) -> bool:
        """Say whether every graded evaluation names its items."""
        return bool(self.graded) and all(one.items is not None for one in self.graded)

    @property
    def broken(self) -> str:
        """Return why nothing was measured; empty where something was."""
        return "" if self.graded else "; ".join(dict.fromkeys(one.why for one in self.seeds)) or "never evaluated"


def read_evaluated(folder: Path, seeds: Sequence[int]) -> Evaluated | None:
    """Return what was kept of all `seeds`, None where one is missing. Raise FormatError for a file that is another."""
    found = [read_evaluation(folder / f"{seed}.json") for seed in seeds]
    return None if any(one is None for one in found) else Evaluated(tuple(one for one in found if one is not None))


def read_evaluation(path: Path) -> Evaluation | None:
    """Return one evaluation that was kept; None where there is none."""
    content = read_document(path, SCHEMA)
    if content is None:
        return None
    del content["schema"]
    items = content["items"]
    held = None if items is None else {one["id"]: one["passed"] for one in items}
    return Evaluation(**(content | {"items": held}))


def read_result(data: bytes) -> tuple[float, dict[str, bool | None] | None]:
    """Read what an evaluator wrote. Raise FormatError whose field is the reason for what cannot be taken at its word.

    >>> read_result(b'{"accuracy": 0.5, "items": [{"id": "a", "passed": true}, {"id": "b", "passed": false}]}')
    (0.5, {'a': True, 'b': False})
    """
    try:
        told = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"its result is not JSON: {str(error)[:200]}", field="result_invalid") from error
    if not isinstance(told, dict):
        raise FormatError("its result is no JSON object", field="result_invalid")
    accuracy = told.get("accuracy")
    if isinstance(accuracy, bool) or not isinstance(accuracy, int | float) or not math.isfinite(accuracy):
        raise FormatError(f"its accuracy is {str(accuracy)[:80]}, no finite number", field="accuracy_invalid")
    if not 0 <= accuracy <= 1:
        raise FormatError(f"its accuracy is {accuracy}, not between 0 and 1", field="accuracy_invalid")
    items = _items(told.get("items"))
    if items is not None:
        _must_agree(float(accuracy), items)
    return float(accuracy), items


def _items(told: Any) -> dict[str, bool | None] | None:
    if told is None:
        return None
    if not isinstance(told, list) or not told:
        raise FormatError("its `items` are no list that holds any", field="items_invalid")
    found: dict[str, bool | None] = {}
    for number, one in enumerate(told):
        name = one.get("id") if isinstance(one, dict) else None
        name = str(name) if isinstance(name, int) and not isinstance(name, bool) else name
        if not isinstance(name, str) or not name.strip() or len(name) > MOST_ID or name in found:
            raise FormatError(f"item {number} has no `id` of its own", field="items_invalid")
        if "passed" not in one or not (one["passed"] is None or isinstance(one["passed"], bool)):
            raise FormatError(f"item {number}: `passed` is not true, false or null", field="items_invalid")
        found[name] = one["passed"]
    return found


def _must_agree(accuracy: float, items: Mapping[str, bool | None]) -> None:
    """Raise FormatError where the accuracy is not that of its items: nobody knows then which of the two counts."""
    graded = [one for one in items.values() if one is not None]
    if not graded:
        raise FormatError("none of its items is graded", field="items_disagree")
    rate = sum(graded) / len(graded)
    if abs(rate - accuracy) > TOLERANCE + 1e-9:
        raise FormatError(f"its accuracy is {accuracy:g}, and of its {len(graded)} graded items {rate:g} passed",
                          field="items_disagree")  # fmt: skip
