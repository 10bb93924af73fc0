"""What is answered where there is nothing to show: no such page, or a ledger that could not be read."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ExceptionHandler

from fairtrial.records import FairtrialError
from fairtrial.serve.pages import page


def not_found(request: Request, error: Exception) -> Response:
    """Answer the same for what is not there and for what this reader may not see."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    if status != 404 or request.method not in ("GET", "HEAD"):
        return PlainTextResponse("That is not possible here.\n", status_code=status)
    return page(request, "trouble.html.j2", status=404, title="There is no such page",
                what="Nothing is at this address for you.", hint="")  # fmt: skip


def broken(request: Request, error: Exception) -> Response:
    """Say what could not be read; nothing is lost by that, and the other pages stand."""
    hint = error.hint if isinstance(error, FairtrialError) else ""
    what = str(error) if not hint else str(error).removesuffix(hint).rstrip()
    return page(request, "trouble.html.j2", status=500, title="This could not be shown", what=what, hint=hint)


HANDLERS: dict[int | type[Exception], ExceptionHandler] = {HTTPException: not_found, FairtrialError: broken}
