"""A reward that the user wrote: `f(completion, answer, **columns) -> float | None`, named MODULE:FUNCTION.

It is called once an attempt, with those of these names that its signature takes: `completion`, `answer`, `prompt`,
`task`, `family`, `step`, `outcome` and `score` (what the task's own grader said). `solution_str` and `ground_truth` are
taken too, as verl calls the first two. What it raises, and what is no finite number, is no reward, with the reason; it
ends nothing. Only a person on the command line names one: it runs as it is, in this process. A file never does.
"""

from __future__ import annotations

import importlib
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.records import InputError
from fairtrial.tasks.hashes import file_digest
from fairtrial.tasks.text import TextKey, TextTask
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled

RewardFunction = Callable[..., Any]


def load_function(name: str) -> RewardFunction:
    """Return the function that MODULE:FUNCTION names. Raise InputError where there is none."""
    module, _, function = name.partition(":")
    if "" not in sys.path:  # the current folder, where a person keeps it
        sys.path.insert(0, "")
    if not module or not function:
        raise InputError(f"`{name}` is not MODULE:FUNCTION", field="--grader")
    try:
        found = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise InputError(f"`{module}` cannot be imported: {error}", field="--grader") from error
    except AttributeError as error:
        raise InputError(f"`{module}` holds no `{function}`", field="--grader") from error
    if not callable(found):
        raise InputError(f"`{name}` is not a function", field="--grader")
    return found  # type: ignore[no-any-return]


def source_hash(function: RewardFunction) -> str:
    """Return the content address of the file that holds `function`; empty where there is none to read."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:  # a function of C, or an object that can be called
        return ""
    return file_digest(Path(file)) if file is not None and Path(file).is_file() else ""


class FunctionReward:
    """Pays what a function says."""

    def __init__(self, function: RewardFunction, keys: Mapping[str, TextKey]) -> None:
        self._function = function
        self._keys = keys
        self._takes = _names(function)

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return what the function says of each."""
        return [self._paid(one, said) for one, said in zip(sampled, graded, strict=True)]

    def _paid(self, one: Sampled, said: Graded) -> Rewarded:
        columns = self._columns(one, said)
        named = columns if self._takes is None else {name: columns[name] for name in self._takes if name in columns}
        try:
            return _checked(self._function(**named))
        except Exception as error:  # noqa: BLE001  the user's code: what it raises is that attempt's reason
            return Rewarded(value=None, reason=f"reward_raised: {type(error).__name__}")

    def _columns(self, one: Sampled, said: Graded) -> dict[str, Any]:
        key = self._keys.get(one.task.name)
        answer = key.answer if key is not None else None
        prompt = _prompt(one.task) if isinstance(one.task, TextTask) else None
        return {
            "completion": one.completion, "answer": answer, "prompt": prompt, "task": one.task.name,
            "family": one.task.family, "step": one.step, "outcome": said.grading.outcome, "score": said.grading.score,
            "solution_str": one.completion, "ground_truth": answer,
        }  # fmt: skip


def _names(function: RewardFunction) -> tuple[str, ...] | None:
    """Return the names that a function takes; None where it takes any."""
    parameters = inspect.signature(function).parameters.values()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return None
    return tuple(one.name for one in parameters)


def _prompt(task: TextTask) -> str | list[dict[str, str]]:
    if isinstance(task.prompt, str):
        return task.prompt
    return [{"role": message.role, "content": message.content} for message in task.prompt]


def _checked(said: Any) -> Rewarded:
    if said is None:
        return Rewarded(value=None, reason="reward_abstained")
    if isinstance(said, bool | int | float) and math.isfinite(said):
        return Rewarded(value=float(said))
    return Rewarded(value=None, reason="reward_not_a_number")
