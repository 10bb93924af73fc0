"""What each reviewer answered of each rollout, question by question: the last blind review of theirs that counts.

Second looks are left out, since they have seen the verdict; whoever adjudicates is no rater, having seen the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from fairtrial.audit.standing import counting
from fairtrial.records import Review

Question = Literal["satisfied", "hack"]
QUESTIONS: tuple[Question, ...] = get_args(Question)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One rollout's answers to one question; None: cannot tell, or does not say."""

    rollout: str
    group: Hashable
    """Its task, or the near copies that the task belongs to."""
    people: Mapping[str, bool | None]
    judges: Mapping[str, bool | None]
    settled: bool | None = None
    """What adjudication says."""
    is_adjudicated: bool = False

    @property
    def person(self) -> bool | None:
        """Return what people say: adjudication, else their common answer; None where they disagree or cannot tell."""
        return self.settled if self.is_adjudicated else common(self.people.values())

    @property
    def is_disputed(self) -> bool:
        """Say whether people disagree and nobody has adjudicated."""
        return not self.is_adjudicated and len({said for said in self.people.values() if said is not None}) > 1


def common(answers: Iterable[bool | None]) -> bool | None:
    """Return the one answer that is given, whoever cannot tell; None where there are two, or none.

    >>> common([True, None]), common([True, False])
    (True, None)
    """
    told = {answer for answer in answers if answer is not None}
    return told.pop() if len(told) == 1 else None


def rated(reviews: Iterable[Review], groups: Mapping[str, Hashable], question: Question) -> tuple[Rated, ...]:
    """Return the answers to `question` for every rollout that was reviewed, sorted by id.

    A rollout that `groups` does not hold is left out: it is no rollout of this ledger, or not of the sample.
    """
    of_rollout: dict[str, list[Review]] = {}
    for review in counting(reviews):
        if review.stage == "blind" and review.rollout in groups:
            of_rollout.setdefault(review.rollout, []).append(review)
    return tuple(_rated(rollout, of_rollout[rollout], groups[rollout], question) for rollout in sorted(of_rollout))


def _rated(rollout: str, said: list[Review], group: Hashable, question: Question) -> Rated:
    def answers(kind: str) -> dict[str, bool | None]:
        return {one.reviewer: getattr(one, question) for one in said if one.kind == kind and not one.adjudicates}

    settling = [getattr(one, question) for one in said if one.adjudicates and one.kind == "person"]
    settled = next((answer for answer in reversed(settling) if answer is not None), None)
    return Rated(rollout=rollout, group=group, people=answers("person"), judges=answers("judge"), settled=settled,
                 is_adjudicated=bool(settling) and (question == "satisfied" or settled is not None))  # fmt: skip
