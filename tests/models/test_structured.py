"""Structured output: an object that fits, or a reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pydantic import BaseModel, Field

from fairtrial.models import LanguageModel, ModelSpec, Parsed, Refused, ScriptedServer, Unparsed, request, structured
from fairtrial.models.scripted import Script, refuse, say


class Opinion(BaseModel):
    satisfied: bool
    confidence: float = Field(ge=0, le=1)


ASK = request("Judge.", "Is it done?")


@contextmanager
def opened(script: Script) -> Iterator[tuple[ScriptedServer, LanguageModel]]:
    with ScriptedServer(script) as server, LanguageModel(ModelSpec(name="m", base_url=server.base_url)) as model:
        yield server, model


@pytest.mark.parametrize(
    "text",
    [
        '{"satisfied": true, "confidence": 0.9}',
        'Sure.\n```json\n{"satisfied": true, "confidence": 0.9}\n```\nDone.',
        'I think: {"satisfied": true, "confidence": 0.9}.',
    ],
)
def test_an_object_is_found_however_it_is_wrapped(text: str) -> None:
    with opened([say(text)]) as (server, model):
        outcome = structured(model, ASK, Opinion)
    assert isinstance(outcome, Parsed)
    assert outcome.value == Opinion(satisfied=True, confidence=0.9)
    assert "confidence" in server.asked[0].messages[0]["content"]


def test_a_reply_that_does_not_fit_is_mended_once() -> None:
    bad, good = '{"satisfied": true, "confidence": 7}', '{"satisfied": false, "confidence": 0.5}'
    with opened([say(bad), say(good)]) as (server, model):
        outcome = structured(model, ASK, Opinion)
    assert isinstance(outcome, Parsed)
    assert outcome.value.satisfied is False
    assert "confidence" in server.asked[1].last


def test_a_reply_that_never_fits_is_unparsed_with_the_reason() -> None:
    with opened([say("yes"), say("I said yes"), say("unused")]) as (server, model):
        outcome = structured(model, ASK, Opinion)
    assert isinstance(outcome, Unparsed)
    assert "JSON" in outcome.why
    assert len(server.asked) == 2


def test_a_refusal_stays_a_refusal() -> None:
    with opened([refuse("no")]) as (_, model):
        assert isinstance(structured(model, ASK, Opinion), Refused)
