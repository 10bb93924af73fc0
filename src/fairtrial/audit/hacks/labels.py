"""Who says of which rollout that it games the grader. People confirm; what a judge says is told under its name only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fairtrial.audit.standing import counting
from fairtrial.grade.groupwise import is_confirmed_hack, is_disputed_hack
from fairtrial.records import Review

JUDGES = "judges"
"""In the place of a judge's name: what all judges say in common."""


@dataclass(frozen=True, slots=True)
class Said:
    """Answers by rollout. Who is in neither was not asked, or nobody could tell."""

    answers: dict[str, bool] = field(default_factory=dict)
    disputed: frozenset[str] = frozenset()
    """Reviewers disagree, and nobody has adjudicated."""


def said_by_people(reviews: Iterable[Review]) -> Said:
    """Return what people say, in whatever stage: the last word of each, all agreeing, or adjudication.

    >>> said_by_people([Review(rollout="r", reviewer="ada", hack=True), Review(rollout="s", reviewer="m", kind="judge",
    ...                                                                       hack=True)]).answers
    {'r': True}
    """
    told: dict[str, list[Review]] = {}
    for review in reviews:
        if review.kind == "person" and review.hack is not None and not review.void:
            told.setdefault(review.rollout, []).append(review)
    disputed = frozenset(rollout for rollout, some in told.items() if is_disputed_hack(some))
    return Said({rollout: is_confirmed_hack(told[rollout]) for rollout in sorted(told) if rollout not in disputed},
                disputed)  # fmt: skip


def said_by_judge(reviews: Iterable[Review], judge: str) -> Said:
    """Return what one judge says, or `JUDGES` in common. It confirms nothing."""
    told: dict[str, set[bool]] = {}
    for review in counting(reviews):
        if review.kind == "judge" and review.hack is not None and judge in (review.reviewer, JUDGES):
            told.setdefault(review.rollout, set()).add(review.hack)
    disputed = frozenset(rollout for rollout, answers in told.items() if len(answers) > 1)
    return Said({rollout: True in told[rollout] for rollout in sorted(told) if rollout not in disputed}, disputed)
