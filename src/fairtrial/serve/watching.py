"""A live page of one training run, on loopback, behind a token: it follows the log as it grows.

The page is read anew where the log has changed since, at most once a second. The script asks every three seconds and
puts the new content in the place of the old; without script the browser loads the page again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fairtrial.records import FairtrialError
from fairtrial.report.watch import page_of
from fairtrial.report.watch.html import drawings
from fairtrial.serve.door import Door
from fairtrial.serve.listening import address_of, answer, bound, hosts_of
from fairtrial.serve.pages import STATIC, environment, report_style
from fairtrial.serve.site import Reader, reader_with
from fairtrial.train.watch import Watched

Read = Callable[[], Sequence[Watched]]
_HOST = "127.0.0.1"
_LEAST_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSite:
    """Who may look, and by which names the server goes."""

    hosts: frozenset[str]
    reader: Reader = field(default_factory=lambda: Reader(name="owner", role="owner"))

    def reader_of(self, token: str) -> Reader | None:
        """Return whose token it is; None for nobody's."""
        return reader_with(token, (self.reader,))


@dataclass(slots=True)
class _Shown:
    """The page as it was last made."""

    read: Read
    named: str
    text: str = ""
    tag: str = ""
    made_at: float = -_LEAST_SECONDS

    def latest(self) -> tuple[str, str]:
        """Return the page and its tag. A log that cannot be read leaves the page that was there, if there was one."""
        if time.monotonic() - self.made_at >= _LEAST_SECONDS:
            report = page_of(self.read(), self.named)
            self.text = environment().get_template("watch_live.html.j2").render(
                report=report, drawings=drawings(report)
            )  # fmt: skip
            self.tag = f'"{hashlib.sha256(self.text.encode()).hexdigest()[:32]}"'
            self.made_at = time.monotonic()
        return self.text, self.tag


def watch_application(read: Read, named: str, site: WatchSite) -> Starlette:
    """Return the application that shows what `read` returns."""
    shown = _Shown(read, named)

    def page(request: Request) -> Response:
        try:
            text, tag = shown.latest()
        except FairtrialError as error:
            return PlainTextResponse(f"{error}\n", status_code=503)
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return HTMLResponse(text, headers={"ETag": tag})

    routes = [Route("/", page), Route("/static/report.css", report_style),
              Mount("/static", StaticFiles(directory=STATIC))]  # fmt: skip
    return Starlette(routes=routes, middleware=[Middleware(Door, site=site)])


def serve_watch(read: Read, run: Path, port: int, tell: Callable[[str], None]) -> None:
    """Serve the page of `run` on loopback until Ctrl-C; `tell` is given the link. Raise InputError for a taken port."""
    with bound(_HOST, port) as listening:
        hosts = hosts_of(_HOST, listening.getsockname()[1])
        site = WatchSite(hosts=frozenset(hosts))
        tell(f"{address_of(hosts[0])}/enter?token={site.reader.token}")
        try:
            answer(watch_application(read, str(run), site), listening)
        except KeyboardInterrupt:
            return
