"""Write down every request as it ends or is refused, one line of JSON each; keys in addresses are masked.

Neither headers nor bodies are kept: of a body of JSON only the model that it names.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote_plus

import orjson

from fairtrial.contamination.conduct.masking import masked
from fairtrial.sandbox.variables import is_credential

MOST_PATH = 4000
MOST_KEPT = 200_000
"""Requests that are written down; more are counted."""


@dataclass(slots=True, kw_only=True)
class Request:
    """One request, as much of it as is known."""

    began: datetime
    host: str = ""
    port: int = 0
    method: str = ""
    path: str = ""
    """Path and query; empty for a tunnel, whose inside is not seen."""
    status: int | None = None
    """What the server answered; of a refused one what the proxy did; None where nobody did."""
    sent: int = 0
    """Bytes of the body, or of what went through a tunnel, towards the server."""
    received: int = 0
    allowed: bool = False
    why: str = ""
    """Why it was refused, or came to nothing."""
    model: str = ""
    """Which a body of JSON names."""
    sni: str = ""
    """The host that a tunnel's client named to the server."""

    def row(self) -> dict[str, object]:
        """Return it as a line of network.jsonl."""
        began = self.began.isoformat(timespec="milliseconds")
        row = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "began"}
        return {"time": began, **row, "path": shown_path(self.path)}


class RequestLog:
    """Appends to network.jsonl."""

    def __init__(self, path: Path) -> None:
        self.requests = 0
        self.refused = 0
        self._lock = threading.Lock()
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def add(self, request: Request) -> None:
        """Write down a request that has ended."""
        line = orjson.dumps(request.row()) + b"\n"
        with self._lock:
            self.requests += 1
            self.refused += not request.allowed
            if self.requests <= MOST_KEPT:
                os.write(self._file, line)

    @property
    def left_out(self) -> int:
        """Return how many requests were counted and not written down."""
        return max(0, self.requests - MOST_KEPT)

    def close(self) -> None:
        """Write through to the disk."""
        os.fsync(self._file)
        os.close(self._file)


def now() -> datetime:
    """Return the time, UTC."""
    return datetime.now(UTC)


def shown_path(path: str) -> str:
    """Return a path with its query, keys in it masked, cut where it is long.

    >>> shown_path("/v1/models?key=abcdef123456&page=2")
    '/v1/models?key=***&page=2'
    """
    plain, mark, query = path.partition("?")
    pairs = [_masked_pair(one) for one in query.split("&")] if mark else []
    whole = masked(plain) + mark + "&".join(pairs)
    return whole if len(whole) <= MOST_PATH else whole[: MOST_PATH - 1] + "…"


def _masked_pair(pair: str) -> str:
    name, sign, value = pair.partition("=")
    return f"{name}=***" if sign and value and is_credential(unquote_plus(name)) else masked(pair)
