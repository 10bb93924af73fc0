"""Review over HTTP: pages, parts of them, drafts, submissions. Everything below a row's name is that reader's alone."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fairtrial.audit.citations import why_not
from fairtrial.records import Citation, FairtrialError
from fairtrial.serve.pages import page, reader_of, site_of
from fairtrial.serve.review.agreed import agreement_page
from fairtrial.serve.review.asking import refused, sent, version_of
from fairtrial.serve.review.decision import read_decision
from fairtrial.serve.review.desk import Desk, Row, desk_of
from fairtrial.serve.review.drafts import ConflictError
from fairtrial.serve.review.files import file_answer, image_answer
from fairtrial.serve.review.sheet import citable_of, content_of, is_known, sheet_of
from fairtrial.serve.review.submitting import submit
from fairtrial.serve.review.turns import next_row
from fairtrial.serve.review.verdicts import verdict_of
from fairtrial.serve.steps.answers import number_of, part_answer, picture_answer, steps_answer
from fairtrial.serve.steps.search import search

_MOST_QUERY = 200


def begin(request: Request) -> Response:
    """Lead to the reader's next row, or say that there is none."""
    reader, desk = reader_of(request), desk_of(site_of(request))
    if reader.role == "owner":
        return RedirectResponse("/agreement", status_code=303)
    sample = desk.held.sample()
    if sample is None:
        return page(request, "review_done.html.j2", sample=None, rows=(), stands=None, stage="blind")
    rows = desk.rows(reader)
    following = next_row(rows)
    if following is not None:
        return RedirectResponse(f"/review/{following.name}", status_code=303)
    stands = desk.status(sample)
    return page(request, "review_done.html.j2", sample=sample, rows=rows, stands=stands,
                stage=desk.stage_of(reader, stands))  # fmt: skip


def show(request: Request) -> Response:
    """Show one row: its work and the form."""
    desk, row = _mine(request)
    rows = desk.rows(reader_of(request))
    sheet = sheet_of(desk, rows, next(one for one in rows if one.name == row.name), number_of(request, "at", 1))
    return page(request, "review.html.j2", sheet=sheet, sample=desk.held.sample())


def steps(request: Request) -> Response:
    """Answer with more steps."""
    desk, row = _mine(request)
    return steps_answer(request, desk.work(row).trajectory, f"/review/{row.name}", with_costs=False)


def part(request: Request) -> Response:
    """Answer with a long part in slices."""
    desk, row = _mine(request)
    return part_answer(request, desk.work(row).trajectory, f"/review/{row.name}")


def picture(request: Request) -> Response:
    """Answer with an image of the trajectory."""
    desk, row = _mine(request)
    return picture_answer(desk.held.ledger, desk.work(row).trajectory, request.path_params["name"])


def file(request: Request) -> Response:
    """Answer with one text that was handed in."""
    desk, row = _mine(request)
    return file_answer(request, desk.work(row), f"/review/{row.name}")


def image(request: Request) -> Response:
    """Answer with one image that was handed in."""
    desk, row = _mine(request)
    return image_answer(request, desk.held.ledger, desk.work(row))


def hits(request: Request) -> Response:
    """Search the steps; answer with where the words stand."""
    desk, row = _mine(request)
    query = request.query_params.get("q", "")[:_MOST_QUERY]
    found = search(desk.work(row).trajectory, query, most=500)
    return JSONResponse({"total": found.total, "hits": [{"step": hit.step, "place": hit.place} for hit in found.hits]})


async def draft(request: Request) -> Response:
    """Save a draft on top of the version that the page knows."""
    return await run_in_threadpool(_saved, request, await sent(request))


async def cite(request: Request) -> Response:
    """Say whether one citation stands."""
    return await run_in_threadpool(_cited, request, await sent(request))


async def submission(request: Request) -> Response:
    """Record the decision, and say where to go on."""
    return await run_in_threadpool(_submitted, request, await sent(request))


def _saved(request: Request, found: dict[str, Any]) -> Response:
    desk, row = _mine(request)
    try:
        read_decision(found.get("content"))
        saved = desk.drafts.save(
            row.name, found["content"], base=version_of(found), skipped=found.get("skipped") is True
        )
    except ConflictError:
        return _conflict(desk, _mine(request)[1])
    except FairtrialError as error:
        return refused(error)
    return JSONResponse({"version": saved.version, "saved_at": saved.saved_at})


def _cited(request: Request, found: dict[str, Any]) -> Response:
    desk, row = _mine(request)
    text = found.get("citation")
    if not isinstance(text, str):
        return JSONResponse({"what": "is no text", "field": "citation"}, status_code=400)
    verdict = verdict_of(desk.held.ledger, row.attempt.id) if row.stage == "informed" else None
    reason = why_not(Citation.read(text), citable_of(desk.work(row), verdict))
    return JSONResponse({"citation": text, "why_not": reason})


def _submitted(request: Request, found: dict[str, Any]) -> Response:
    with desk_of(site_of(request)).submitting:  # two windows that submit one row at once: the second sees the first
        desk, row = _mine(request)
        try:
            decision = read_decision(found.get("content"))
            if version_of(found) != row.draft.version and not is_known(desk, row, found["content"]):
                return _conflict(desk, row)
            result = submit(desk, row, decision)
            if result.review is not None:
                desk.drafts.finish(row.name, result.review.id)
        except FairtrialError as error:
            return refused(error)
    if result.review is None:
        lacks = [{"field": lack.field, "what": lack.what} for lack in result.lacks]
        return JSONResponse({"what": "The review is not complete.", "lacks": lacks}, status_code=422)
    following = next_row(desk.rows(reader_of(request)), row.name)
    return JSONResponse({"review": result.review.id, "next": f"/review/{following.name}" if following else "/review"})


def _conflict(desk: Desk, row: Row) -> Response:
    """Another window was quicker: give the page what there is now, the last review where that was submitted."""
    current = desk.drafts.read(row.name).document() | {"content": dict(content_of(desk, row))}
    return JSONResponse({"what": "Another window saved meanwhile.", "current": current}, status_code=409)


def _mine(request: Request) -> tuple[Desk, Row]:
    """Return the reader's row that the address names; 404 where it is none of theirs, or no longer open."""
    desk = desk_of(site_of(request))
    row = desk.row(reader_of(request), request.path_params["row"])
    if row is None:
        raise HTTPException(404, "No such row is open to you.")
    return desk, row


ROUTES: tuple[BaseRoute, ...] = (
    Route("/agreement", agreement_page),
    Route("/review", begin),
    Route("/review/{row}", show),
    Route("/review/{row}/steps", steps),
    Route("/review/{row}/part", part),
    Route("/review/{row}/picture/{name}", picture),
    Route("/review/{row}/file", file),
    Route("/review/{row}/image", image),
    Route("/review/{row}/search", hits),
    Route("/review/{row}/draft", draft, methods=["PUT"]),
    Route("/review/{row}/citation", cite, methods=["POST"]),
    Route("/review/{row}/submit", submission, methods=["POST"]),
)
