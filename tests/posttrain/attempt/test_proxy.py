"""The proxy lets through what the bench names and nothing else, whatever a client sends; and writes all of it down."""

from __future__ import annotations

import ipaddress
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.posttrain.attempt.clients import Client, read_all
from tests.posttrain.attempt.conftest import lines

from fairtrial.posttrain.attempt.proxy import Allowing, Proxy, connecting, serving
from fairtrial.posttrain.attempt.proxy.allowing import RefusalError, is_public, plain_host
from fairtrial.posttrain.attempt.proxy.forwarding import MOST_READ_BODY
from fairtrial.posttrain.attempt.proxy.request_log import shown_path
from fairtrial.records import InputError

HOSTS = ("models.example", "*.pages.example", "localhost", "plain.example:8080", "127.0.0.1", "metadata.example")


@pytest.fixture
def client(tmp_path: Path, stand_in: int) -> Iterator[Client]:
    routes = {"models.example": f"127.0.0.1:{stand_in}", "a.pages.example": f"127.0.0.1:{stand_in}"}
    path = tmp_path / "network.jsonl"
    listening = socket.create_server(("127.0.0.1", 0))
    with Proxy(listening, Allowing.of(HOSTS, routes), path):
        yield Client(listening.getsockname()[1], path)


def body(answer: bytes) -> dict[str, object]:
    said = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert isinstance(said, dict)
    return said


def test_an_allowed_request_gets_through_and_is_written_down(client: Client) -> None:
    answer = client.get("http://models.example/v1/models?page=2")
    assert answer.startswith(b"HTTP/1.1 200")
    assert body(answer)["path"] == "/v1/models?page=2"
    row = client.rows()[0]
    assert (row["host"], row["port"], row["method"], row["path"]) == ("models.example", 80, "GET", "/v1/models?page=2")
    assert (row["status"], row["allowed"], row["why"]) == (200, True, "")
    assert isinstance(row["received"], int)
    assert row["received"] > 0


@pytest.mark.parametrize(
    "address",
    ["http://other.example/", "http://pages.example/", "http://models.example.evil/", "http://evilmodels.example/",
     "http://models.example:81x/", "https://models.example/", "/v1", "ftp://models.example/", "http://a@models.example/",
     "http://models.example@other.example/", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "http:///",
     "http://xn--mdels-jua.example/", "http://metadata.google.internal/", "http://169.254.169.254/latest"],
)  # fmt: skip
def test_anything_else_is_refused_and_written_down(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 400"))
    assert b"fairtrial: refused." in answer
    row = client.rows()[0]
    assert row["allowed"] is False
    assert row["why"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_name_that_leads_to_this_machine_is_refused(client: Client, host: str, stand_in: int) -> None:
    del stand_in
    answer = client.get(f"http://{host}/")
    assert answer.startswith(b"HTTP/1.1 403")
    assert b"not public" in answer
    assert client.rows()[0]["allowed"] is False


def test_the_address_that_was_checked_is_the_one_that_is_used(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, opened = [], []
    real = socket.getaddrinfo

    def turning(host: str, *words: object, **more: object) -> object:
        if host != "metadata.example":
            return real(host, *words, **more)  # type: ignore[arg-type]
        asked.append(host)
        address = "127.0.0.1" if len(asked) > 1 else "93.184.216.34"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80))]

    async def open_connection(address: str, port: int) -> None:
        opened.append((address, port))
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", turning)
    monkeypatch.setattr(connecting.asyncio, "open_connection", open_connection)
    assert client.get("http://metadata.example/").startswith(b"HTTP/1.1 502")
    assert opened == [("93.184.216.34", 80)]
    assert b"not public" in client.get("http://metadata.example/")
    assert len(opened) == 1


def test_other_ports_are_refused_unless_named(client: Client) -> None:
    assert b"port 81" in client.get("http://b.pages.example:81/")
    assert b"port 80" in client.get("http://plain.example/")
    assert b"could not be looked up" in client.get("http://plain.example:8080/")
    assert [row["allowed"] for row in client.rows(3)] == [False, False, True]


