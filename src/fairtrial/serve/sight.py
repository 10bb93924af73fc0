"""What a reader may see, decided in one place.

The owner sees everything and reviews nothing. Reviewers and adjudicators see their own areas and no page that one
browses: verdicts, models and findings stand there, and a sample that is open is read blind. What opens to them when it
is closed is within their areas (`review`). Not covered: who a reader is; that is the door.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fairtrial.serve.site import Reader, Role

Endpoint = Callable[[Request], Response]


@dataclass(frozen=True, slots=True)
class Way:
    """One page that a reader can go to."""

    href: str
    title: str


_WAYS: dict[Role, tuple[Way, ...]] = {
    "owner": (
        Way("/", "Overview"), Way("/tasks", "Tasks"), Way("/rollouts", "Rollouts"), Way("/findings", "Findings"),
        Way("/audit", "Audit"), Way("/agreement", "Agreement"), Way("/report", "Report"),
    ),
    "reviewer": (Way("/review", "Review"), Way("/pairs", "Pairs")),
    "adjudicator": (Way("/review", "Disagreements"),),
}  # fmt: skip


def ways(reader: Reader) -> tuple[Way, ...]:
    """Return the pages that `reader` can go to; the first is where they come in."""
    return _WAYS[reader.role]


def may_browse(reader: Reader) -> bool:
    """Say whether `reader` may see verdicts, models, findings and other people's reviews."""
    return reader.role == "owner"


def owner_only(endpoint: Endpoint) -> Endpoint:
    """Return `endpoint` for owners; to everybody else there is no such page (404, whatever it holds)."""

    def guarded(request: Request) -> Response:
        if not may_browse(request.state.reader):
            raise HTTPException(404)
        return endpoint(request)

    return guarded
