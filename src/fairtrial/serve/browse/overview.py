"""The way in: what the ledger holds, how it was graded, what was found, how far it was audited; and what is empty."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fairtrial.audit.status import status, without_missing
from fairtrial.records import Sample
from fairtrial.report.data import Scope
from fairtrial.serve.browse.kept import Kept, kept_of, snapshot_of
from fairtrial.serve.pages import page, reader_of, site_of
from fairtrial.serve.sight import may_browse, ways
from fairtrial.serve.snapshot import Snapshot


def home_page(request: Request) -> Response:
    """Show the overview to an owner, and send everybody else to their own area."""
    if not may_browse(reader_of(request)):
        return RedirectResponse(ways(reader_of(request))[0].href, status_code=303)
    kept, snapshot = kept_of(request), snapshot_of(request)
    holds = _holds(snapshot)
    ledger = shlex.quote(str(site_of(request).ledger.path))
    return page(request, "overview.html.j2", holds=holds, models=_models(snapshot), reasons=_reasons(snapshot),
                findings=Counter(one.severity for one in kept.findings()), audit=audit_state(kept, snapshot),
                statuses=Counter(proof.status for proof in kept.proofs()), ledger=str(site_of(request).ledger.path),
                empty=_empty(ledger, holds, kept))  # fmt: skip


def _holds(snapshot: Snapshot) -> dict[str, Any]:
    return snapshot.once(
        """select count(*) as rollouts, count(distinct (suite, task)) as tasks, count(distinct suite) as suites,
                  count(*) filter (where outcome = 'passed') as passed,
                  count(*) filter (where outcome = 'failed') as failed,
                  count(*) filter (where outcome = 'ungraded') as ungraded,
                  count(*) filter (where has_steps) as with_steps, min(nullif(recorded_at, '')) as first_at,
                  max(nullif(recorded_at, '')) as last_at,
                  (select count(*) from rows where origin = 'known') as known
           from rows where origin = 'policy'"""
    )[0]


def _models(snapshot: Snapshot) -> list[dict[str, Any]]:
    return snapshot.once(
        """select model, agent, effort, count(*) as rollouts, count(distinct (suite, task)) as tasks,
                  count(*) filter (where outcome = 'passed') as passed,
                  count(*) filter (where outcome = 'failed') as failed,
                  count(*) filter (where outcome = 'ungraded') as ungraded
           from rows where origin = 'policy' group by all order by rollouts desc, model, agent, effort"""
    )


def _reasons(snapshot: Snapshot) -> list[dict[str, Any]]:
    return snapshot.once(
        """select coalesce(nullif(reason, ''), 'no reason given') as reason, count(*) as rollouts from rows
           where origin = 'policy' and outcome = 'ungraded' group by all order by rollouts desc, reason"""
    )


def readable(sample: Sample, snapshot: Snapshot) -> Sample:
    """Return `sample` without the rows whose rollout the ledger does not hold."""
    ids = [row.rollout for row in sample.rows]
    held = {row["id"] for row in snapshot.ask("select id from rows where id in (select unnest(?))", [ids])}
    return without_missing(sample, held)


def audit_state(kept: Kept, snapshot: Snapshot) -> dict[str, Any]:
    """Return where the last sample stands: rows, reads by people, disputes; `sample` None where none was drawn."""
    samples, reviews = kept.samples(), kept.reviews()
    state: dict[str, Any] = {
        "sample": None, "reviews": len(reviews), "void": sum(bool(one.void) for one in reviews),
        "people": len({one.reviewer for one in reviews if one.kind == "person"}),
        "judges": len({one.reviewer for one in reviews if one.kind == "judge"}),
    }  # fmt: skip
    if samples:
        found = status(readable(samples[-1], snapshot), reviews)
        done, wanted = found.reads
        state |= {"sample": samples[-1], "rows": len(found.rows), "done": done, "disputed": len(found.disputed),
                  "wanted": max(wanted, sum(row.wanted for row in found.rows)), "is_closed": found.is_closed,
                  "judged": sum(row.judged for row in found.rows)}  # fmt: skip
    return state


def _empty(ledger: str, holds: dict[str, Any], kept: Kept) -> list[Scope]:
    """Return what is not there, why, and the command that fills it."""
    found = []
    if not holds["rollouts"]:
        found.append(Scope("Rollouts", "none is recorded", f"fairtrial run SUITE --to {ledger} --model MODEL"))
    if not kept.proofs():
        found.append(
            Scope("Proofs of graders", "no grader was put to the proof", f"fairtrial prove SUITE --ledger {ledger}")
        )
    if holds["rollouts"] and not kept.samples():
        found.append(Scope("A sample for review", "none was drawn", f"fairtrial audit sample {ledger}"))
    if holds["rollouts"] and not kept.reviews():
        found.append(Scope("Reviews", "nobody has looked: the error rates of the verdicts are not measured",
                           f"fairtrial serve {ledger} --reviewer NAME"))  # fmt: skip
    return found
