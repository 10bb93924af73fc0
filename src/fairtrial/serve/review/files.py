"""Answers with what was handed in: one text, or one image, by its path. Who may ask is the area's business."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fairtrial.ledger import Ledger
from fairtrial.serve.pages import page
from fairtrial.serve.review.handed_in import image_of
from fairtrial.serve.review.work import Work


def file_answer(request: Request, work: Work, back: str) -> Response:
    """Return one text as a page, or as a fragment of one; 404 where no such text was handed in."""
    path = request.query_params.get("path", "")
    file = next((one for one in work.handed_in.files if one.path == path and one.text is not None), None)
    if file is None:
        raise HTTPException(404)
    template = "file_fragment.html.j2" if "fragment" in request.query_params else "file.html.j2"
    return page(request, template, file=file, base=back)


def image_answer(request: Request, ledger: Ledger, work: Work) -> Response:
    """Return one image; 404 where no such image was handed in."""
    path = request.query_params.get("path", "")
    known = any(one.path == path and one.is_image for one in work.handed_in.files)
    found = image_of(ledger, work.attempt.deliverable, path) if known else None
    if found is None:
        raise HTTPException(404)
    return Response(found[0], media_type=found[1], headers={"Cache-Control": "private, max-age=3600"})
