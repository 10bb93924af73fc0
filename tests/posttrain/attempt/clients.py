"""A client of a proxy on loopback, which sends bytes as they are and reads what was written down."""

from __future__ import annotations

import contextlib
import socket
import time
from pathlib import Path

from tests.posttrain.attempt.conftest import lines


class Client:
    """A proxy on loopback, and what it wrote down."""

    def __init__(self, port: int, path: Path) -> None:
        self.port = port
        self.path = path

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def send(self, raw: bytes) -> bytes:
        """Send bytes, and return all that comes back until the proxy closes."""
        with self.connect() as connection:
            connection.sendall(raw)
            return read_all(connection)

    def get(self, address: str, more: str = "") -> bytes:
        host = address.partition("://")[2].partition("/")[0]
        return self.send(f"GET {address} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())

    def rows(self, wanted: int = 1) -> list[dict[str, object]]:
        """Return what was written down, once there is so much of it."""
        end = time.monotonic() + 5
        while len(lines(self.path)) < wanted and time.monotonic() < end:
            time.sleep(0.01)
        return lines(self.path)


def read_all(connection: socket.socket) -> bytes:
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while data := connection.recv(65536):
            got += data
    return got
