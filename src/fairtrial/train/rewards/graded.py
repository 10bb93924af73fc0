"""The reward that evaluation would give: the grader's score, 1 or 0 where it gives none, None where it broke."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled


class GradeReward:
    """Pays what the task's own grader said."""

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the reward of each, in order."""
        del sampled
        return [_paid(one) for one in graded]


def _paid(one: Graded) -> Rewarded:
    grading = one.grading
    if grading.outcome == "ungraded":
        return Rewarded(value=None, reason=grading.reason)
    return Rewarded(value=float(grading.outcome == "passed") if grading.score is None else grading.score)
