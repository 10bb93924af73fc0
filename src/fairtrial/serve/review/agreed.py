"""The owner's page of agreement: how far reviewers agree, who has done what, what is disputed."""

from __future__ import annotations

from collections import Counter

from starlette.requests import Request
from starlette.responses import Response

from fairtrial.audit.agreement import QUESTIONS, agreement, rated
from fairtrial.audit.agreement.document import interval, sentence
from fairtrial.audit.sampling import Population, read_units
from fairtrial.records import Estimate
from fairtrial.serve.pages import page, site_of
from fairtrial.serve.review.desk import desk_of
from fairtrial.serve.sight import owner_only


@owner_only
def agreement_page(request: Request) -> Response:
    """Show agreement on the sample under review, or on all reviews where there is no sample."""
    desk = desk_of(site_of(request))
    sample = desk.held.sample()
    reviews = desk.held.reviews()
    groups = {unit.rollout: unit.group for unit in read_units(desk.held.ledger, Population(ungraded=True)).units}
    if sample is not None:
        groups = {row.rollout: groups[row.rollout] for row in sample.rows if row.rollout in groups}
    found = agreement({question: rated(reviews, groups, question) for question in QUESTIONS},
                      sample.seed if sample else 0)  # fmt: skip
    stands = desk.status(sample) if sample is not None else None
    tasks = {one.id: one.task for one in desk.held.attempts(sample).values()} if sample is not None else {}
    compared = [one for one in desk.held.preferences() if one.kind == "person"]
    return page(request, "agreement.html.j2", agreed=found.questions, sentence=sentence, figure=figure, sample=sample,
                stands=stands, tasks=tasks, missing=desk.missing(sample) if sample is not None else 0,
                compared=Counter(sorted(one.reviewer for one in compared)),
                ledger=str(desk.held.ledger.path))  # fmt: skip


def figure(estimate: Estimate) -> str:
    """Return value and interval, or why there is none.

    >>> figure(Estimate(value=0.5, low=0.25, high=0.75, n=8, method="m"))
    '0.50 [0.25, 0.75]'
    """
    told = interval(estimate) if estimate.value is None else f"{estimate.value:.2f} {interval(estimate)}"
    return told if estimate.value is None else told.replace("-", "−")
