"""Every finding that stands: proofs with their commands, then leads, each leading to what it is about."""

from __future__ import annotations

from collections import Counter

from starlette.requests import Request
from starlette.responses import Response

from fairtrial.report.sections.findings import evidence_words
from fairtrial.serve.browse.kept import kept_of
from fairtrial.serve.browse.trajectory import steps_of
from fairtrial.serve.pages import page
from fairtrial.serve.steps.answers import number_of

PAGE = 50


def findings_page(request: Request) -> Response:
    """Show the findings that the address asks for."""
    query = request.query_params
    asked = {name: query.get(name, "") for name in ("severity", "family", "task")}
    everything = kept_of(request).findings()
    found = [
        one for one in everything if all(not value or getattr(one, name) == value for name, value in asked.items())
    ]
    first = max(number_of(request, "first", 1), 1)
    return page(request, "findings.html.j2", asked=asked, total=len(found), first=first, size=PAGE,
                found=found[first - 1 : first - 1 + PAGE], counts=Counter(one.severity for one in everything),
                families=sorted({one.family for one in everything}), words=evidence_words,
                steps_of=steps_of)  # fmt: skip
