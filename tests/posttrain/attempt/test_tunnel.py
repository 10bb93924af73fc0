"""A tunnel carries TLS to the host that it was opened for, and nothing else; what it carried is counted."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.posttrain.attempt.clients import Client, read_all

from fairtrial.posttrain.attempt.proxy import Allowing, Proxy
from fairtrial.posttrain.attempt.proxy.hello import HelloError, server_name, wanted_bytes


def hello(name: str | None) -> bytes:
    """Return what a TLS client of the standard library sends first."""
    context = ssl.create_default_context()
    context.check_hostname = name is not None
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    wrapped = context.wrap_bio(incoming, outgoing, server_hostname=name) if name else _nameless(incoming, outgoing)
    with pytest.raises(ssl.SSLWantReadError):
        wrapped.do_handshake()
    return outgoing.read()


def _nameless(incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO) -> ssl.SSLObject:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    return context.wrap_bio(incoming, outgoing)


def tunnel(client: Client, target: str, first: bytes) -> tuple[bytes, bytes]:
    """Open a tunnel, send bytes through it, and return the answer and what came out of it."""
    with client.connect() as connection:
        connection.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        answer = connection.recv(65536)
        if not answer.startswith(b"HTTP/1.1 200"):
            return answer + read_all(connection), b""
        connection.sendall(first)
        connection.shutdown(socket.SHUT_WR)
        return answer, read_all(connection)


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Client]:
    """A proxy to a server that says back what it hears, and then ends."""
    listening, server = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                one, _ = server.accept()
                with one:
                    one.sendall(read_all(one))

    thread = threading.Thread(target=serve)
    thread.start()
    path = tmp_path / "network.jsonl"
    with Proxy(listening, Allowing.of(["a.example"], {"a.example": f"127.0.0.1:{server.getsockname()[1]}"}), path):
        yield Client(listening.getsockname()[1], path)
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def test_a_tunnel_carries_tls_to_its_host(echo: Client) -> None:
    first = hello("a.example")
    answer, came = tunnel(echo, "a.example:443", first)
    assert answer.startswith(b"HTTP/1.1 200")
    assert came == first
    row = echo.rows()[0]
    assert (row["method"], row["host"], row["sni"], row["path"]) == ("CONNECT", "a.example", "a.example", "")
    assert (row["sent"], row["received"], row["allowed"]) == (len(first), len(first), True)


def test_a_tunnel_for_another_host_than_it_was_opened_for_is_closed(echo: Client) -> None:
    _, came = tunnel(echo, "a.example:443", hello("b.example"))
    assert came == b""
    row = echo.rows()[0]
    assert (row["allowed"], row["sni"]) == (False, "b.example")


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", b"SSH-2.0-x\r\n", b"", b"\x16\x03"])
def test_a_tunnel_of_anything_but_tls_is_closed(echo: Client, first: bytes) -> None:
    _, came = tunnel(echo, "a.example:443", first)
    assert came == b""
    row = echo.rows()[0]
    assert row["allowed"] is False
    assert row["why"]


def test_tunnels_to_others_are_refused(echo: Client) -> None:
    answer, _ = tunnel(echo, "b.example:443", b"")
    assert answer.startswith(b"HTTP/1.1 403")
    assert echo.rows()[0]["allowed"] is False


def test_names_are_read_from_hellos() -> None:
    for name in ("a.example", "a-b.c.example"):
        data = hello(name)
        assert server_name(data[: wanted_bytes(data)]) == name
    assert server_name(hello(None)) == ""


@given(data=st.binary(max_size=200))
def test_no_bytes_break_the_reading_of_a_hello(data: bytes) -> None:
    whole = b"\x16\x03\x01" + len(data).to_bytes(2, "big") + data
    with contextlib.suppress(HelloError):
        assert isinstance(server_name(whole), str)
