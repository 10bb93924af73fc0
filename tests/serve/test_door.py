"""The door, over a real server on loopback: names, tokens, origins, methods; and the headers of every answer."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient
from tests.serve.holding import made
from tests.serve.review.setting import Running, running

from fairtrial.records import InputError
from fairtrial.serve import application
from fairtrial.serve.door import HEADERS
from fairtrial.serve.listening import hosts_of


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(made(tmp_path_factory.mktemp("door") / "ledger", long=3).ledger) as found:
        yield found


def asked(server: Running, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers={"Host": f"127.0.0.1:{server.port}"} | named)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


def cookie(server: Running, name: str = "owner") -> str:
    return f"fairtrial-{server.port}={server.reader(name).token}"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:{port}", "127.0.0.1:{port}."]
)
def test_another_name_is_refused_even_with_a_token(server: Running, host: str) -> None:
    host = host.replace("{port}", str(server.port))
    assert asked(server, "/", Host=host, Cookie=cookie(server))[0] == 421
    assert asked(server, f"/enter?token={server.reader('owner').token}", Host=host)[0] == 421


@pytest.mark.parametrize(
    "path", ["/", "/tasks", "/rollouts", "/review", "/static/report.css", "/static/steps.js", "/nowhere"]
)
def test_without_a_token_nothing_is_served(server: Running, path: str) -> None:
    for wrong in (
        {},
        {"Cookie": f"fairtrial-{server.port}=x"},
        {"Cookie": f"fairtrial-1={server.reader('owner').token}"},
    ):
        status, _, text = asked(server, path, **wrong)
        assert status == 401
        assert "fairtrial serve" in text


def test_a_link_becomes_a_cookie_and_leaves_the_address(server: Running) -> None:
    status, headers, _ = asked(server, f"/enter?token={server.reader('ada').token}")
    assert (status, headers["location"]) == (303, "/")
    said = headers["set-cookie"]
    assert said.startswith(cookie(server, "ada"))
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in said.split(";")}


def test_a_link_on_another_site_leads_through_a_page_of_our_own(server: Running) -> None:
    status, headers, text = asked(server, f"/enter?token={server.reader('ada').token}", Sec_Fetch_Site="cross-site")
    assert (status, "location" in headers) == (200, False)
    assert 'http-equiv="refresh" content="0;url=/"' in text
    assert server.reader("ada").token not in text
    assert headers["set-cookie"].startswith(cookie(server, "ada"))


@pytest.mark.parametrize("token", ["", "x", "%00", "%C3%A9"])
def test_a_wrong_token_opens_nothing(server: Running, token: str) -> None:
    status, headers, _ = asked(server, f"/enter?token={token}")
    assert status == 401
    assert "set-cookie" not in headers


def test_what_changes_something_needs_this_origin_and_the_readers_own_second_token(server: Running) -> None:
    own, ada, bo = server.address, server.reader("ada"), server.reader("bo")
    wrong = [
        {}, {"Origin": own}, {"Origin": own, "X_Fairtrial": bo.csrf}, {"Origin": "null", "X_Fairtrial": ada.csrf},
        {"Origin": "http://evil.example", "X_Fairtrial": ada.csrf}, {"X_Fairtrial": ada.csrf},
        {"Origin": own.replace("http", "https"), "X_Fairtrial": ada.csrf},
    ]  # fmt: skip
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        for headers in wrong:
            assert asked(server, "/review/x/draft", method, Cookie=cookie(server, "ada"), **headers)[0] == 403
    let_in = asked(server, "/tasks", "POST", Cookie=cookie(server, "ada"), Origin=own, X_Fairtrial=ada.csrf)
    assert let_in[0] in (404, 405)


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/live.css", "/enter?token=x"])
def test_every_answer_carries_the_policy(server: Running, path: str) -> None:
    for headers in ({}, {"Cookie": cookie(server)}, {"Host": "evil.example"}):
        found = asked(server, path, **headers)[1]
        assert {name: found.get(name.lower()) for name in HEADERS} == HEADERS
        assert "cache-control" in found
        assert "access-control-allow-origin" not in found
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_files_outside_the_static_folder_are_not_served(server: Running) -> None:
    for path in ("/static/../door.py", "/static/%2e%2e/door.py", "/static//etc/passwd", "/static/..%2fdoor.py"):
        assert asked(server, path, Cookie=cookie(server))[0] in (400, 404)


@pytest.mark.parametrize("port", [80, 443])
def test_a_port_that_browsers_leave_out_is_left_out_of_the_name(port: int) -> None:
    assert {"127.0.0.1", f"127.0.0.1:{port}"} < set(hosts_of("127.0.0.1", port))
    assert hosts_of("127.0.0.1", 8321, [f"lab.example:{port}"])[0] == "lab.example"
    assert hosts_of("127.0.0.1", 8321, ["[::1]", "::1"])[0] == "[::1]:8321"


@pytest.mark.parametrize("name", ["http://lab.example", "lab example", "", "a@b", "a:b", "a/b", "a:99999999"])
def test_what_is_no_name_is_refused_and_not_left_unanswered(name: str) -> None:
    with pytest.raises(InputError, match="no name of a host"):
        hosts_of("127.0.0.1", 8321, [name])


def test_a_name_of_port_443_is_asked_for_over_https(server: Running) -> None:
    hosts = frozenset(hosts_of("127.0.0.1", server.port, ["lab.example:443"]))
    reader = server.reader("ada")
    with TestClient(application(replace(server.site, hosts=hosts)), base_url="http://lab.example") as client:
        own = {"Cookie": f"fairtrial-80={reader.token}", "X-Fairtrial": reader.csrf}
        for origin, status in (("https://lab.example", 400), ("http://lab.example", 403)):
            assert client.put("/review/x/draft", headers=own | {"Origin": origin}).status_code == status


def test_a_window_that_is_closed_while_it_saves_leaves_no_trace(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    reader = server.reader("ada")
    head = (f"PUT /review/x/draft HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie(server, 'ada')}\r\n"
            f"Origin: {server.address}\r\nX-Fairtrial: {reader.csrf}\r\nContent-Length: 99\r\n\r\n{{")  # fmt: skip
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head.encode())
        time.sleep(0.1)
    time.sleep(0.2)
    assert server.ask("ada", "/review").status == 200
    assert "Traceback" not in caplog.text
    assert not [one for one in caplog.records if one.exc_info]
