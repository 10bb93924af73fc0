"""One rollout: its verdict, checks, findings and reviews, each leading to the steps it speaks of; then the steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fairtrial.formats.atif import Trajectory
from fairtrial.records import Citation, FairtrialError, Finding, Review
from fairtrial.serve.browse.kept import kept_of, snapshot_of
from fairtrial.serve.evidence import evidence_of
from fairtrial.serve.pages import page, shelf_of, site_of
from fairtrial.serve.steps.answers import number_of, part_answer, picture_answer, steps_answer
from fairtrial.serve.steps.needles import Needle, cited, searched
from fairtrial.serve.steps.rail import rail
from fairtrial.serve.steps.search import Found, search
from fairtrial.serve.steps.view import window

HITS = 50


def trajectory_page(request: Request) -> Response:
    """Show one rollout: `at` is the step to begin near, `q` what is searched, `hit` the number of the first hit."""
    row = _row(request)
    query = request.query_params.get("q", "")
    verdicts = snapshot_of(request).ask("select * from verdicts where rollout = ? order by recorded_at, id",
                                        [row["id"]])  # fmt: skip
    findings, reviews = _said_of(request, row["id"])
    values: dict[str, Any] = {
        "row": row, "verdicts": verdicts, "counted": next((v for v in verdicts if v["id"] == row["verdict"]), None),
        "findings": findings, "reviews": reviews, "base": f"/rollouts/{row['id']}", "query": query,
        "window": None, "entries": (), "hits": Found((), 0), "first_hit": number_of(request, "hit", 1) or 1,
        "most_hits": HITS, "href": _href(row["id"], query), "why_not": "", "steps_of": steps_of,
        "citations_of": citations_of,
    }  # fmt: skip
    trajectory, values["why_not"] = _trajectory(request, row["trajectory"])
    if trajectory is not None:
        at = number_of(request, "at", 1)
        needles = _needles(query, findings, reviews)
        marked = {step for finding in findings for step in steps_of(finding)}
        marked |= {step for review in reviews for text in review.citations if (step := Citation.read(text).step)}
        values["window"] = window(trajectory, at - 3 if at > 4 else 1, needles=needles)
        values["entries"] = rail(trajectory, marked, shelf_of(request).signs(row["trajectory"]))
        values["hits"] = search(trajectory, query, first=values["first_hit"], most=HITS)
    return page(request, "trajectory.html.j2", **values)


def steps_part(request: Request) -> Response:
    """Return more steps, for a script."""
    row = _row(request)
    findings, reviews = _said_of(request, row["id"])
    needles = _needles(request.query_params.get("q", ""), findings, reviews)
    return steps_answer(request, _there(request, row), f"/rollouts/{row['id']}", needles=needles)


def part_page(request: Request) -> Response:
    """Return one long part in slices."""
    row = _row(request)
    return part_answer(request, _there(request, row), f"/rollouts/{row['id']}",
                       needles=searched(request.query_params.get("q", "")))  # fmt: skip


def picture(request: Request) -> Response:
    """Return an image of the trajectory."""
    trajectory = _there(request, _row(request))
    return picture_answer(site_of(request).ledger, trajectory, request.path_params["name"])


def steps_of(finding: Finding) -> tuple[int, ...]:
    """Return the steps that a finding's evidence names: `steps`, and the places of its `citations`.

    >>> steps_of(Finding(task="t", probe="p", family="f", severity="lead", claim="c",
    ...                  evidence='{"steps": [3], "citations": ["[step 5 call 1] rm"]}'))
    (3, 5)
    """
    content = evidence_of(finding.evidence)
    if not isinstance(content, dict):
        return ()
    named = content.get("steps")
    steps = [step for step in named if isinstance(step, int)] if isinstance(named, list) else []
    steps += [step for text in citations_of(finding) if (step := Citation.read(text).step)]
    return tuple(sorted({step for step in steps if step > 0}))


def citations_of(finding: Finding) -> tuple[str, ...]:
    """Return the citations of a finding's evidence."""
    content = evidence_of(finding.evidence)
    told = content.get("citations") if isinstance(content, dict) else None
    return tuple(text for text in told if isinstance(text, str)) if isinstance(told, list) else ()


def _needles(query: str, findings: Iterable[Finding], reviews: Iterable[Review]) -> tuple[Needle, ...]:
    told = [text for finding in findings for text in citations_of(finding)]
    told += [text for review in reviews for text in review.citations]
    return (*searched(query), *cited(dict.fromkeys(told)))


def _said_of(request: Request, rollout: str) -> tuple[list[Finding], list[Review]]:
    kept = kept_of(request)
    return ([one for one in kept.findings() if one.rollout == rollout],
            [one for one in kept.reviews() if one.rollout == rollout])  # fmt: skip


def _href(rollout: str, query: str) -> Callable[[int], str]:
    from_query = f"&q={quote(query, safe='')}" if query else ""
    return lambda step: f"/rollouts/{rollout}?at={step}{from_query}#s{step}"


def _row(request: Request) -> dict[str, Any]:
    found = snapshot_of(request).one("select * from outcomes where id = ?", [request.path_params["id"]])
    if found is None:
        raise HTTPException(404)
    return found


def _trajectory(request: Request, address: str | None) -> tuple[Trajectory | None, str]:
    if not address:
        return None, ""
    try:
        return shelf_of(request).trajectory(address), ""
    except FairtrialError as error:
        return None, str(error)


def _there(request: Request, row: dict[str, Any]) -> Trajectory:
    trajectory, _ = _trajectory(request, row["trajectory"])
    if trajectory is None:
        raise HTTPException(404)
    return trajectory
