"""The door: what a server does becomes the right typed outcome, and nothing is raised."""

from __future__ import annotations

import pickle
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from fairtrial.models import (
    Answered,
    Call,
    Infrastructure,
    LanguageModel,
    ModelSpec,
    Patience,
    Refused,
    Reply,
    Returned,
    ScriptedServer,
    Tool,
    Truncated,
    Unparsed,
    preflight,
    request,
)
from fairtrial.models.scripted import (
    Line,
    Script,
    call,
    call_malformed,
    cut,
    fail,
    garble,
    hang_up,
    refuse,
    say,
    slowly,
)
from fairtrial.records import InputError

QUICK = Patience(attempts=3, first_wait_seconds=0.001, longest_wait_seconds=0.01)
HELLO = request("Be brief.", "Hello")
SHELL = Tool(name="shell", description="Run a command.", parameters={"type": "object", "properties": {}})


@contextmanager
def opened(script: Script, spec: ModelSpec | None = None) -> Iterator[tuple[ScriptedServer, LanguageModel]]:
    with ScriptedServer(script) as server:
        spec = replace(spec or ModelSpec(name="scripted"), base_url=server.base_url)
        with LanguageModel(spec, patience=QUICK) as model:
            yield server, model


def test_text_reasoning_and_usage_are_read() -> None:
    with opened([say("Hi", reasoning="They greet me.", usage=(12, 3))]) as (_, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Answered)
    assert (outcome.reply.text, outcome.reply.reasoning) == ("Hi", "They greet me.")
    assert (outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.usage.cost_usd) == (12, 3, None)
    assert outcome.attempts == 1


def test_usage_that_the_server_did_not_count_is_unknown_and_not_zero() -> None:
    with opened([Line(text="Hi", counts_usage=False)]) as (_, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Answered)
    assert outcome.usage.input_tokens is None
    assert outcome.usage.output_tokens is None


def test_settings_and_conversation_arrive_as_given() -> None:
    spec = ModelSpec(name="some/model", effort="low", temperature=0.5, max_tokens=99, seed=7)
    asked = call("shell", command="ls")
    with opened([asked, say("two files")], spec) as (server, model):
        first = model.ask(request("System.", "User.", tools=[SHELL]))
        assert isinstance(first, Answered)
        returned = Returned(call=first.reply.calls[0], text="a b")
        model.ask(request("System.", "User.", first.reply, returned, tools=[SHELL]))
    body = server.asked[0].body
    assert {key: body[key] for key in ("model", "temperature", "max_tokens", "seed", "reasoning_effort")} == {
        "model": "some/model", "temperature": 0.5, "max_tokens": 99, "seed": 7, "reasoning_effort": "low",
    }  # fmt: skip
    assert body["tools"][0]["function"]["name"] == "shell"
    roles = [(message["role"], message.get("content")) for message in server.asked[1].messages]
    assert roles == [("system", "System."), ("user", "User."), ("assistant", None), ("tool", "a b")]
    assert server.asked[1].messages[2]["tool_calls"][0]["id"] == server.asked[1].messages[3]["tool_call_id"]


def test_a_reply_made_by_hand_can_be_sent_back() -> None:
    by_hand = Reply(text="Looking.", calls=(Call(name="shell", arguments='{"command":"ls"}', id="x1"),))
    with opened([say("ok")]) as (server, model):
        model.ask(request("", "User.", by_hand, Returned(call=by_hand.calls[0], text="a"), tools=[SHELL]))
    assert [message["role"] for message in server.asked[0].messages] == ["user", "assistant", "tool"]


def test_settings_left_out_are_not_sent() -> None:
    with opened([say("ok")]) as (server, model):
        model.ask(HELLO)
    assert not {"temperature", "max_tokens", "seed", "reasoning_effort", "tools"} & set(server.asked[0].body)


def test_malformed_arguments_come_through_as_written() -> None:
    with opened([call_malformed("shell", '{"command": ')]) as (_, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Answered)
    assert outcome.reply.calls[0].arguments == '{"command": '
    assert outcome.reply.calls[0].parsed() is None


@pytest.mark.parametrize(
    "passing", [fail(429, retry_after=0.001), fail(500), fail(503), fail(408), garble(), hang_up(), Line(raw=b"null")]
)
def test_a_failure_in_passing_is_asked_again(passing: Line) -> None:
    with opened([passing, say("ok")]) as (server, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Answered)
    assert (outcome.attempts, len(server.asked)) == (2, 2)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (fail(429), "rate_limited"),
        (fail(500), "server_error"),
        (garble(), "bad_response"),
        (Line(raw=b'{"choices": []}'), "bad_response"),
        (hang_up(), "unreachable"),
    ],
)
def test_a_failure_that_lasts_is_infrastructure(line: Line, reason: str) -> None:
    with opened(lambda _: line) as (server, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Infrastructure)
    assert (outcome.reason, outcome.attempts, len(server.asked)) == (reason, 3, 3)


@pytest.mark.parametrize(
    ("line", "reason"),
    [(fail(401), "unauthorized"), (fail(404), "rejected"), (fail(429, code="insufficient_quota"), "rate_limited")],
)
def test_a_failure_that_cannot_pass_is_asked_once(line: Line, reason: str) -> None:
    with opened(lambda _: line) as (server, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Infrastructure)
    assert (outcome.reason, len(server.asked)) == (reason, 1)


def test_a_server_that_is_down_is_unreachable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with LanguageModel(ModelSpec(name="m", base_url=f"http://127.0.0.1:{port}/v1"), patience=QUICK) as model:
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Infrastructure)
    assert (outcome.reason, outcome.attempts) == ("unreachable", 3)


