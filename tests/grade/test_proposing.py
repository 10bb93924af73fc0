"""A model's proposal of names comes through the models' door, and only a reply is one. Not covered: its checking."""

from __future__ import annotations

import pytest

from fairtrial.checks import CheckError
from fairtrial.grade import proposals_of
from fairtrial.models import LanguageModel, ModelSpec, ScriptedServer
from fairtrial.models.scripted import say


def test_the_reply_is_the_proposal() -> None:
    with (
        ScriptedServer(lambda _: say('{"a:b": "c:d"}')) as server,
        LanguageModel(ModelSpec(name="m", base_url=server.base_url)) as model,
    ):
        assert proposals_of(model)("what is a:b?") == '{"a:b": "c:d"}'


def test_without_a_reply_nothing_is_proposed() -> None:
    with (
        ScriptedServer(lambda _: say("")) as server,
        LanguageModel(ModelSpec(name="m", base_url=server.base_url)) as model,
        pytest.raises(CheckError, match="proposes no names"),
    ):
        proposals_of(model)("what is a:b?")
