"""A reward that the user wrote: `f(completion, answer, **columns) -> float | None`, named MODULE:FUNCTION.

It is called once an attempt, with those of `COLUMNS` that its signature takes; the last four are what verl calls its
own. What it raises, what it has not said in time, and what is no finite number is no reward, with the reason; it ends
nothing. A function that could never be called so is refused before anything is trained. Only a person on the command
line names one: it runs as it is, in this process. A file never does.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsFloat

from fairtrial.records import InputError
from fairtrial.tasks.text import TextKey, TextTask
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled
from fairtrial.train.rewards.time_limit import TookTooLong, at_most

RewardFunction = Callable[..., Any]
COLUMNS: tuple[str, ...] = ("completion", "answer", "prompt", "task", "family", "step", "outcome", "score",
                            "data_source", "solution_str", "ground_truth", "extra_info")  # fmt: skip
"""What a function may ask for, by name."""
SECONDS = 60.0
"""What one call may take: a judge that is asked over a network has answered by then."""
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_SINGLE = (*_BY_NAME, inspect.Parameter.POSITIONAL_ONLY)


class FunctionReward:
    """Pays what a function says."""

    def __init__(self, function: RewardFunction, keys: Mapping[str, TextKey], seconds: float = SECONDS) -> None:
        """Raise InputError for a function that cannot be called with the columns."""
        self._function, self._keys, self._seconds = function, keys, seconds
        self._takes = taken_by(function)

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return what the function says of each."""
        return [self._paid(one, said) for one, said in zip(sampled, graded, strict=True)]

    def _paid(self, one: Sampled, said: Graded) -> Rewarded:
        columns = self._columns(one, said)
        try:
            with at_most(self._seconds):
                return _checked(self._function(**{name: columns[name] for name in self._takes}))
        except TookTooLong:
            return Rewarded(value=None, reason="reward_timeout")
        except (Exception, SystemExit) as error:  # noqa: BLE001  the user's code: what it raises is a reason
            return Rewarded(value=None, reason=f"reward_raised: {type(error).__name__}")

    def _columns(self, one: Sampled, said: Graded) -> dict[str, Any]:
        key = self._keys.get(one.task.name)
        answer = key.answer if key is not None else None
        compared = {"kind": key.kind, "part": key.part} if key is not None else {}
        return {
            "completion": one.completion, "answer": answer, "prompt": _prompt(one.task), "task": one.task.name,
            "family": one.task.family, "step": one.step, "outcome": said.grading.outcome, "score": said.grading.score,
            "data_source": one.task.suite, "solution_str": one.completion, "ground_truth": answer,
            "extra_info": {"split": "train", "task": one.task.name, **compared},
        }  # fmt: skip


def taken_by(function: RewardFunction) -> tuple[str, ...]:
    """Return the columns that `function` takes.

    Raise InputError where it needs others, takes none by name, or is a coroutine.

    >>> taken_by(lambda completion, answer=None: 0.0)
    ('completion', 'answer')
    """
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004
        raise InputError("is a coroutine; a reward is a plain function", field="--grader")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        hint = "Write a function of your own around it."
        raise InputError("does not say what it takes", field="--grader", hint=hint) from error
    named = tuple(one.name for one in parameters if one.kind in _BY_NAME and one.name in COLUMNS)
    needed = (one.name for one in parameters if one.default is one.empty and one.kind in _SINGLE)
    if missing := [name for name in needed if name not in named]:
        raise InputError(f"needs `{missing[0]}`, and is called by name with some of {', '.join(COLUMNS)}",
                         field="--grader", hint="It judges one completion; give others a default.")  # fmt: skip
    return COLUMNS if any(one.kind is one.VAR_KEYWORD for one in parameters) else named


def _prompt(task: Any) -> str | list[dict[str, str]] | None:
    if not isinstance(task, TextTask):
        return None
    if isinstance(task.prompt, str):
        return task.prompt
    return [{"role": message.role, "content": message.content} for message in task.prompt]


def _checked(said: Any) -> Rewarded:
    if said is None:
        return Rewarded(value=None, reason="reward_abstained")
    value = float(said) if isinstance(said, SupportsFloat) else math.nan  # numpy's and torch's numbers are some too
    return Rewarded(value=value) if math.isfinite(value) else Rewarded(value=None, reason="reward_not_a_number")
