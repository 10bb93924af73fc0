"""Groups of completions in, lines of the log out: verdict, reward, rank and advantage of every attempt. No torch.

    scoring = Scoring(truth=..., reward=..., credit=stage.credit, stage=1)
    lines = scoring.score(groups)

Not covered: sampling, and the update.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from fairtrial.train.credit import advantages_of, ranked
from fairtrial.train.log import GroupLine
from fairtrial.train.recipe import Credit
from fairtrial.train.rewards.protocol import Graded, Reward, Rewarded, Sampled, Truth

Ranker = Callable[[Sequence[Sampled], Sequence[Graded]], Sequence[float | None]]
"""What the passes of a group are ranked by, more being better; None where it was not measured."""


@dataclass(slots=True, kw_only=True)
class Scoring:
    """All that turns completions into advantages."""

    truth: Truth
    reward: Reward
    credit: Credit
    stage: int
    ranker: Ranker | None = None
    """None: credit is not dealt by rank."""
    hacks: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    """(task, completion) -> what reviews said of it."""

    def score(self, groups: Sequence[Sequence[Sampled]]) -> list[tuple[GroupLine, tuple[Graded, ...]]]:
        """Return the line of each group, and what its grader said."""
        flat = list(chain.from_iterable(groups))
        graded = self.truth.grade(flat)
        rewarded = self.reward.reward(flat, graded)
        if not len(flat) == len(graded) == len(rewarded):
            raise ValueError("a grader and a reward say one thing of each attempt")
        said = iter(zip(graded, rewarded, strict=True))
        return [self._line(group, list(islice(said, len(group)))) for group in groups]

    def _line(
        self, group: Sequence[Sampled], said: Sequence[tuple[Graded, Rewarded]]
    ) -> tuple[GroupLine, tuple[Graded, ...]]:
        graded = tuple(one for one, _ in said)
        outcomes = tuple(one.grading.outcome for one in graded)
        hacks = tuple(self.hacks.get((one.task.name, one.completion.strip())) for one in group) if self.hacks else ()
        first = group[0]
        line = GroupLine(
            step=first.step, stage=self.stage, task=first.task.name, family=first.task.family,
            completions=tuple(one.completion for one in group), tokens=tuple(one.tokens for one in group),
            finished=tuple(one.finished for one in group), outcomes=outcomes,
            reasons=tuple(one.grading.reason or paid.reason for one, paid in said),
            rewards=tuple(paid.value for _, paid in said), hacks=hacks, ranks=self._ranks(group, graded, hacks),
            convention=self.credit.convention, epsilon=self.credit.epsilon,
            strength=self.credit.strength if self.ranker is not None else 0.0, advantages=(),
        )  # fmt: skip
        return replace(line, advantages=advantages_of(line)), graded  # what is logged and what is recomputed are one

    def _ranks(
        self, group: Sequence[Sampled], graded: Sequence[Graded], hacks: Sequence[bool | None]
    ) -> tuple[float | None, ...]:
        if self.ranker is None:
            return ()
        passed = [one.grading.outcome == "passed" for one in graded]
        return ranked(self.ranker(group, graded), passed, hacks)
