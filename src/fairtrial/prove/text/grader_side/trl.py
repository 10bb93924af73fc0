"""Call a TRL reward function: `prompts`, `completions` and every column as lists, one reward a completion.

A reward of None means that the function does not apply to that row; it is unscored.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .errors import UnscoredError, UnusableError
from .rows import Row
from .scores import score_of


class TrlGrader:
    """A reward function of TRL's trainers."""

    framework = "trl"

    def __init__(self, function: Callable[..., Any], columns: frozenset[str]) -> None:
        self.function = function
        parameters = inspect.signature(function).parameters.values()
        self.names = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]
        self.takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters)
        known = {"prompts", "completions", "completion_ids", "trainer_state", "answer", "answers", "solution",
                 "solutions", "ground_truth", "target", "label", *columns}  # fmt: skip
        for one in parameters:
            if one.default is one.empty and one.kind is not one.VAR_KEYWORD and one.name not in known:
                raise UnusableError(f"the reward function asks for `{one.name}`; add that column to the cases")

    def score(self, row: Row) -> Any:
        """Return the reward, or an awaitable of it."""
        found = self.function(**self._columns(row))
        return self._awaited(found) if inspect.isawaitable(found) else _only(found)

    async def _awaited(self, found: Any) -> float:
        return _only(await found)

    def _columns(self, row: Row) -> dict[str, Any]:
        prompt = row.prompt if row.form == "text" else row.asked()
        everything: dict[str, Any] = {"answers": [row.answer], "solutions": [row.answer], "answer": [row.answer],
                                      "solution": [row.answer], "ground_truth": [row.answer], "target": [row.answer],
                                      "label": [row.answer]}  # fmt: skip
        everything.update({name: [value] for name, value in row.info.items()})
        everything.update({"prompts": [prompt], "completions": [row.handed_in()],
                           "completion_ids": [list(row.text().encode("utf-8", "replace"))],
                           "trainer_state": None})  # fmt: skip
        if self.takes_all:
            return everything
        return {name: everything[name] for name in self.names if name in everything}

    def described(self) -> dict[str, Any]:
        """Say how the grader is called."""
        return {"parameters": dict.fromkeys(self.names, "column")}


def _only(found: Any) -> float:
    if isinstance(found, (str, bytes, dict)) or not hasattr(found, "__len__"):
        return score_of(found)
    if len(found) != 1:
        raise UnscoredError("no number", f"the reward function returned {len(found)} rewards for one completion")
    return score_of(found[0])