def test_refusals_are_told_from_answers() -> None:
    filtered = fail(400, "blocked", code="content_filter")
    with opened([refuse("I cannot."), filtered, Line(text="Well", finish="content_filter")]) as (_, model):
        said, blocked, stopped = model.ask(HELLO), model.ask(HELLO), model.ask(HELLO)
    assert isinstance(said, Refused)
    assert said.why == "I cannot."
    assert isinstance(blocked, Refused)
    assert isinstance(stopped, Refused)


def test_a_cut_reply_and_a_full_context_are_truncated() -> None:
    full = fail(400, "maximum context length is 10 tokens", code="context_length_exceeded")
    with opened([cut("The ans"), full]) as (_, model):
        reply, context = model.ask(HELLO), model.ask(HELLO)
    assert isinstance(reply, Truncated)
    assert (reply.what, reply.reply.text) == ("reply", "The ans")
    assert isinstance(context, Truncated)
    assert context.what == "context"


@pytest.mark.parametrize(
    "words",
    [
        "the request exceeds the available context size, try increasing it",
        "The input (33000 tokens) is longer than the model's context length (32768 tokens).",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
)
def test_a_full_context_is_known_by_the_words_of_each_server(words: str) -> None:
    with opened([fail(400, words), fail(400, "no such parameter")]) as (_, model):
        full, wrong = model.ask(HELLO), model.ask(HELLO)
    assert isinstance(full, Truncated)
    assert full.what == "context"
    assert isinstance(wrong, Infrastructure)
    assert wrong.reason == "rejected"


def test_an_empty_reply_is_unparsed() -> None:
    with opened([Line(text="  ")]) as (_, model):
        assert isinstance(model.ask(HELLO), Unparsed)


def test_a_slow_reply_ends_at_the_callers_deadline() -> None:
    with opened(lambda _: slowly(say("late"), 30)) as (_, model):
        began = time.monotonic()
        outcome = model.ask(HELLO, seconds=0.2)
        took = time.monotonic() - began
    assert isinstance(outcome, Infrastructure)
    assert outcome.reason == "deadline"
    assert took < 20


def test_a_reply_slower_than_the_spec_allows_is_a_timeout_of_the_server() -> None:
    spec = ModelSpec(name="m", request_seconds=0.1)
    with opened(lambda _: slowly(say("late"), 30), spec) as (server, model):
        outcome = model.ask(HELLO, seconds=60)
    assert isinstance(outcome, Infrastructure)
    assert (outcome.reason, len(server.asked)) == ("timeout", 3)


@pytest.mark.extra
def test_time_lost_to_a_failing_server_is_not_the_models() -> None:
    patience = Patience(attempts=4)
    with ScriptedServer([*[fail(503, retry_after=0.5)] * 3, say("ok")]) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        with LanguageModel(spec, patience=patience) as model:
            outcome = model.ask(HELLO, seconds=1.2)
            lost = model.lost_seconds
    assert isinstance(outcome, Answered)
    assert 1.5 <= lost < 15


def test_an_outage_longer_than_the_models_time_is_blamed_on_the_server() -> None:
    with opened(lambda _: slowly(fail(503), 0.1)) as (_, model):
        outcome = model.ask(HELLO, seconds=0.25)
    assert isinstance(outcome, Infrastructure)
    assert outcome.reason == "server_error"


def test_threads_may_share_one_model() -> None:
    with opened(lambda asked: say(asked.last)) as (_, model):
        said: dict[int, str] = {}

        def ask(number: int) -> None:
            outcome = model.ask(request("", str(number)))
            assert isinstance(outcome, Answered)
            said[number] = outcome.reply.text

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert said == {number: str(number) for number in range(8)}


def test_the_key_is_sent_but_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_TEST_KEY", "secret-of-the-test")
    spec = ModelSpec(name="m", api_key_variable="FAIRTRIAL_TEST_KEY")
    with opened(lambda asked: fail(401, f"bad key {asked.headers['authorization']}"), spec) as (server, model):
        outcome = model.ask(HELLO)
    assert server.asked[0].headers["authorization"] == "Bearer secret-of-the-test"
    assert "secret-of-the-test" not in repr(outcome)
    assert b"secret-of-the-test" not in pickle.dumps(spec)


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with opened([say("ok")]) as (_, model):
        assert isinstance(model.ask(HELLO), Answered)


def test_openai_without_a_key_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        LanguageModel(ModelSpec(name="m"))


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with opened([say("ok")]) as (_, model):
        assert isinstance(model.ask(HELLO), Answered)


def test_waits_double_keep_below_the_longest_and_heed_the_server() -> None:
    patience = Patience(first_wait_seconds=1, longest_wait_seconds=10)
    assert all(0.5 * 2**n <= patience.wait(n + 1) <= 2**n for n in range(3))
    assert patience.wait(30) <= 10
    assert patience.wait(1, asked=4.0) == 4.0
    assert patience.wait(1, asked=400.0) == 10


def test_a_preflight_tells_a_server_that_works_from_one_that_does_not() -> None:
    with ScriptedServer([cut("ready"), refuse("no"), fail(404, "no such model")]) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        assert preflight(spec) is None
        assert preflight(spec) is None
        found = preflight(spec)
    assert found is not None
    assert found.reason == "rejected"
    assert "no such model" in found.detail


def test_a_lone_surrogate_in_a_reply_is_no_fault_of_the_server() -> None:
    with opened([say("\ud800 said", reasoning="\udfff thought")]) as (_, model):
        outcome = model.ask(HELLO)
    assert isinstance(outcome, Answered)
    assert (outcome.reply.text, outcome.reply.reasoning) == ("\\ud800 said", "\\udfff thought")
