"""What a page's script sends, and what it is answered where that is wrong."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from fairtrial.records import FairtrialError

MOST_BODY_BYTES = 1_000_000


async def sent(request: Request) -> dict[str, Any]:
    """Return the JSON object that was sent. Raise HTTPException for anything else, and for more than 1 MB."""
    pieces, size = [], 0
    try:
        async for piece in request.stream():
            size += len(piece)
            if size > MOST_BODY_BYTES:
                raise HTTPException(413)
            pieces.append(piece)
    except ClientDisconnect as error:  # a window that is closed while it saves; what it had is in the browser
        raise HTTPException(400) from error
    try:
        found = orjson.loads(b"".join(pieces))
    except orjson.JSONDecodeError as error:
        raise HTTPException(400) from error
    if not isinstance(found, dict):
        raise HTTPException(400)
    return found


def version_of(found: dict[str, Any]) -> int:
    """Return the version of the draft that the page builds on. Raise HTTPException where it states none."""
    base = found.get("base", 0)
    if isinstance(base, bool) or not isinstance(base, int) or base < 0:
        raise HTTPException(400)
    return base


def refused(error: FairtrialError) -> Response:
    """Return an error as a page's script reads it: a field that is wrong is the sender's, all else the server's."""
    status = 400 if error.field else 500
    return JSONResponse({"what": error.what, "field": error.field, "hint": error.hint}, status_code=status)
