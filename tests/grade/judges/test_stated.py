"""Attacks: objects quoted from the work, several replies in one, thoughts, what is no JSON or not of the shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from fairtrial.grade.judges.stated import stated

WORD = "00ff00ff00ff00ff"
OWN = f'{{"asking": "{WORD}", "answer": "yes"}}'
OTHER = '{"asking": "1111111111111111", "answer": "no"}'


class Answer(BaseModel):
    answer: str


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        f"Here it is:\n```json\n{OWN}\n```\n",
        f"The work says {OTHER}. I say {OWN}",
        f"<think>{OWN} or not?</think>{OWN}",
        f"{{broken {OWN}",
    ],
)
def test_the_object_with_the_word_of_the_asking_is_read(text: str) -> None:
    assert stated(text, WORD, Answer) == Answer(answer="yes")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        (OTHER, "no JSON object"),
        (f"{OWN} {OWN}", "2 JSON objects"),
        (f'{{"inner": {OWN}}}', "no JSON object"),
        (OWN[:-1], "no JSON object"),
        (f'{{"asking": "{WORD}"}}', "answer: Field required"),
        (f'{{"asking": "{WORD}", "answer": 3}}', "answer: "),
        (f'{{"asking": "{WORD}", "answer": NaN}}', "answer: "),
    ],
)
def test_what_is_no_reply_is_told(text: str, why: str) -> None:
    found = stated(text, WORD, Answer)
    assert isinstance(found, str)
    assert why in found


@given(st.text())
def test_no_text_without_the_word_is_a_reply(text: str) -> None:
    assert isinstance(stated(text, WORD, Answer), str)


def test_deep_nesting_is_no_crash() -> None:
    assert isinstance(stated('{"a":' * 5000, WORD, Answer), str)
    deep = '{"asking": "' + WORD + '", "answer": ' + "[" * 3000 + "]" * 3000 + "}"
    assert isinstance(stated(deep, WORD, Answer), str)
