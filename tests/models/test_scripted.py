"""The scripted server: it says what it was told to, counts, and is gone when closed."""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import pytest

from fairtrial.models.scripted import ScriptedServer, call, fail, say, slowly


def post(base_url: str, body: dict[str, Any]) -> Any:
    asked = urllib.request.Request(f"{base_url}/chat/completions", json.dumps(body).encode(), method="POST")
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=10) as response:
        return json.load(response)


BODY = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def test_lines_are_said_in_order_and_usage_grows_with_the_conversation() -> None:
    with ScriptedServer([say("one"), say("two")]) as server:
        first = post(server.base_url, BODY)
        longer = {"model": "m", "messages": [*BODY["messages"], {"role": "user", "content": "x" * 400}]}
        second = post(server.base_url, longer)
    assert [one["choices"][0]["message"]["content"] for one in (first, second)] == ["one", "two"]
    assert second["usage"]["prompt_tokens"] >= first["usage"]["prompt_tokens"] + 100


def test_a_function_sees_the_request() -> None:
    with ScriptedServer(lambda asked: call("shell", command=f"echo {asked.last} {asked.turn}")) as server:
        replied = post(server.base_url, BODY)
    made = replied["choices"][0]["message"]["tool_calls"][0]["function"]
    assert json.loads(made["arguments"]) == {"command": "echo Hello 0"}
    assert replied["choices"][0]["finish_reason"] == "tool_calls"


def test_the_end_of_a_script_is_an_error() -> None:
    with ScriptedServer([]) as server, pytest.raises(urllib.error.HTTPError) as raised:
        post(server.base_url, BODY)
    assert raised.value.code == 400
    raised.value.close()


def test_errors_carry_status_and_headers() -> None:
    with ScriptedServer([fail(429, retry_after=3)]) as server, pytest.raises(urllib.error.HTTPError) as raised:
        post(server.base_url, BODY)
    assert (raised.value.code, raised.value.headers["Retry-After"]) == (429, "3")
    raised.value.close()


def test_closing_does_not_wait_for_a_slow_line_and_frees_the_port() -> None:
    with ScriptedServer([slowly(say("late"), 60)]) as server:
        where = urlsplit(server.base_url)
        asking = socket.create_connection((str(where.hostname), int(where.port or 0)))
        asking.sendall(b"POST /v1/chat/completions HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")
        while not server.asked:
            time.sleep(0.005)
        began = time.monotonic()
    asking.close()
    assert time.monotonic() - began < 30
    with pytest.raises(OSError):
        socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=1).close()


def test_an_address_before_opening_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="not open"):
        _ = ScriptedServer([]).base_url
