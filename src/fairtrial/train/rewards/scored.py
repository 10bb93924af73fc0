"""The reward that a reward model gives: its score of prompt and completion, as it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from fairtrial.tasks.text import Message, TextTask
from fairtrial.train import boxed
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled

Score = Callable[[Sequence[tuple[str | tuple[Message, ...], str]]], Sequence[float]]
"""(prompt, completion) of each -> score of each; `trainers` lends one."""


class ModelReward:
    """Pays what a reward model says."""

    def __init__(self, score: Score) -> None:
        self._score = score

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the score of each; None where it is no finite number."""
        del graded
        pairs = [(_prompt(one), one.completion) for one in sampled]
        return [
            Rewarded(value=float(said)) if math.isfinite(said) else Rewarded(value=None, reason="reward_not_a_number")
            for said in self._score(pairs)
        ]


def _prompt(one: Sampled) -> str | tuple[Message, ...]:
    return one.task.prompt if isinstance(one.task, TextTask) else boxed.prompt_of(one.task)
