"""Where the audit stands, for the owner: samples, who has read what, every review, every sign-off."""

from __future__ import annotations

import shlex

from starlette.requests import Request
from starlette.responses import Response

from fairtrial.audit.status import status
from fairtrial.serve.browse.kept import kept_of, snapshot_of
from fairtrial.serve.browse.overview import audit_state, readable
from fairtrial.serve.pages import page, site_of
from fairtrial.serve.steps.answers import number_of

PAGE = 50


def audit_page(request: Request) -> Response:
    """Show samples, reviews (the last ones first) and sign-offs."""
    kept, snapshot = kept_of(request), snapshot_of(request)
    reviews, samples = kept.reviews()[::-1], kept.samples()
    named = [reader.name for reader in site_of(request).readers if reader.role == "reviewer"]
    first = max(number_of(request, "first", 1), 1)
    some = reviews[first - 1 : first - 1 + PAGE]
    marks = ", ".join("?" for _ in some) or "''"
    rows = snapshot.ask(f"select id, task, suite, model from rows where id in ({marks})", [one.rollout for one in some])
    return page(request, "audit.html.j2", state=audit_state(kept, snapshot), samples=samples[::-1], reviews=some,
                total=len(reviews), first=first, size=PAGE, signoffs=kept.signoffs()[::-1],
                rollouts={row["id"]: row for row in rows},
                reading=status(readable(samples[-1], snapshot), reviews, named) if samples else None,
                ledger=shlex.quote(str(site_of(request).ledger.path)))  # fmt: skip
