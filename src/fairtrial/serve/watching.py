"""A live page of one training run, on loopback, behind a token: it follows the log as it grows.

The page is made anew where a file of the run has changed since, at most once a second and for a fifth of the time. The
script asks every three seconds and puts the new content in the place of the old; without script the browser loads the
page again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
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
from fairtrial.serve.listening import address_of, answer, bound, heed_interrupt, hosts_of
from fairtrial.serve.pages import STATIC, by_attribute, environment, report_style
from fairtrial.serve.site import Reader, reader_with
from fairtrial.train.watch import Watched

Read = Callable[[], Sequence[Watched]]
_HOST = "127.0.0.1"
_LEAST_SECONDS = 1.0
_SHARE = 5
_FILES = ("steps.jsonl", "seed-*/steps.jsonl", "*/part-*.parquet", "training/*/part-*.parquet")
"""What a page is made of: logs of a run or of one seed, parts of a ledger, parts of the ledger of training rollouts."""


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
    run: Path
    text: str = ""
    tag: str = ""
    stamp: tuple[tuple[str, int, int], ...] = ()
    due: float = 0.0

    def latest(self) -> tuple[str, str]:
        """Return the page and its tag."""
        began = time.monotonic()
        stamp = _stamp(self.run)
        if not self.text or (began >= self.due and stamp != self.stamp):
            report = page_of(self.read(), str(self.run))
            self.text = environment().get_template("watch_live.html.j2").render(
                report=report, drawings={key: tuple(map(by_attribute, some)) for key, some in drawings(report).items()}
            )  # fmt: skip
            self.tag = f'"{hashlib.sha256(self.text.encode()).hexdigest()[:32]}"'
            self.stamp, now = stamp, time.monotonic()
            self.due = now + max(_LEAST_SECONDS, (_SHARE - 1) * (now - began))
        return self.text, self.tag


def _stamp(run: Path) -> tuple[tuple[str, int, int], ...]:
    """Return the files that the page is made of, each with its size and time."""
    found: list[tuple[str, int, int]] = []
    for path in sorted(path for pattern in _FILES for path in run.glob(pattern)):
        with suppress(FileNotFoundError):  # a ledger that is compacted loses parts at any time
            found.append((str(path), (known := path.stat()).st_size, known.st_mtime_ns))
    return tuple(found)


def watch_application(read: Read, run: Path, site: WatchSite) -> Starlette:
    """Return the application that shows what `read` returns."""
    shown = _Shown(read, run)

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
        try:
            heed_interrupt()
            tell(f"{address_of(hosts[0])}/enter?token={site.reader.token}")
            answer(watch_application(read, run, site), listening)
        except KeyboardInterrupt:
            return
