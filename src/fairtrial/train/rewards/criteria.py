"""Rewards and ranks from criteria that `fairtrial criteria` kept (GRS): the share of them that a completion meets.

A fail is paid 0; a pass is paid 1/2, and half of the share that it meets, so that no fail is paid like a pass. Where no
criterion is asked of a family, a pass is paid 1. Where a criterion could not be answered there is no reward. Judges are
asked of passes alone: a share of what failed would change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.tasks.text import TextTask
from fairtrial.train.criteria import Answers, Scored, TriedCriteria, Work, score_all, text_work
from fairtrial.train.criteria.scoring import NONE_APPLIES
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled

PASS = 0.5
"""What a pass is paid that meets nothing."""


class CriteriaReward:
    """Pays passes by the criteria that they meet, and ranks them by it."""

    def __init__(self, criteria: TriedCriteria, asker: Answers) -> None:
        self._criteria, self._asker = criteria, asker

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the reward of each, in order."""
        shares = self._of_passes(sampled, graded)
        return [_paid(said, shares.get(index)) for index, said in enumerate(graded)]

    def rank(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[float | None]:
        """Return the share that each pass meets; None where it is not known."""
        shares = self._of_passes(sampled, graded)
        return [shares[index].share if index in shares else None for index in range(len(sampled))]

    def _of_passes(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> dict[int, Scored]:
        passed = [index for index, said in enumerate(graded) if said.grading.outcome == "passed"]
        works = [_work(sampled[index]) for index in passed]
        return dict(zip(passed, score_all(self._criteria, works, self._asker), strict=True))


def _work(one: Sampled) -> Work:
    task = one.task
    prompt = task.prompt if isinstance(task, TextTask) else task.instruction
    return text_work(task.name, prompt, one.completion, task.family)


def _paid(said: Graded, scored: Scored | None) -> Rewarded:
    grading = said.grading
    if scored is None:
        return Rewarded(value=None, reason=grading.reason) if grading.outcome == "ungraded" else Rewarded(value=0.0)
    if scored.share is not None:
        return Rewarded(value=PASS + (1 - PASS) * scored.share)
    if scored.why == NONE_APPLIES:
        return Rewarded(value=1.0)
    return Rewarded(value=None, reason=f"criteria: {scored.why}")
