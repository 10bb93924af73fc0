"""The cache: the same request is asked once, any other is asked, and only answers are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fairtrial.models import (
    Answered,
    Budget,
    Cache,
    LanguageModel,
    ModelSpec,
    Price,
    Refused,
    Request,
    Returned,
    Said,
    ScriptedServer,
    Tool,
    request,
)
from fairtrial.models.scripted import call, refuse, say

HELLO = request("Be brief.", "Hello")
SPEC = ModelSpec(name="m", base_url="http://127.0.0.1:1/v1", temperature=0.0, seed=1)
SHELL = Tool(name="shell", description="Run.", parameters={"type": "object"})


def opened(server: ScriptedServer, cache: Cache | None = None) -> LanguageModel:
    return LanguageModel(replace(SPEC, base_url=server.base_url), cache=cache)


def test_a_hit_does_not_call_again_and_is_not_charged(tmp_path: Path) -> None:
    budget = Budget()
    with ScriptedServer([call("shell", command="ls", usage=(10, 5))]) as server:
        spec = replace(SPEC, base_url=server.base_url)
        for _ in range(2):
            with LanguageModel(spec, cache=Cache(tmp_path), budget=budget) as model:
                outcome = model.ask(HELLO)
                assert isinstance(outcome, Answered)
                assert outcome.reply.calls[0].parsed() == {"command": "ls"}
    assert outcome.cached
    assert outcome.usage.input_tokens == 10
    assert len(server.asked) == 1
    assert budget.spent.calls == 1


def test_without_a_cache_every_request_is_asked() -> None:
    with ScriptedServer(lambda _: say("ok")) as server, opened(server) as model:
        model.ask(HELLO)
        model.ask(HELLO)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "changed",
    [
        lambda spec, asked: (replace(spec, name="other"), asked),
        lambda spec, asked: (replace(spec, base_url="http://127.0.0.1:2/v1"), asked),
        lambda spec, asked: (replace(spec, temperature=1.0), asked),
        lambda spec, asked: (replace(spec, seed=2), asked),
        lambda spec, asked: (replace(spec, effort="high"), asked),
        lambda spec, asked: (replace(spec, max_tokens=5), asked),
        lambda spec, asked: (spec, replace(asked, instructions="Be long.")),
        lambda spec, asked: (spec, replace(asked, messages=(Said(text="Bye"),))),
        lambda spec, asked: (spec, replace(asked, tools=(SHELL,))),
    ],
)
def test_whatever_shapes_the_reply_changes_the_key(
    changed: Callable[[ModelSpec, Request], tuple[ModelSpec, Request]], tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    assert cache.key(*changed(SPEC, HELLO)) != cache.key(SPEC, HELLO)


def test_price_and_patience_do_not_change_the_key(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    dearer = replace(SPEC, price=Price(input_usd=1, output_usd=1), request_seconds=1.0)
    assert cache.key(dearer, HELLO) == cache.key(SPEC, HELLO)


def test_ids_drawn_by_the_server_do_not_change_the_key(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    def with_id(name: str) -> Request:
        with ScriptedServer([call("shell", command="ls")]) as server, opened(server) as model:
            outcome = model.ask(HELLO)
        assert isinstance(outcome, Answered)
        made = replace(outcome.reply.calls[0], id=name)
        reply = replace(outcome.reply, calls=(made,))
        return request("Be brief.", "Hello", reply, Returned(call=made, text="a"))

    assert cache.key(SPEC, with_id("one")) == cache.key(SPEC, with_id("two"))


def test_a_refusal_is_not_kept(tmp_path: Path) -> None:
    with ScriptedServer([refuse("no"), say("ok")]) as server, opened(server, Cache(tmp_path)) as model:
        assert isinstance(model.ask(HELLO), Refused)
        assert isinstance(model.ask(HELLO), Answered)


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b'{"reply": {"calls": [{}]}, "usage": {}}', b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_asked_anew(broken: bytes, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with ScriptedServer(lambda _: say("ok")) as server:
        spec = replace(SPEC, base_url=server.base_url)
        with LanguageModel(spec, cache=cache) as model:
            model.ask(HELLO)
            (kept,) = tmp_path.glob("*/*.json")
            kept.write_bytes(broken)
            outcome = model.ask(HELLO)
            assert isinstance(outcome, Answered)
            assert not outcome.cached
            again = model.ask(HELLO)
    assert isinstance(again, Answered)
    assert again.cached
    assert not list(tmp_path.glob("*/.part-*"))
