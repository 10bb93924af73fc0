"""Read the name of the host in the first message of a TLS client (RFC 8446 4.1.2, RFC 6066 3)."""

from __future__ import annotations

HANDSHAKE, CLIENT_HELLO, SERVER_NAME, HOST_NAME = 22, 1, 0, 0
MOST_HELLO = 16 << 10


class HelloError(Exception):
    """What a client sent is no beginning of TLS."""


def wanted_bytes(data: bytes) -> int:
    """Return how many bytes the record of a handshake has that begins with `data`. Raise HelloError for another."""
    if data[:1] != bytes([HANDSHAKE]) or (len(data) > 1 and data[1] != 3):
        raise HelloError
    size = 5 + int.from_bytes(data[3:5], "big") if len(data) >= 5 else 5
    if size > 5 + MOST_HELLO:
        raise HelloError
    return size


def server_name(record: bytes) -> str:
    """Return the host that a ClientHello names; empty where it names none. Raise HelloError where it is none.

    A hello that is split over several records is read as far as the first one goes.
    """
    body = _Reader(record[5:])
    if body.number(1) != CLIENT_HELLO:
        raise HelloError
    hello = _Reader(body.take(min(body.number(3), body.left)))
    hello.take(2 + 32)
    hello.take(hello.number(1))
    hello.take(hello.number(2))
    hello.take(hello.number(1))
    if not hello.left:
        return ""
    extensions = _Reader(hello.take(hello.number(2)))
    while extensions.left:
        kind, content = extensions.number(2), _Reader(extensions.take(extensions.number(2)))
        if kind == SERVER_NAME:
            content.take(2)
            return content.take(content.number(2)).decode("ascii", "replace") if content.number(1) == HOST_NAME else ""
    return ""


class _Reader:
    """Takes numbers and bytes from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @property
    def left(self) -> int:
        return len(self._data)

    def take(self, size: int) -> bytes:
        if size > len(self._data):
            raise HelloError
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")
