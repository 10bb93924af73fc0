"""The door, over a real server on loopback: names, tokens, origins, methods; and the headers of every answer."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest
from tests.serve.holding import made
from tests.serve.review.setting import Running, running

from fairtrial.serve.door import HEADERS


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
