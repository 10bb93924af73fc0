"""One user's HTTP: cookies, redirects that stay on the host, and limits on time and size, as the app may be hostile.

It asks one host alone and no proxy. Not covered: caching, compression, HTTP/2.
"""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import CookieJar
from urllib.parse import quote, urljoin, urlsplit

from fairtrial.checks.reading import WorkError, said

SECONDS = 15.0
MOST_BYTES = 5_000_000
MOST_REDIRECTS = 10
_KEPT_AS_IT_IS = "!#$%&'()*+,/:;=?@[]~"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back at the end of the redirects."""

    url: str
    status: int
    kind: str
    """Media type."""
    body: str


class Web:
    """Ask one app."""

    def __init__(self, base_url: str, seconds: float = SECONDS) -> None:
        self.base_url = base_url
        self.seconds = seconds
        self._jar = CookieJar()

    def ask(
        self, method: str, url: str, body: str = "", kind: str = "", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask for `url`, below the app's address. Raise WorkError where no whole answer comes."""
        sent = {
            "User-Agent": "fairtrial",
            "Accept": "*/*",
            **({"Content-Type": kind} if kind else {}),
            **(headers or {}),
        }
        for _ in range(MOST_REDIRECTS + 1):
            url = self._within(url)
            status, found, data = self._asked(method, url, body, sent)
            where = found.get("Location", "")
            if status not in (301, 302, 303, 307, 308) or not where:
                return Answer(url, status, found.get_content_type(), _decoded(data, found))
            if status in (301, 302, 303) and method != "HEAD":
                method, body = "GET", ""
                sent.pop("Content-Type", None)
            url = _joined(url, where)
        raise WorkError(f"{said(url)} redirects more than {MOST_REDIRECTS} times")

    def _within(self, url: str) -> str:
        """Return the whole address of `url`. Raise WorkError where it is not the app's."""
        try:
            whole = quote(urljoin(f"{self.base_url}/", url), safe=_KEPT_AS_IT_IS)
            there, here = urlsplit(whole), urlsplit(self.base_url)
            is_here = (there.scheme, there.hostname, there.port) == (here.scheme, here.hostname, here.port)
        except ValueError:
            is_here = False
        if not is_here:
            raise WorkError(f"{said(url)} leads away from the app at {self.base_url}")
        return whole

    def _asked(self, method: str, url: str, body: str, headers: Mapping[str, str]) -> tuple[int, Message, bytes]:
        address = urlsplit(url)
        cookies = urllib.request.Request(url)
        self._jar.add_cookie_header(cookies)
        sent = {**headers, **dict(cookies.header_items())}
        connecting = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        connection = connecting(address.hostname or "", address.port, timeout=self.seconds)
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        late = threading.Event()
        watch: threading.Timer | None = None
        try:
            connection.connect()
            # The answer takes the socket over where its length is not told: the connection then knows it no more.
            watch = threading.Timer(self.seconds, _hang_up, (connection.sock, late))
            watch.start()
            connection.request(method, target, body.encode() if body else None, sent)
            answer = connection.getresponse()
            data = answer.read(MOST_BYTES + 1)
            self._jar.extract_cookies(answer, cookies)
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = f"takes more than {self.seconds:g} s" if late.is_set() else f"gives no answer: {_named(error)}"
            raise WorkError(f"{method} {said(url)} {why}") from None
        finally:
            if watch is not None:
                watch.cancel()
                watch.join()
            connection.close()
        if late.is_set():
            raise WorkError(f"{method} {said(url)} takes more than {self.seconds:g} s")
        if len(data) > MOST_BYTES:
            raise WorkError(f"{method} {said(url)} answers with more than {MOST_BYTES} bytes")
        return answer.status, answer.headers, data


def _joined(url: str, where: str) -> str:
    try:
        return urljoin(url, where)
    except ValueError:
        return where


def _hang_up(opened: socket.socket, late: threading.Event) -> None:
    late.set()
    try:
        opened.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _named(error: Exception) -> str:
    return f"{type(error).__name__} {error}"[:120].strip()


def _decoded(data: bytes, headers: Message) -> str:
    charset = headers.get_content_charset("utf-8")
    try:
        return data.decode(charset, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")
