"""Call the rubric of a `verifiers` environment of the first generation (`load_environment()`, `Rubric`).

Its rubrics catch what a reward function raises, log it, and count 0; here such a log line makes the call ungraded.
A rubric that needs a model or a rollout's own state raises, and its calls are ungraded.
"""

from __future__ import annotations

import inspect
import logging
import sys
import time
from typing import Any

from .errors import UnscoredError
from .rows import Row, state_of
from .scores import score_of


def adapter(found: Any) -> Rubric | None:
    """Return an adapter where `found` is an environment, a rubric, or loads an environment; else None."""
    if "verifiers" not in sys.modules:
        return None
    if inspect.isfunction(found) and found.__name__ == "load_environment":
        found = found()
    rubric = getattr(found, "rubric", None)
    if rubric is not None and hasattr(rubric, "score_rollout"):
        return Rubric(rubric, environment=found)
    return Rubric(found) if hasattr(found, "score_rollout") and not inspect.isclass(found) else None


class Swallowed(logging.Handler):
    """Keeps the errors that a rubric logs instead of raising."""

    def __init__(self) -> None:
        super().__init__(level=logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.messages.append(record.getMessage())


class Rubric:
    """A rubric and, where it came with one, its environment."""

    framework = "verifiers"

    def __init__(self, rubric: Any, environment: Any = None) -> None:
        self.rubric = rubric
        self.environment = environment
        self.swallowed = Swallowed()
        logging.getLogger("verifiers").addHandler(self.swallowed)
        self.function = next(iter(_functions(rubric)), None)
        self.wants_chat = getattr(environment, "message_type", "chat") == "chat"

    async def score(self, row: Row) -> float:
        """Return the weighted reward. Raise UnscoredError where a reward function raised and the rubric hid it."""
        state = self._state(row)
        self.swallowed.messages.clear()
        taken = inspect.signature(self.rubric.score_rollout).parameters
        if "completion" in taken:
            named = {name: state[name] for name in ("prompt", "completion", "answer", "info", "task") if name in taken}
            found = await self.rubric.score_rollout(state=state, **named)
        else:
            found = await self.rubric.score_rollout(state)
        if self.swallowed.messages:
            raise UnscoredError("raised", f"hidden by the rubric: {self.swallowed.messages[0]}")
        return score_of(state.get("reward") if found is None else found)

    def _state(self, row: Row) -> Any:
        from verifiers.types import State

        completion = row.messages() if self.wants_chat else row.text()
        state = State()
        state.update(state_of(row))
        state.update({
            "prompt": row.asked() if self.wants_chat else row.question(), "completion": completion,
            "task": row.info.get("task", "default"), "example_id": row.case.get("id", "0"), "timing": _timing(),
            "input": {"prompt": row.asked(), "answer": row.answer, "info": row.info,
                      "example_id": row.case.get("id", "0"), "task": row.info.get("task", "default")},
        })  # fmt: skip
        return state

    def own_cases(self, most: int, seed: int) -> list[dict[str, Any]]:
        """Return the first rows of the environment's data set."""
        del seed
        if self.environment is None:
            return []
        rows = self.environment.get_dataset() if callable(getattr(self.environment, "get_dataset", None)) else []
        cases = []
        for number in range(min(most, len(rows))):
            row = dict(rows[number])
            info = row.pop("info", None)
            rest = {key: value for key, value in row.items() if key not in ("prompt", "answer", "example_id", "id")}
            cases.append({"id": str(row.get("example_id", number)), "prompt": _plain(row.get("prompt", "")),
                          "answer": row.get("answer", ""),
                          "info": {**rest, **(info if isinstance(info, dict) else {})}})  # fmt: skip
        return cases

    def described(self) -> dict[str, Any]:
        """Say how the grader is called."""
        return {"parameters": {getattr(one, "__name__", "?"): "reward function" for one in _functions(self.rubric)}}


def _functions(rubric: Any) -> list[Any]:
    found = list(getattr(rubric, "funcs", None) or getattr(rubric, "reward_funcs", None) or [])
    for inner in getattr(rubric, "rubrics", None) or []:
        found += _functions(inner)
    return found


def _timing() -> Any:
    """Return what the installed version keeps times in."""
    import verifiers.types as types

    made = getattr(types, "RolloutTiming", None)
    if made is not None and not issubclass(made, dict):
        return made()
    return {"generation_ms": 0.0, "scoring_ms": 0.0, "total_ms": 0.0, "start_time": time.time()}


def _plain(prompt: Any) -> Any:
    return prompt if isinstance(prompt, str) else [dict(one) for one in prompt]
