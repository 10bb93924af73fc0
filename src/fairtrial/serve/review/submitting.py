"""From a decision to a record: what is lacking or does not stand is refused with its reason, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from fairtrial.audit.citations import failing
from fairtrial.records import Review
from fairtrial.serve.review.decision import Decision, Lack, lacking
from fairtrial.serve.review.desk import Desk, Row
from fairtrial.serve.review.sheet import citable_of
from fairtrial.serve.review.verdicts import Shown, verdict_of

SETTLED = "You have been shown the verdict of this one since: what you said blind stays as it is."


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of it: a review, or what keeps it from being one."""

    review: Review | None
    lacks: tuple[Lack, ...] = ()


def submit(desk: Desk, row: Row, decision: Decision) -> Submitted:
    """Record `decision` as the review of `row`, unless something is lacking.

    The same decision again is no second review: an answer that was lost on the way is given again.
    """
    verdict = verdict_of(desk.held.ledger, row.attempt.id) if row.stage == "informed" else None
    outcome = verdict.outcome if verdict else None
    lacks = (*lacking(decision, outcome), *_not_standing(desk, row, decision, verdict))
    if lacks:
        return Submitted(None, lacks)
    made = _review(desk, row, decision, verdict)
    if row.review is not None and _same(row.review, made):
        return Submitted(row.review)
    if row.is_settled:
        return Submitted(None, (Lack("answer", SETTLED),))
    desk.held.append("reviews", made)
    return Submitted(made)


def _not_standing(desk: Desk, row: Row, decision: Decision, verdict: Shown | None) -> tuple[Lack, ...]:
    if not decision.citations:
        return ()
    return tuple(Lack("citations", why) for why in failing(decision.citations, citable_of(desk.work(row), verdict)))


def _review(desk: Desk, row: Row, decision: Decision, verdict: Shown | None) -> Review:
    sample = desk.held.sample()
    outcome = verdict.outcome if verdict else None
    return Review(
        rollout=row.attempt.id, reviewer=row.reader, satisfied=decision.satisfied(outcome),
        hack={"yes": True, "no": False, "": None}[decision.hack], failure_tags=decision.failure,
        behaviour_tags=decision.behaviour, citations=decision.citations, note=decision.note.strip(),
        recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"), sample=sample.id if sample else "",
        stage="informed" if row.stage == "informed" else "blind", label=decision.label(outcome),
        verdict=verdict.id if verdict else "", adjudicates=row.stage == "adjudicate", seconds=decision.seconds,
    )  # fmt: skip


def _same(one: Review, other: Review) -> bool:
    names = ("satisfied", "hack", "failure_tags", "behaviour_tags", "citations", "note", "label")
    return all(getattr(one, name) == getattr(other, name) for name in names)
