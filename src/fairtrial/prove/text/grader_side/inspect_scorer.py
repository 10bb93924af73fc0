"""Call an Inspect scorer: a finished TaskState and a Target in, a Score out.

Covers scorers and tasks that score what the model said. A scorer that needs a model or a sandbox raises, and its
calls are ungraded.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

from .errors import UnscoredError
from .rows import Message, Row, content_of
from .scores import letter_or_score

MODEL = "fairtrial/known"


def adapter(found: Any) -> InspectScorer | None:
    """Return an adapter where `found` is an Inspect scorer, a maker of one, or a task that has one; else None."""
    if "inspect_ai" not in sys.modules:
        return None
    kind = getattr(getattr(found, "__registry_info__", None), "type", "")
    if kind == "task" and callable(found):
        found = found()
    if kind == "scorer" and not _takes_state(found):
        found = found()
    scorers = getattr(found, "scorer", None)
    if scorers and hasattr(found, "dataset"):
        every = list(scorers) if isinstance(scorers, (list, tuple)) else [scorers]
        return InspectScorer(every[0], task=found, others=len(every) - 1)
    return InspectScorer(found) if callable(found) and _takes_state(found) else None


def _takes_state(found: Any) -> bool:
    try:
        names = list(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        return False
    return names[:2] == ["state", "target"]


class InspectScorer:
    """A scorer of Inspect."""

    framework = "inspect"

    def __init__(self, scorer: Any, task: Any = None, others: int = 0) -> None:
        self.function = scorer
        self.task = task
        self.others = others

    async def score(self, row: Row) -> float:
        """Return the score. Raise UnscoredError where the scorer gave none."""
        from inspect_ai.scorer import Target

        answer = row.answer if isinstance(row.answer, list) else [str(row.answer)]
        target = Target([str(one) for one in answer])
        score = await self.function(_state(row, target), target)
        if score is None:
            raise UnscoredError("nothing returned", "the scorer returned None")
        return letter_or_score(getattr(score, "value", score))

    def own_cases(self, most: int, seed: int) -> list[dict[str, Any]]:
        """Return the samples of the task, at most `most`."""
        del seed
        samples = list(self.task.dataset)[:most] if self.task is not None else []
        return [
            {"id": str(getattr(one, "id", None) or number), "prompt": _asked(one.input), "answer": one.target,
             "info": {**(one.metadata or {}), **({"choices": list(one.choices)} if one.choices else {})}}
            for number, one in enumerate(samples)
        ]  # fmt: skip

    def described(self) -> dict[str, Any]:
        """Say how the grader is called."""
        return {"parameters": {"state": "state", "target": "answer"}, "other_scorers": self.others}


def _state(row: Row, target: Any) -> Any:
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.solver import TaskState

    choices = row.info.get("choices")
    given = {
        "model": ModelName(MODEL), "sample_id": row.case.get("id", "0"), "epoch": 1, "input": row.question(),
        "messages": [_message(one) for one in (*row.asked(), *row.messages())], "target": target,
        "choices": choices if isinstance(choices, list) else None, "metadata": dict(row.info), "completed": True,
        "output": ModelOutput.from_content(MODEL, row.text()),
    }  # fmt: skip
    taken = inspect.signature(TaskState.__init__).parameters
    return TaskState(**{name: value for name, value in given.items() if name in taken})


def _message(message: Message) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant, "tool": ChatMessageTool}
    return kinds.get(str(message.get("role")), ChatMessageUser)(content=content_of(message))


def _asked(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return [{"role": str(one.role), "content": str(one.text)} for one in value]
