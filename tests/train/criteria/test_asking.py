"""A judge that is gone is not waited for by every rollout, and is asked again once it is back; it never says no."""

from __future__ import annotations

import pytest

from fairtrial.checks.judged import Judges
from fairtrial.models import LanguageModel, ModelSpec, Patience, ScriptedServer
from fairtrial.models.scripted import Asked, Line, fail
from fairtrial.train.criteria import Asker, Criterion, text_work
from fairtrial.train.criteria import asking as module

from .criteria_world import SHOWS, Script, planted


def test_a_server_that_is_gone_is_left_alone_until_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    up = [False]
    script = Script([], planted)

    def served(asked: Asked) -> Line:
        return script(asked) if up[0] else fail(401)

    with ScriptedServer(served) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        with LanguageModel(spec, patience=Patience(attempts=1)) as model:
            asker = Asker(judges=Judges(model=model, at_once=1), votes=1, at_once=1)
            pairs = [(Criterion(name="shows", question=SHOWS), text_work("t", "", f"working: {n}")) for n in range(20)]
            told = asker.ask_all(pairs)
            assert [answer.yes for answer in told] == [None] * 20
            assert len(server.asked) == module.OUTAGE + 1  # the last one asked whether it is there
            assert "no longer answers" in told[-1].broken
            up[0] = True
            assert asker.ask(*pairs[0]).yes is None
            monkeypatch.setattr(module, "GONE_SECONDS", 0.0)
            assert [answer.yes for answer in asker.ask_all(pairs[:3])] == [True] * 3


def test_a_vote_that_broke_beside_one_that_did_not_decides_nothing() -> None:
    script = Script([], lambda question, text, asked: fail(400) if asked.turn == 1 else planted(question, text, asked))
    with ScriptedServer(script) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        with LanguageModel(spec, patience=Patience(attempts=1)) as model:
            asker = Asker(judges=Judges(model=model, at_once=1), votes=2, at_once=1)
            answer = asker.ask(Criterion(name="shows", question=SHOWS), text_work("t", "", "working: 1"))
    assert (answer.yes, answer.share, answer.is_steady) == (None, 1.0, None)
