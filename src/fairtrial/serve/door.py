"""The door: who is let in, from where, to do what; and the headers that every answer carries.

A Host that was not named is refused (DNS rebinding), a request without a reader's token is refused, and what changes
something must come from this very origin with the reader's CSRF token. `/enter?token=...` turns the printed link into a
cookie and takes the token out of the address. Not covered: what a reader may see, which is each page's own business.
"""

from __future__ import annotations

import re
import secrets
from typing import Protocol

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairtrial.serve.site import Reader

ENTER = "/enter"
CSRF_HEADER = "X-Fairtrial"
_PORT = re.compile(r":(\d+)$")
_SAFE = frozenset({"GET", "HEAD"})
_GO_ON = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">
<title>fairtrial</title></head><body><p><a href="/">Go on</a></p></body></html>
"""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


class Guarded(Protocol):
    """What stands behind the door."""

    @property
    def hosts(self) -> frozenset[str]:
        """Values of the Host header that are answered."""
        ...

    def reader_of(self, token: str) -> Reader | None:
        """Return whose token it is; None for nobody's."""
        ...


class Door:
    """ASGI middleware in front of every route; sets `request.state.reader`."""

    def __init__(self, app: ASGIApp, site: Guarded) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the request through."""
        if scope["type"] != "http":  # no websockets; lifespan goes through
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        answer = self._turned_away(request)
        if answer is None:
            await self.app(scope, receive, _with_headers(send))
        else:
            await answer(scope, receive, _with_headers(send))

    def _turned_away(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host.lower() not in self.site.hosts:
            return PlainTextResponse("This server does not go by that name.\n", status_code=421)
        if request.url.path == ENTER:
            return self._enter(request)
        reader = self.site.reader_of(request.cookies.get(cookie_name(host), ""))
        if reader is None:
            return PlainTextResponse("Open the link that `fairtrial serve` printed: it carries your token.\n",
                                     status_code=401)  # fmt: skip
        request.scope.setdefault("state", {})["reader"] = reader
        return None if request.method in _SAFE else _refused_change(request, reader, self._origin(request))

    def _origin(self, request: Request) -> str:
        """Where our own pages are from: a name of port 443 is asked for over https, by way of a proxy."""
        host = request.headers["host"].lower()
        scheme = "https" if f"{host}:443" in self.site.hosts else request.url.scheme
        return f"{scheme}://{host}"

    def _enter(self, request: Request) -> Response:
        reader = self.site.reader_of(request.query_params.get("token", ""))
        if reader is None or request.method != "GET":
            return PlainTextResponse("That token opens nothing here.\n", status_code=401)
        answer: Response = RedirectResponse("/", status_code=303)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            # A strict cookie does not go along when a link on another site leads here, nor where that is redirected
            # to; from a page of our own it does.
            answer = HTMLResponse(_GO_ON)
        answer.set_cookie(
            cookie_name(request.headers["host"]), reader.token, httponly=True, samesite="strict", path="/"
        )
        return answer


def cookie_name(host: str) -> str:
    """Return the cookie's name: cookies know no ports, so two servers on one host need two names.

    >>> cookie_name("127.0.0.1:8321")
    'fairtrial-8321'
    >>> cookie_name("lab.example"), cookie_name("[::1]")
    ('fairtrial-80', 'fairtrial-80')
    """
    stated = _PORT.search(host)
    return "fairtrial-" + (stated[1] if stated else "80")


def _refused_change(request: Request, reader: Reader, origin: str) -> Response | None:
    if request.headers.get("origin", "") != origin:
        return PlainTextResponse("That page may not change anything here.\n", status_code=403)
    if not secrets.compare_digest(request.headers.get(CSRF_HEADER, "").encode(), reader.csrf.encode()):
        return PlainTextResponse("This page is from before the server was started anew: load it again.\n",
                                 status_code=403)  # fmt: skip
    return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
