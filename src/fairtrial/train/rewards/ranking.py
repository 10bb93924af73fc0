"""What the passes of a group are ranked by, where credit is dealt by rank: fewer tokens, the grader's score, criteria.

Criteria of `rank` that a judge is asked for cannot be asked here; those that a program measures can. Their values are
of the attempt itself: `output_tokens`, or a check of the grader.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairtrial.grade.groupwise import Criteria, Passing, rank_group, read_criteria
from fairtrial.records import InputError
from fairtrial.train.recipe import Credit
from fairtrial.train.rewards.protocol import Graded, Sampled
from fairtrial.train.rewards.scoring import Ranker

_STATUS = {"passed": True, "failed": False, "skipped": False}


def ranker_of(credit: Credit) -> Ranker | None:
    """Return what ranks, None where credit is not dealt by rank. Raise InputError for criteria that need a judge."""
    if not credit.gar:
        return None
    if credit.rank_by == "criteria":
        return by_criteria(Path(credit.criteria))
    return {"short": by_tokens, "quality": by_score}[credit.rank_by]


def by_tokens(sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[float | None]:
    """Rank fewer tokens higher."""
    del graded
    return [-float(one.tokens) for one in sampled]


def by_score(sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[float | None]:
    """Rank by the grader's score."""
    del sampled
    return [one.grading.score for one in graded]


def by_criteria(path: Path) -> Ranker:
    """Return what ranks by the criteria at `path`. Raise InputError where one of them needs a judge."""
    criteria = read_criteria(path)
    if criteria.judged:
        raise InputError(f"`{criteria.judged[0].name}` asks a judge, and none is at hand in training", path=path,
                         hint="Rank by measures and checks, or make criteria with `train criteria`.")  # fmt: skip

    def rank(sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[float | None]:
        return _shares(criteria, sampled, graded)

    return rank


def _shares(criteria: Criteria, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[float | None]:
    """Return for each pass the share of the other passes that it beats; None for what was not ranked."""
    passing = [
        Passing(rollout=f"{index:06d}", values=_values(one, said),
                checks={check.name: _STATUS.get(check.status) for check in said.grading.checks})
        for index, (one, said) in enumerate(zip(sampled, graded, strict=True))
        if said.grading.outcome == "passed"
    ]  # fmt: skip
    found = {int(one.rollout): one.share for one in rank_group(criteria, passing).ranked}
    return [found.get(index) for index in range(len(sampled))]


def _values(one: Sampled, said: Graded) -> dict[str, float]:
    own = said.grading.evidence.get("values")
    measured = {name: float(value) for name, value in own.items()} if isinstance(own, dict) else {}
    return {**measured, "output_tokens": float(one.tokens)}
