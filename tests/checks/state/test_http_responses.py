"""A service may be slow, endless, or send elsewhere; the check ends and says so."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from fairtrial.checks import CheckError
from fairtrial.checks.state.http_responses import http_response


@contextmanager
def raw(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve one connection after another with `answer`, which may break every rule."""
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def serve() -> None:
        while not ended.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                try:
                    answer(connection)
                except OSError:
                    continue

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    ended.set()
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


def _drip(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        connection.sendall(b"x")
        threading.Event().wait(0.02)


def _drip_body(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x")
        threading.Event().wait(0.02)


def _flood(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x" * 1_000_000)


def _silence(connection: socket.socket) -> None:
    while connection.recv(1000):
        pass


def _noise(connection: socket.socket) -> None:
    connection.sendall(b"\x00\xff" * 100 + b"\r\n\r\n")


def _headers(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X%d: y\r\n" % n for n in range(10_000)))


def _short(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")


@pytest.mark.parametrize("answer", [_drip, _drip_body, _flood, _silence, _noise, _headers, _short])
def test_an_answer_that_breaks_the_rules_fails(answer: Callable[[socket.socket], None]) -> None:
    with raw(answer) as url:
        found = http_response(url, seconds=0.5)
    assert not found.passed
    assert found.why.isprintable()


def test_nobody_there_fails() -> None:
    assert "does not answer" in http_response("http://127.0.0.1:1/").why


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/", "127.0.0.1", "http://", "http://[", ""])
def test_what_is_no_address_says_nothing_of_the_work(url: str) -> None:
    with pytest.raises(CheckError):
        http_response(url)


def test_redirects_are_followed_on_the_same_host_alone(service: Any) -> None:
    service.answers["/"] = (302, {"Location": "/there"}, b"")
    service.answers["/there"] = (200, {}, b"hello")
    assert http_response(f"{service.url}/", contains="hello").passed
    for goal in ("http://127.0.0.1:1/", "http://localhost.example/", "file:///etc/passwd", "//other/x", "http://[/"):
        service.answers["/"] = (302, {"Location": goal}, b"hello")
        assert http_response(f"{service.url}/", contains="hello").why == f"'{service.url}/' answers 302, not 200"
        assert http_response(f"{service.url}/", status=302, contains="hello").passed
    service.answers["/"] = (302, {"Location": "/"}, b"")
    assert "redirects more than" in http_response(f"{service.url}/").why


def test_what_is_sent_is_what_was_stated(service: Any) -> None:
    service.answers["/orders?x=1"] = (201, {}, b"made")
    found = http_response(f"{service.url}/orders?x=1", status=0, contains="made", request={"json": {"id": 7}})
    assert found.passed, found.why
    assert service.seen == [("POST", "/orders?x=1", b'{"id": 7}')]
    with pytest.raises(CheckError, match="no key 'verb'"):
        http_response(service.url, request={"verb": "GET"})


def test_values_of_the_answer_are_compared_by_type(service: Any) -> None:
    service.answers["/"] = (200, {}, b'{"ok": true, "items": [{"n": 1}, {"n": 2}]}')
    url = f"{service.url}/"
    assert http_response(url, json_at={"$.ok": True, "$.items[*].n": [1, 2]}).passed
    assert "$.ok is True, not 1" in http_response(url, json_at={"$.ok": 1}).why
    assert "nothing at $.none" in http_response(url, json_at={"$.none": 1}).why
    service.answers["/"] = (200, {}, b"no json")
    assert "is not JSON" in http_response(url, json_at={"$.ok": True}).why
