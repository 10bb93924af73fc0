"""Which reviews of a rollout count, and what they come to: people before judges, adjudication before people.

The last review of each reviewer that is not void counts, in each stage by itself. Where people disagree and nobody has
adjudicated, there is no person's answer: it is `disputed`, not the majority's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairtrial.records import Review


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the blind reviews of one rollout come to."""

    rollout: str
    person: bool | None = None
    """What people say: their common answer, or the adjudicated one. None: nobody can tell, or they disagree."""
    judge: bool | None = None
    """What judges say; None where they disagree or cannot tell."""
    people: Mapping[str, bool | None]
    """The last answer of each person; who adjudicated is left out."""
    judges: Mapping[str, bool | None]
    disputed: bool = False
    """People disagree, and nobody has adjudicated."""
    adjudicated: bool = False

    @property
    def satisfied(self) -> bool | None:
        """Return the answer of people where there is one, else that of judges; None too where people disagree."""
        return self.person if self.people or self.adjudicated else self.judge


def counting(reviews: Iterable[Review]) -> tuple[Review, ...]:
    """Return the reviews that count, in the order recorded.

    Of each rollout, reviewer, kind and stage that is the last one that is not void.
    """
    last: dict[tuple[str, str, str, str, bool], Review] = {}
    for review in sorted(reviews, key=lambda one: (one.recorded_at, one.id)):
        if not review.void:
            key = (review.rollout, review.reviewer, review.kind, review.stage, review.adjudicates)
            last.pop(key, None)  # so that it comes after what was said between
            last[key] = review
    return tuple(last.values())


def standings(reviews: Iterable[Review]) -> dict[str, Standing]:
    """Return the standing of every rollout with a blind review that counts, by its id.

    >>> found = standings([Review(rollout="r", reviewer="ada", satisfied=True),
    ...                    Review(rollout="r", reviewer="bo", satisfied=False)])
    >>> found["r"].disputed, found["r"].satisfied
    (True, None)
    """
    of_rollout: dict[str, list[Review]] = {}
    for review in counting(reviews):
        if review.stage == "blind":
            of_rollout.setdefault(review.rollout, []).append(review)
    return {rollout: _standing(rollout, said) for rollout, said in of_rollout.items()}


def _standing(rollout: str, said: list[Review]) -> Standing:
    settled = [one for one in said if one.adjudicates and one.kind == "person"]
    people = {one.reviewer: one.satisfied for one in said if one.kind == "person" and not one.adjudicates}
    judges = {one.reviewer: one.satisfied for one in said if one.kind == "judge"}
    answers = {answer for answer in people.values() if answer is not None}
    person = settled[-1].satisfied if settled else _common(people.values())
    return Standing(rollout=rollout, person=person, judge=_common(judges.values()), people=people, judges=judges,
                    disputed=not settled and len(answers) > 1, adjudicated=bool(settled))  # fmt: skip


def _common(answers: Iterable[bool | None]) -> bool | None:
    told = {answer for answer in answers if answer is not None}
    return told.pop() if len(told) == 1 else None
