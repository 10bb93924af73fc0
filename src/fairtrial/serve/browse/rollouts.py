"""The list of rollouts: filtered, ordered, a page at a time."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from fairtrial.serve.browse.kept import snapshot_of
from fairtrial.serve.listing import FINDINGS, ORDERS, VERDICTS, Filter, rollouts
from fairtrial.serve.pages import page
from fairtrial.serve.snapshot import Snapshot

_MOST_CHOICES = 200


def rollouts_page(request: Request) -> Response:
    """Show the rollouts that the address asks for."""
    asked, snapshot = Filter.of(request.query_params), snapshot_of(request)
    found = rollouts(snapshot, asked, after=request.query_params.get("after", ""),
                     before=request.query_params.get("before", ""))  # fmt: skip
    return page(request, "rollouts.html.j2", asked=asked, page=found, verdicts=VERDICTS, findings=FINDINGS,
                orders=ORDERS, models=_names(snapshot, "model"), suites=_names(snapshot, "suite"),
                origins=_names(snapshot, "origin"))  # fmt: skip


def _names(snapshot: Snapshot, column: str) -> list[str]:
    """Return the values of a column that a list can be chosen by; the first 200."""
    found = snapshot.once(
        f"select distinct {column} as name from rows where {column} <> '' order by 1 limit {_MOST_CHOICES}"
    )
    return [row["name"] for row in found]
