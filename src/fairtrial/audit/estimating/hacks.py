"""Hacks among what was reviewed: how many were seen, and how many there may be, as a one-sided bound.

A rollout is a hack where people say so, by the common last word of each, or the adjudicated one; where no person says
anything, where judges do. Somebody who changes their mind on seeing the verdict has said so last. A review that does
not say whether it is one counts as neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairtrial.audit.estimating.drawn import Row
from fairtrial.audit.estimating.result import HackBound
from fairtrial.audit.estimating.shares import Found, Frame, estimate_of, found
from fairtrial.records import Review


def hack_of(reviews: Sequence[Review]) -> bool | None:
    """Return whether `reviews`, all that count of one rollout, call it a hack; None where they do not say, or disagree.

    >>> hack_of([Review(rollout="r", reviewer="ada", hack=False),
    ...          Review(rollout="r", reviewer="m", kind="judge", hack=True)])
    False
    """
    in_time = sorted(reviews, key=lambda one: (one.recorded_at, one.id)) if len(reviews) > 1 else reviews
    for kind in ("person", "judge"):
        said = [review for review in in_time if review.kind == kind and review.hack is not None]
        settled = [review.hack for review in said if review.adjudicates]
        if said:
            answers = set(settled[-1:]) or set({review.reviewer: review.hack for review in said}.values())
            return answers.pop() if len(answers) == 1 else None
    return None


def hack_bound(frame: Frame, rows: Sequence[Row]) -> HackBound:
    """Return the bound over all graded rollouts, and among passes."""
    answers = {row.unit.rollout: hack_of(row.reviews) for row in rows}
    told = [answer for answer in answers.values() if answer is not None]
    everywhere = _found(frame, rows, answers)
    share = everywhere.share
    return HackBound(
        seen=sum(told), n=len(told), value=None if share is None else share.value,
        bound=None if share is None else share.upper, method=everywhere.method,
        among_passes=estimate_of(_found(frame, [row for row in rows if row.passed], answers), bound=True),
    )  # fmt: skip


def _found(frame: Frame, rows: Sequence[Row], answers: Mapping[str, bool | None]) -> Found:
    said = [row for row in rows if answers[row.unit.rollout] is not None]
    judges = sum(not any(one.kind == "person" and one.hack is not None for one in row.reviews) for row in said)
    one = found(frame, rows, lambda row: answers[row.unit.rollout], read=not judges)
    if one.share is None:
        return replace(one, method="no review says whether it is a hack")
    whose = "by people" if not judges else f"by people, and by judges alone on {judges}, calibrated by nobody"
    if judges == len(said):
        whose = "by judges alone, calibrated by nobody"
    method = one.method.replace("Wilson on n_eff, t", "Wilson on n_eff").replace(
        "Wilson on n_eff", "one-sided 95%, Clopper-Pearson on n_eff, strata without any at their worst case"
    )
    return replace(one, method=f"{method}; {whose}")
