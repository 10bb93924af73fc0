"""The reward that a reward model gives: its score of prompt and completion, as it is.

A completion that was cut off is scored as one that does not end: no token that ends a text follows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairtrial.tasks.text import Message, TextTask
from fairtrial.train import boxed
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a reward model scores."""

    prompt: str | tuple[Message, ...]
    completion: str
    finished: bool = True
    """False: it was cut off, so the text that is scored does not end."""
    is_told: bool = False
    """The prompt is an instruction: a user's message, where the model knows chats."""


Score = Callable[[Sequence[Answered]], Sequence[float]]
"""Score of each; `trainers` lends one."""


class ModelReward:
    """Pays what a reward model says."""

    def __init__(self, score: Score) -> None:
        self._score = score

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the score of each; None where it is no finite number."""
        del graded
        return [
            Rewarded(value=float(said)) if math.isfinite(said) else Rewarded(value=None, reason="reward_not_a_number")
            for said in self._score([_answered(one) for one in sampled])
        ]


def _answered(one: Sampled) -> Answered:
    if isinstance(one.task, TextTask):
        return Answered(prompt=one.task.prompt, completion=one.completion, finished=one.finished)
    return Answered(prompt=boxed.prompt_of(one.task), completion=one.completion, finished=one.finished, is_told=True)
