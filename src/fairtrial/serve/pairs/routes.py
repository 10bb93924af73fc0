"""Pairs over HTTP: two works of one task beside each other, their parts, drafts, submissions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fairtrial.records import FairtrialError
from fairtrial.serve.pages import page, reader_of, site_of
from fairtrial.serve.pairs.choice import read_choice, why_not_cited
from fairtrial.serve.pairs.table import PairRow, Table, content_of, table_of
from fairtrial.serve.review.asking import refused, sent, version_of
from fairtrial.serve.review.drafts import ConflictError
from fairtrial.serve.review.files import file_answer, image_answer
from fairtrial.serve.review.turns import next_row
from fairtrial.serve.review.work import Work
from fairtrial.serve.steps import Window, window
from fairtrial.serve.steps.answers import number_of, part_answer, picture_answer


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two works."""

    name: str
    title: str
    base: str
    work: Work
    window: Window


def begin(request: Request) -> Response:
    """Lead to the reader's next pair, or say that there is none."""
    table, reader = table_of(site_of(request)), reader_of(request)
    if reader.role != "reviewer":
        raise HTTPException(404)
    rows = table.rows(reader)
    following = next_row(rows.rows)
    if following is not None:
        return RedirectResponse(f"/pairs/{following.name}", status_code=303)
    return page(request, "pairs_done.html.j2", rows=rows, sample=table.desk.held.sample())


def show(request: Request) -> Response:
    """Show one pair."""
    table, row = _mine(request)
    rows = table.rows(reader_of(request)).rows
    at = next(at for at, one in enumerate(rows) if one.name == row.name)
    draft = {"version": row.draft.version, "saved_at": row.draft.saved_at, "content": dict(content_of(row))}
    first, second = _side(table, row, "first"), _side(table, row, "second")
    texts = [side.work.handed_in.texts for side in (first, second)]
    same = {path for path, text in texts[0].items() if texts[1].get(path) == text}
    return page(request, "pair.html.j2", row=row, rows=rows, sides=(first, second), same=same,
                draft=orjson.dumps(draft).decode(), sample=table.desk.held.sample(),
                previous=rows[at - 1] if at else None, following=next_row(rows, row.name))  # fmt: skip


def steps(request: Request) -> Response:
    """Answer with more steps of one side."""
    side = _asked_side(request)
    last = number_of(request, "to", 0)
    found = window(side.work.trajectory, number_of(request, "from", 1), last=last, with_costs=False)
    return page(request, "pair_steps.html.j2", window=found, side=side, last=last or found.total)


def part(request: Request) -> Response:
    """Answer with a long part of one side, in slices."""
    side = _asked_side(request)
    return part_answer(request, side.work.trajectory, side.base)


def picture(request: Request) -> Response:
    """Answer with an image of one side."""
    side = _asked_side(request)
    ledger = table_of(site_of(request)).desk.held.ledger
    return picture_answer(ledger, side.work.trajectory, request.path_params["name"])


def file(request: Request) -> Response:
    """Answer with one text that was handed in on one side."""
    side = _asked_side(request)
    return file_answer(request, side.work, f"/pairs/{request.path_params['row']}")


def image(request: Request) -> Response:
    """Answer with one image that was handed in on one side."""
    side = _asked_side(request)
    return image_answer(request, table_of(site_of(request)).desk.held.ledger, side.work)


async def draft(request: Request) -> Response:
    """Save a draft on top of the version that the page knows."""
    return await run_in_threadpool(_saved, request, await sent(request))


async def cite(request: Request) -> Response:
    """Say whether one citation stands."""
    return await run_in_threadpool(_cited, request, await sent(request))


async def submission(request: Request) -> Response:
    """Record the choice, and say where to go on."""
    return await run_in_threadpool(_submitted, request, await sent(request))


def _saved(request: Request, found: dict[str, Any]) -> Response:
    table, row = _mine(request)
    try:
        read_choice(found.get("content"))
        saved = table.desk.drafts.save(row.name, found["content"], base=version_of(found),
                                       skipped=found.get("skipped") is True)  # fmt: skip
    except ConflictError:
        return _conflict(*_mine(request))
    except FairtrialError as error:
        return refused(error)
    return JSONResponse({"version": saved.version, "saved_at": saved.saved_at})


def _cited(request: Request, found: dict[str, Any]) -> Response:
    table, row = _mine(request)
    text = found.get("citation")
    if not isinstance(text, str):
        return JSONResponse({"what": "is no text", "field": "citation"}, status_code=400)
    first, second = (table.desk.works.of(one).citable for one in (row.showing.first, row.showing.second))
    return JSONResponse({"citation": text, "why_not": why_not_cited(text, first, second)})


def _submitted(request: Request, found: dict[str, Any]) -> Response:
    with table_of(site_of(request)).desk.submitting:
        table, row = _mine(request)
        try:
            choice = read_choice(found.get("content"))
            if version_of(found) != row.draft.version and read_choice(content_of(row)) != choice:
                return _conflict(table, row)
            made, lacks = table.submit(row, choice)
            if made is not None:
                table.desk.drafts.finish(row.name, made.id)
        except FairtrialError as error:
            return refused(error)
    if made is None:
        told = [{"field": lack.field, "what": lack.what} for lack in lacks]
        return JSONResponse({"what": "The choice is not complete.", "lacks": told}, status_code=422)
    following = next_row(table.rows(reader_of(request)).rows, row.name)
    return JSONResponse({"preference": made.id, "next": f"/pairs/{following.name}" if following else "/pairs"})


def _conflict(table: Table, row: PairRow) -> Response:
    current = table.desk.drafts.read(row.name).document() | {"content": dict(content_of(row))}
    return JSONResponse({"what": "Another window saved meanwhile.", "current": current}, status_code=409)


def _mine(request: Request) -> tuple[Table, PairRow]:
    """Return the reader's row that the address names; 404 where it is none of theirs."""
    table = table_of(site_of(request))
    row = table.row(reader_of(request), request.path_params["row"])
    if row is None:
        raise HTTPException(404, "No such pair is open to you.")
    return table, row


def _asked_side(request: Request) -> Side:
    table, row = _mine(request)
    name = request.path_params["side"]
    if name not in ("first", "second"):
        raise HTTPException(404)
    return _side(table, row, name)


def _side(table: Table, row: PairRow, name: str) -> Side:
    attempt = row.showing.first if name == "first" else row.showing.second
    work = table.desk.works.of(attempt)
    acts = (at for at, step in enumerate(work.trajectory.steps, 1) if step.source == "agent")
    return Side(name, "Left" if name == "first" else "Right", f"/pairs/{row.name}/{name}", work,
                window(work.trajectory, next(acts, 1), with_costs=False))  # fmt: skip


ROUTES: tuple[BaseRoute, ...] = (
    Route("/pairs", begin),
    Route("/pairs/{row}", show),
    Route("/pairs/{row}/draft", draft, methods=["PUT"]),
    Route("/pairs/{row}/citation", cite, methods=["POST"]),
    Route("/pairs/{row}/submit", submission, methods=["POST"]),
    Route("/pairs/{row}/{side}/steps", steps),
    Route("/pairs/{row}/{side}/part", part),
    Route("/pairs/{row}/{side}/picture/{name}", picture),
    Route("/pairs/{row}/{side}/file", file),
    Route("/pairs/{row}/{side}/image", image),
)
