"""Rewards and ranks from criteria that `fairtrial criteria` kept (GRS): the share of them that a completion meets.

A fail is paid 0; a pass is paid 1/2, and half of the share that it meets, so that no fail is paid like a pass. Where no
criterion is asked of a family, a pass is paid 1. Where a criterion could not be answered there is no reward. Judges are
asked of passes alone: a share of what failed would change nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from fairtrial.records import InputError
from fairtrial.tasks.text import TextTask
from fairtrial.train.criteria import Answers, Scored, TriedCriteria, Work, is_tried, read_tried, score_all, text_work
from fairtrial.train.criteria.programs import OF_THE_STEPS
from fairtrial.train.criteria.scoring import NONE_APPLIES, judge_spec
from fairtrial.train.recipe import Credit, Recipe
from fairtrial.train.rewards.protocol import Graded, Rewarded, Sampled

PASS = 0.5
"""What a pass is paid that meets nothing."""


def criteria_of(credit: Credit, held_out: Collection[str] = ()) -> TriedCriteria:
    """Return the criteria that a stage pays or ranks by. Raise InputError for a file that cannot, or must not.

    `held_out`: content addresses of the tasks that are held out from the policy.
    """
    path = Path(credit.criteria)
    if not is_tried(path):
        raise InputError("ranks two rollouts, and cannot pay one", path=path,
                         hint="`fairtrial criteria` writes a file that can.")  # fmt: skip
    criteria = read_tried(path)
    if not criteria.kept:
        raise InputError("keeps no criterion", path=path)
    for one in criteria.kept:
        if one.use in OF_THE_STEPS:
            raise InputError(f"`{one.name}` is asked of steps, and an attempt in training is one reply", path=path,
                             hint="Make criteria from rollouts of one reply (--rollouts-of).")  # fmt: skip
    if criteria.made is not None and (seen := set(held_out) & set(criteria.made.task_hashes)):
        raise InputError(f"was made from rollouts of {len(seen)} tasks that are held out", path=path,
                         hint="Make it again with --held-out.")  # fmt: skip
    spec = judge_spec(criteria)
    if credit.judge_usd is not None and spec is not None and spec.price is None:
        raise InputError("a bound in USD needs the judge's price", path=path, field="judge.price",
                         hint="For example price = [2.5, 10.0]: USD per million tokens, in and out.")  # fmt: skip
    return criteria


def refuse_criteria(recipe: Recipe, held_out: Collection[str]) -> None:
    """Raise InputError, before anything is trained, for criteria that some stage could not or must not pay by."""
    for stage in recipe.stages:
        credit, ranks = stage.credit, stage.credit.gar and stage.credit.rank_by == "criteria"
        if stage.method == "grpo" and (stage.reward == "criteria" or (ranks and is_tried(Path(credit.criteria)))):
            criteria_of(credit, held_out)


class CriteriaReward:
    """Pays passes by the criteria that they meet, and ranks them by it."""

    def __init__(self, criteria: TriedCriteria, asker: Answers) -> None:
        self._criteria, self._asker = criteria, asker
        self._paid: dict[str, Scored] = {}
        """What the passes of the step meet, by content: what was paid is not asked again to be ranked."""

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the reward of each, in order."""
        self._paid = {}
        shares = self._of_passes(sampled, graded)
        return [_paid(said, shares.get(index)) for index, said in enumerate(graded)]

    def rank(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[float | None]:
        """Return the share that each pass meets; None where it is not known."""
        shares = self._of_passes(sampled, graded)
        return [shares[index].share if index in shares else None for index in range(len(sampled))]

    def _of_passes(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> dict[int, Scored]:
        passed = [index for index, said in enumerate(graded) if said.grading.outcome == "passed"]
        works = {index: _work(sampled[index]) for index in passed}
        content = {index: work.content for index, work in works.items()}
        new = [work for index, work in works.items() if content[index] not in self._paid]
        scored = score_all(self._criteria, new, self._asker)
        self._paid |= {work.content: one for work, one in zip(new, scored, strict=True)}
        return {index: self._paid[content[index]] for index in passed}


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
