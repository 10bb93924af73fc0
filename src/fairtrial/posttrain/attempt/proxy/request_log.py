"""Write down every request as it ends or is refused, one line of JSON each; keys in addresses are masked.

Neither headers nor bodies are kept: of a body of JSON only the model that it names.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote_plus

import orjson

from fairtrial.contamination.conduct.masking import masked
from fairtrial.posttrain.attempt.lines import Lines
from fairtrial.sandbox.variables import is_credential

MOST_PATH = 4000
MOST_KEPT = 200_000
"""Requests that are written down; more are counted."""
MOST_OF_ONE = 40_000
"""Of one allowed host, and of all refused ones: a flood of one kind leaves room for the others."""
MOST_BYTES = 64 << 20
SHORT_PATH = 200
"""Of a path, once network.jsonl has MOST_BYTES."""
MOST_METHOD = 40


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
        return {"time": began, **row, "path": shown_path(self.path), "method": self.method[:MOST_METHOD]}


class RequestLog:
    """Appends to network.jsonl."""

    def __init__(self, path: Path) -> None:
        self.requests = 0
        self.refused = 0
        self._lock = threading.Lock()
        self._lines = Lines(path)
        self._kept = 0
        self._listed: Counter[str] = Counter()
        """Allowed host, or empty for all refused ones -> how many were written down."""

    def add(self, request: Request) -> None:
        """Write down a request that has ended."""
        row = request.row()
        kind = request.host if request.allowed else ""
        with self._lock:
            self.requests += 1
            self.refused += not request.allowed
            if self._kept >= MOST_KEPT or self._listed[kind] >= MOST_OF_ONE:
                return
            self._listed[kind] += 1
            self._kept += 1
            if self._lines.size > MOST_BYTES:
                row["path"] = str(row["path"])[:SHORT_PATH]
            self._lines.add(orjson.dumps(row) + b"\n")

    @property
    def left_out(self) -> int:
        """Return how many requests were counted and not written down."""
        return self.requests - self._kept + self._lines.lost

    def close(self) -> None:
        """Write through to the disk."""
        self._lines.close()


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
