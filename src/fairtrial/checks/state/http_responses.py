"""Check what a service answers over HTTP: status, wording, JSON, headers; the whole exchange within stated time.

Redirects are followed on the same host and port alone. Not covered: browsers, sessions of many requests, TLS that no
authority has signed.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import WorkError, json_from, of_the_work, said
from fairtrial.checks.state.json_path import is_single, places
from fairtrial.checks.state.values import difference
from fairtrial.checks.state.wording import Texts, Wording

MOST_BYTES = 20_000_000
MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


@of_the_work
def http_response(
    url: str,
    status: int = 200,
    contains: Texts = "",
    lacks: Texts = "",
    json_at: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
    request: dict[str, Any] | None = None,
    seconds: float = 10.0,
) -> Result:
    """Check the answer of `url`: its `status` (0 = any from 200 to 299), wording, values of its JSON, its headers.

    `json_at` maps a JSONPath to the value expected there. `request` may hold `method`, `headers` (a table), `body` (a
    text) or `json` (a value to send). Headers are compared without regard to case.
    """
    answer = _answered(url, _Request.of(request or {}), seconds)
    if not (200 <= answer.status < 300 if status == 0 else answer.status == status):
        expected = "from 200 to 299" if status == 0 else str(status)
        raise WorkError(f"{said(url)} answers {answer.status}, not {expected}")
    for name, value in (headers or {}).items():
        if answer.headers.get(name.lower(), "").casefold() != value.casefold():
            raise WorkError(f"{said(url)} has the header {name} {said(answer.headers.get(name.lower()))}, not {value}")
    text = answer.body.decode("utf-8", "replace")
    if json_at:
        document = json_from(text, f"the answer of {said(url)}")
        for path, value in json_at.items():
            found = [one for _, one in places(document, path)]
            if not found:
                raise WorkError(f"the answer of {said(url)} has nothing at {path}")
            if differs := difference(found[0] if is_single(path) else found, value, 0.0, path):
                raise WorkError(f"in the answer of {said(url)} {differs}")
    if contains or lacks:
        return Wording(contains, lacks).judged(text, f"the answer of {said(url)}")
    return Result(True, f"{said(url)} answers {answer.status}, as it should")


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    headers: dict[str, str]
    body: bytes | None

    @classmethod
    def of(cls, stated: dict[str, Any]) -> _Request:
        if strange := sorted(set(stated) - {"method", "headers", "body", "json"}):
            raise CheckError(f"`request` has no key {said(strange[0])}: method, headers, body, json")
        headers = {str(name): str(value) for name, value in stated.get("headers", {}).items()}
        body = stated.get("body")
        if "json" in stated:
            body = json.dumps(stated["json"])
            headers.setdefault("Content-Type", "application/json")
        method = str(stated.get("method", "GET" if body is None else "POST")).upper()
        return cls(method, headers, None if body is None else str(body).encode())


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def _answered(url: str, request: _Request, seconds: float) -> _Answer:
    """Return the answer after redirects. Raise WorkError where there is none in time."""
    here = url
    for _ in range(MOST_REDIRECTS + 1):
        answer = _exchanged(here, request, seconds)
        goal = _goal(here, answer)
        if answer.status not in _REDIRECTS or _host(goal) != _host(here):
            return answer
        if answer.status == 303 or (answer.status in (301, 302) and request.method == "POST"):
            request = _Request("GET", request.headers, None)
        here = goal
    raise WorkError(f"{said(url)} redirects more than {MOST_REDIRECTS} times")


def _goal(here: str, answer: _Answer) -> str:
    """Return where an answer sends to, "" where nowhere that can be understood."""
    try:
        return urljoin(here, answer.headers["location"])
    except (KeyError, ValueError):
        return ""


def _host(url: str) -> tuple[str, str | None, int | None]:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return "", None, None


def _exchanged(url: str, request: _Request, seconds: float) -> _Answer:
    scheme, host, port = _host(url)
    if scheme not in ("http", "https") or not host:
        raise CheckError(f"`url` should be an http or https address, not {said(url)}")
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port, timeout=seconds)
    try:
        connection.connect()
        with _ended_after(seconds, connection):
            connection.request(request.method, target, request.body, request.headers)
            response = connection.getresponse()
            body = response.read(MOST_BYTES + 1)
            headers = {name.lower(): value for name, value in response.getheaders()}
    except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
        reason = f"there was no whole answer in {seconds:g} s" if isinstance(error, TimeoutError) else said(str(error))
        raise WorkError(f"{said(url)} does not answer: {reason}") from None
    finally:
        connection.close()
    if len(body) <= MOST_BYTES and response.length:
        raise WorkError(f"{said(url)} answers with {response.length} bytes less than it announces")
    if len(body) > MOST_BYTES:
        raise WorkError(f"{said(url)} answers with more than {MOST_BYTES} bytes")
    return _Answer(response.status, headers, body)


@contextmanager
def _ended_after(seconds: float, connection: http.client.HTTPConnection) -> Iterator[None]:
    """End the exchange after `seconds`, also where the other side sends a byte now and then. Raise TimeoutError."""
    is_late = threading.Event()
    held = connection.sock  # the response takes it over, and may close it

    def end() -> None:
        is_late.set()
        try:
            held.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
        raise TimeoutError if is_late.is_set() else error from None
    finally:
        timer.cancel()
        timer.join()
    if is_late.is_set():
        raise TimeoutError
