"""Rewards made of a comparison take what trainers hand over. Not covered: the trainers themselves."""

from __future__ import annotations

import inspect

import pytest

from fairtrial.compare import KINDS
from fairtrial.compare.rewards import BY_KIND, reward, score, text_of
from fairtrial.compare.stating import stated_from
from fairtrial.records import InputError


def test_a_reward_takes_texts_and_chats_and_the_other_columns() -> None:
    said = [[{"role": "user", "content": "7"}, {"role": "assistant", "content": "It is 21."}], "22", "21"]
    found = reward("number")(prompts=["?"] * 3, completions=said, answer=["21", "21", None], difficulty=[1, 2, 3])
    assert found == [1.0, 0.0, None]


def test_what_is_stated_holds_and_what_is_unknown_is_refused() -> None:
    assert score("number", absolute=0.1)(completion="3.05", answer=3) == 1.0
    for make in (lambda: reward("numbr"), lambda: reward("number", absolut=1), lambda: score("text", choices="ab")):
        with pytest.raises(InputError):
            make()
    for values in ({"absolute": -1}, {"relative": float("nan")}, {"ordered": 1}, {"case_sensitive": None}):
        with pytest.raises(InputError):
            stated_from(values)
    with pytest.raises(InputError):
        score("number")(completion="3", answer=None)


def test_every_kind_has_a_reward_that_is_called_as_trl_calls_one() -> None:
    assert set(BY_KIND) == set(KINDS)
    assert all(list(inspect.signature(one).parameters)[:2] == ["completions", "answer"] for one in BY_KIND.values())
    assert BY_KIND["number"].__name__ == "same_number"


def test_the_last_word_of_the_assistant_is_the_completion() -> None:
    assert text_of([{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}]) == "b"
    assert text_of([{"role": "user", "content": "a"}]) == ""
    assert text_of([]) == ""
