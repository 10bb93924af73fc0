"""The texts of a row: the shapes that training sets come in, images left out, no depth that breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.contamination.fields import plain_texts, texts_of

SHAPES: dict[str, tuple[Any, list[str]]] = {
    "question and answer": ({"id": 1, "question": "Why?", "answer": "So."}, ["Why?", "So."]),
    "a number is no text": ({"question": "Why?", "answer": 42, "good": True, "none": None}, ["Why?"]),
    "messages": ({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}, ["a", "b"]),
    "content in parts": ({"content": [{"type": "text", "text": "a"}, {"type": "image", "source": {"data": "b"}}]},
                         ["a", "b"]),
    "prompt as messages": ({"prompt": [{"role": "user", "content": "a"}], "response": "b"}, ["a", "b"]),
    "conversations": ({"conversations": [{"from": "human", "value": "a"}]}, ["human", "a"]),
    "instruction": ({"instruction": "a", "input": "", "output": "b"}, ["a", "b"]),
    "code": ({"code": "x = 1\n"}, ["x = 1\n"]),
    "a row that is a text": ("a", ["a"]),
    "arguments as an object": ({"tool_calls": [{"function": {"name": "f", "arguments": {"a": [1, "b"]}}}]},
                               ["a: 1\na: b"]),
    "arguments as JSON": ({"arguments": '{"a": [1, "b"]}'}, ["a: 1\na: b"]),
    "arguments that are no JSON": ({"arguments": "{a"}, ["{a"]),
    "blank": ({"text": " \n", "more": ""}, []),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str) -> None:
    document, texts = SHAPES[shape]
    assert plain_texts(document, []) == texts == [text for _, text in texts_of(document)]


def test_images_are_left_out_and_counted() -> None:
    left_out: list[str] = []
    row = {"image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}, "data": "QUJD" * 100, "text": "data: 1;2"}
    assert plain_texts(row, left_out) == ["data: 1;2"]
    assert len(left_out) == 2


def test_sentences_in_a_field_of_names_are_text_and_names_are_none() -> None:
    sentence = "Where did the nine men of the boat go when the ice broke?"
    row = {"id": "a 7", "source": sentence, "name": [sentence, "ada"], "type": [{"text": "Why?"}], "role": b"user"}
    assert plain_texts(row, []) == [sentence, sentence, "Why?"]
    assert [place for place, _ in texts_of(row)] == ["source", "name[0]", "type[0].text"]


def test_bytes_are_text_where_they_are_utf8_and_else_counted() -> None:
    left_out: list[str] = []
    assert plain_texts({"text": "Où ?".encode(), "image": {"bytes": b"\x89PNG\xff"}, "none": b""}, left_out) == ["Où ?"]
    assert len(left_out) == 1


@pytest.mark.parametrize("levels", [39, 40, 41, 2_000])
def test_no_depth_overflows(levels: int) -> None:
    document: Any = ["bottom", {"id": "no"}]
    for _ in range(levels):
        document = [document, "side"]
    texts = plain_texts(document, [])
    assert (texts[0], texts.count("side")) == ("bottom", levels)


KEYS = st.sampled_from(["id", "text", "source", "arguments", "role", "content"])
LEAVES = (
    st.none()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from([b"", b"\xff", b"a", b"\xd0\x90" * 12, "a b c d e f g h i j k l m"])
    | st.sampled_from(["", " ", "a", '{"k": "v"}', "data:x;base64,AA"])
)
DOCUMENTS = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4))


@given(document=DOCUMENTS)
def test_the_quick_walk_finds_what_the_named_one_does(document: Any) -> None:
    assert plain_texts(document, []) == [text for _, text in texts_of(document)]


@pytest.mark.parametrize("before", ["a" * 1_000_000 + " ", "A" * 300 + "\n", "data:image/png;base64,iVBORw0KGgo= "])
def test_nothing_hides_behind_an_image_or_a_long_word(before: str) -> None:
    """A text that begins as base64 was once left out as an image, whatever stood behind it."""
    text = before + "How many bolts of blue fiber does the robe take in all?"
    assert list(texts_of({"text": text})) == [("text", text)]
