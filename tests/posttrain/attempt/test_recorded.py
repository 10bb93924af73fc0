"""What was recorded convicts by the check it belongs to and by no other, and never for an agent's own servers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.posttrain.attempt.conftest import Lab, lines, log

from fairtrial.contamination.lookup.looking import Lookups, lookups_of
from fairtrial.contamination.lookup.names import BenchmarkNames
from fairtrial.contamination.usage import ExternalHosts, Usage, usage_of
from fairtrial.posttrain.attempt.recorded import _came_back
from fairtrial.posttrain.folder import RunFolder

HOSTS = ExternalHosts(external=("default", "models.example"))
NAMES = BenchmarkNames(traces=("data.example/bench/toy-traces",))
POST = """python3 - <<'END'
import urllib.request
data = b'{"model": "large", "messages": []}'
print(urllib.request.urlopen("http://models.example/v1/chat/completions", data).status)
END"""


def checked(folder: RunFolder) -> tuple[Usage, Lookups]:
    path: Path = folder.path / "recorded.json"
    return usage_of([path], HOSTS), lookups_of([path], NAMES)


def test_a_request_to_an_external_model_is_usage_alone(lab: Lab) -> None:
    done, folder = lab.run(POST)
    used, looked = checked(folder)
    assert {(one.certainty, one.host) for one in used.findings} == {("call", "models.example")}
    assert looked.holds
    assert (done.requests, done.refused_requests) == (1, 0)
    assert lines(folder.path / "network.jsonl")[0]["model"] == "large"


def test_opening_the_traces_is_a_look_up_alone(lab: Lab) -> None:
    _, folder = lab.run("curl -s http://data.example/bench/toy-traces/a.jsonl")
    used, looked = checked(folder)
    assert used.holds
    assert looked.holds is False
    assert {one.kind for one in looked.findings} == {"traces"}


@pytest.mark.parametrize("address", ["https://api.openai.com/v1/models", "http://api.openai.com/v1/models"])
def test_a_refused_request_is_an_attempt(lab: Lab, address: str) -> None:
    done, folder = lab.run(f"curl -s {address}; true")
    used, looked = checked(folder)
    assert "call" not in {
        one.certainty for one in used.findings if "recorded" in one.path and one.claim.startswith("op")
    }
    assert "attempt" in {one.certainty for one in used.findings}
    assert looked.holds
    assert (done.requests, done.refused_requests) == (1, 1)


LEAVES = """python3 - <<'END'
import socket, struct
both = (("POST", "models.example/v1/chat/completions"), ("GET", "data.example/x/..//bench/%2e/toy-traces"))
for method, path in both:
    host, _, below = path.partition("/")
    one = socket.create_connection(("127.0.0.1", 3128))
    one.sendall(f"{method} http://{host}/{below} HTTP/1.1\\r\\nHost: {host}\\r\\nContent-Length: 0\\r\\n".encode())
    one.sendall(b"\\r\\n")
    one.recv(10)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()
END"""


def test_who_hangs_up_on_an_answer_or_writes_a_path_oddly_is_found_all_the_same(lab: Lab) -> None:
    _, folder = lab.run(LEAVES)
    used, looked = checked(folder)
    assert ("call", "models.example") in {(one.certainty, one.host) for one in used.findings}
    assert {(one.certainty, one.kind) for one in looked.findings} == {("call", "traces")}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"method": "GET", "status": 200, "received": 5, "why": "the connection broke"}, "HTTP 200"),
        ({"method": "HEAD", "status": 200, "received": 0, "why": "the connection broke"}, "HTTP 200"),
        ({"method": "CONNECT", "status": 200, "received": 5, "why": "the connection broke"}, "tunnel open"),
        ({"method": "CONNECT", "status": 200, "received": 0, "why": "the connection broke"}, "Connection error."),
        ({"method": "GET", "status": 502, "received": 0, "why": "could not be reached"}, "Connection error."),
        ({"method": "GET", "status": None, "received": 0, "why": "the connection broke"}, "Connection error."),
    ],
)
def test_an_answer_that_came_is_no_failure_however_it_ended(row: dict[str, object], said: str) -> None:
    assert _came_back({"allowed": True, "sent": 0} | row).startswith(said)


def test_own_servers_and_other_pages_are_neither(lab: Lab) -> None:
    script = (
        "python3 -m http.server 8000 >/dev/null 2>&1 & sleep 0.6; curl -s http://127.0.0.1:8000/ | wc -l;"
        " curl -s http://localhost:8000/v1/chat/completions -d '{}' >/dev/null;"
        " curl -s 'http://a.pages.example/how-to-sort?q=bench'; grep -r toy-traces . ; true"
    )
    done, folder = lab.run(script)
    used, looked = checked(folder)
    assert used.holds
    assert looked.holds
    assert done.requests == 1
    assert "how-to-sort" in log(folder)


def test_steps_stand_in_the_order_of_time(lab: Lab) -> None:
    _, folder = lab.run("sleep 0.1; curl -s http://a.pages.example/; sleep 0.1")
    used, _ = checked(folder)
    assert used.read == (str(folder.path / "recorded.json"),)
    text = (folder.path / "recorded.json").read_text()
    assert text.count('"sleep 0.1"') == 2
    assert text.index('"sleep 0.1"') < text.index('http://a.pages.example/"') < text.rindex('"sleep 0.1"')