@pytest.mark.parametrize(
    "head",
    ["Host: other.example\r\n", "Host: models.example\r\nHost: other.example\r\n", "Host: models.example:99\r\n"],
)
def test_a_host_header_for_another_host_is_refused(client: Client, head: str) -> None:
    answer = client.send(f"GET http://models.example/ HTTP/1.1\r\n{head}\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 400")
    assert client.rows()[0]["allowed"] is False


def test_a_second_request_cannot_hide_in_the_first(client: Client) -> None:
    inner = b"GET http://other.example/x HTTP/1.1\r\nHost: other.example\r\n\r\n"
    both = (b"POST http://models.example/ HTTP/1.1\r\nHost: models.example\r\nContent-Length: %d\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % (5 + len(inner))) + inner  # fmt: skip
    answer = client.send(both)
    if answer.startswith(b"HTTP/1.1 200"):
        sent = dict(body(answer)["headers"])  # type: ignore[call-overload]
        assert "content-length" not in sent
        assert body(answer)["body"] == ""
    assert answer.count(b"HTTP/1.1 ") == 1
    assert len(client.rows()) == 1


@pytest.mark.parametrize(
    "raw",
    [b"\x00\x01\x02\r\n\r\n", b"GET http://models.example/ HTTP/1.1\r\nHost : models.example\r\n\r\n",
     b"GET http://models.example/ HTTP/1.1\r\nHost: models.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
     b"GET  http://models.example/\r\n\r\n",
     b"GET http://models.example/ HTTP/1.1\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
     b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"CONNECT models.example HTTP/1.1\r\n\r\n",
     b"CONNECT models.example:0 HTTP/1.1\r\nHost: models.example\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_is_refused_and_told(client: Client, raw: bytes) -> None:
    answer = client.send(raw)
    assert answer.startswith(b"HTTP/1.1 4")
    assert client.rows()[0]["allowed"] is False


@given(raw=st.binary(max_size=300))
def test_no_bytes_end_the_proxy(shared: Client, raw: bytes) -> None:
    with shared.connect() as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        read_all(connection)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, stand_in: int) -> Iterator[Client]:
    path = tmp_path_factory.mktemp("proxy") / "network.jsonl"
    listening = socket.create_server(("127.0.0.1", 0))
    allowing = Allowing.of(["models.example"], {"models.example": f"127.0.0.1:{stand_in}"})
    with Proxy(listening, allowing, path):
        client = Client(listening.getsockname()[1], path)
        yield client
        assert client.get("http://models.example/").startswith(b"HTTP/1.1 200")


def test_bodies_go_through_whole_and_name_their_model(client: Client) -> None:
    prompt = json.dumps({"model": "large", "prompt": "x" * 100_000}).encode()
    head = b"POST http://models.example/v1 HTTP/1.1\r\nHost: models.example\r\n"
    plain = client.send(head + b"Content-Length: %d\r\n\r\n" % len(prompt) + prompt)
    chunked = client.send(head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(prompt) + prompt + b"\r\n0\r\n\r\n")
    assert body(plain)["body"] == body(chunked)["body"] == prompt.decode()
    assert [(row["model"], row["sent"]) for row in client.rows(2)] == [("large", len(prompt))] * 2


def test_a_large_body_is_not_held(client: Client) -> None:
    data = b'{"model": "m", "x": "' + b"y" * (MOST_READ_BODY + 10) + b'"}'
    head = b"POST http://models.example/v1 HTTP/1.1\r\nHost: models.example\r\n"
    client.send(head + b"Content-Length: %d\r\n\r\n" % len(data) + data)
    row = client.rows()[0]
    assert (row["model"], row["sent"]) == ("", len(data))


def test_expectations_and_heads_are_answered(client: Client) -> None:
    head = client.send(b"HEAD http://models.example/ HTTP/1.1\r\nHost: models.example\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert head.endswith(b"\r\n\r\n")
    with client.connect() as connection:
        connection.sendall(b"POST http://models.example/ HTTP/1.1\r\nHost: models.example\r\nContent-Length: 2\r\n"
                           b"Expect: 100-continue\r\n\r\n")  # fmt: skip
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"ab")
        assert b"200" in read_all(connection).partition(b"\r\n")[0]


def test_headers_of_one_hop_stay_there(client: Client) -> None:
    more = "Proxy-Authorization: Basic abc\r\nConnection: X-Own\r\nX-Own: 1\r\nUpgrade: websocket\r\nX-Kept: 2\r\n"
    sent = dict(body(client.get("http://models.example/", more))["headers"])  # type: ignore[call-overload]
    assert "x-kept" in sent
    assert not {"proxy-authorization", "x-own", "upgrade"} & set(sent)


def test_keys_are_not_written_down(client: Client) -> None:
    key = "sk-1234567890abcdefghijklmnop"
    client.get(f"http://models.example/v1?api_key=abcdef0123&x={key}", f"Authorization: Bearer {key}\r\n")
    client.rows()
    assert "abcdef0123" not in client.path.read_text()
    assert key not in client.path.read_text()


def test_a_server_that_is_not_there_is_told_as_such(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    listening = socket.create_server(("127.0.0.1", 0))
    path = tmp_path / "network.jsonl"
    with Proxy(listening, Allowing.of(["a.example"], {"a.example": f"127.0.0.1:{port}"}), path):
        client = Client(listening.getsockname()[1], path)
        assert client.get("http://a.example/").startswith(b"HTTP/1.1 502")
        row = client.rows()[0]
    assert (row["allowed"], row["status"]) == (True, 502)
    assert "could not be reached" in str(row["why"])


def test_too_many_connections_are_turned_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 2)
    with client.connect(), client.connect():
        time.sleep(0.1)
        assert client.get("http://models.example/").startswith(b"HTTP/1.1 503")
    end = time.monotonic() + 5
    while not client.get("http://models.example/").startswith(b"HTTP/1.1 200") and time.monotonic() < end:
        time.sleep(0.05)
    assert client.get("http://models.example/").startswith(b"HTTP/1.1 200")


def test_a_head_that_does_not_end_is_given_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.1)
    with client.connect() as connection:
        connection.sendall(b"GET http://models.example/ HTTP/1.1\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 408")


def test_what_is_under_way_in_the_end_is_written_down(tmp_path: Path) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    listening = socket.create_server(("127.0.0.1", 0))
    path = tmp_path / "network.jsonl"
    routes = {"a.example": f"127.0.0.1:{silent.getsockname()[1]}"}
    allowing = Allowing.of(["a.example"], routes)
    with silent, Proxy(listening, allowing, path), socket.create_connection(listening.getsockname()) as connection:
        connection.sendall(b"GET http://a.example/slow HTTP/1.1\r\nHost: a.example\r\n\r\n")
        accepted, _ = silent.accept()
        assert accepted.recv(10)
    accepted.close()
    row = lines(path)[0]
    assert (row["path"], row["status"], row["allowed"]) == ("/slow", None, True)


@given(address=st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_no_address_of_an_own_network_is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not any((address.is_private, address.is_loopback, address.is_link_local, address.is_multicast))
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            assert is_public(str(address.ipv4_mapped))


@pytest.mark.parametrize("host", ["", "a b", "a..b", "-", "a/b", "é.example", "*.example", "a" * 300, "[::1", "a\0b"])
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(RefusalError):
        plain_host(host)


@pytest.mark.parametrize("host", ["https://a.example", "a.example/x", "*", "", "a.example:99999", "a b"])
def test_lists_that_hold_no_host_are_refused(host: str) -> None:
    with pytest.raises(InputError):
        Allowing.of([host], {})
    with pytest.raises(InputError):
        Allowing.of([], {host: "127.0.0.1:80"})


@pytest.mark.parametrize("route", ["127.0.0.1", ":80", "a:b", "a:0", "a:70000"])
def test_routes_that_lead_nowhere_are_refused(route: str) -> None:
    with pytest.raises(InputError):
        Allowing.of(["a.example"], {"a.example": route})


def test_paths_are_cut_and_masked() -> None:
    assert len(shown_path("/" + "a" * 10_000)) == 4000
    assert shown_path("/x?token=abcdef123&q=1") == "/x?token=***&q=1"
