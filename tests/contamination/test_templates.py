"""Templates show how rows were made: fixed words and slots come back from a generator; what has none gets none."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.templates import LONGEST, TOKEN, Slot, Template, _Aligner, grown, templates_of

CITIES = ("Lima", "Oslo", "Quito", "New York City", "Bad Homburg")


def prose(number: int, seed: int = 1) -> list[str]:
    source = random.Random(seed)
    return [
        f"A train leaves {source.choice(CITIES)} at {source.randint(1, 12)} o'clock with {source.randint(10, 99)} "
        f"people. How many seats are left{', in all' if source.random() < 0.4 else ''}?"
        for _ in range(number)
    ]


def longest_common(a: list[str], b: list[str]) -> int:
    row = [0] * (len(b) + 1)
    for token in a:
        before = 0
        for at, other in enumerate(b, 1):
            before, row[at] = row[at], before + 1 if token == other else max(row[at], row[at - 1])
    return row[-1]


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcde"), max_size=12))
@settings(max_examples=200, deadline=None)
def test_alignments_are_longest_common_subsequences(a: list[str], b: list[str]) -> None:
    places = _Aligner(a).places(b)
    held = [(token, place) for token, place in zip(a, places, strict=True) if place >= 0]
    assert all(b[place] == token for token, place in held)
    assert [place for _, place in held] == sorted({place for _, place in held})
    assert len(held) == longest_common(a, b)


def test_slots_come_back_with_their_values() -> None:
    texts = prose(200)
    found = templates_of(texts)
    assert len(found) == 1
    assert found[0].rows == tuple(range(200))
    city, hour, people, tail = found[0].slots
    assert (city.values, hour.values, city.empty) == (5, 12, 0)
    assert city.examples[0] == max(CITIES, key=lambda name: sum(name in text for text in texts))
    assert people.values == len({re.findall(r"with (\d+)", text)[0] for text in texts})
    assert (tail.values, tail.examples) == (1, (", in all",))
    assert tail.empty == sum(", in all" not in text for text in texts)


def test_fixed_words_with_a_row_s_values_make_the_row() -> None:
    """White space and order are kept: a template is text, not a bag of words."""
    texts = [f"Sum  {a}\n+ {b}; go." for a, b in [(1, 22), (3, 4), (55, 6), (7, 8)]]
    (found,) = templates_of(texts)
    values = iter(("3", "4"))
    assert "".join(part if isinstance(part, str) else next(values) for part in found.parts) == texts[1]


def test_a_stray_row_does_not_hide_the_template() -> None:
    texts = prose(40)
    texts[7] = texts[20] = "Nothing of the sort stands in this row at all, which came from elsewhere."
    (found,) = templates_of(texts)
    assert found.rows == tuple(number for number in range(40) if number not in (7, 20))


def test_two_generators_are_two_templates() -> None:
    other = [
        f"Convert {n} dollars into the money of {CITIES[n % 5]} at today's rate, then round it." for n in range(30)
    ]
    found = templates_of([*prose(50), *other])
    assert [len(template.rows) for template in found] == [50, 30]
    assert "Convert " in found[1].text


@pytest.mark.parametrize("kind", ["json", "code"])
def test_json_and_code_keep_their_signs(kind: str) -> None:
    source, texts = random.Random(2), []
    for _ in range(30):
        name, number = source.choice(("book_room", "cancel_room", "find_room")), source.randint(1, 99)
        call = json.dumps({"name": name, "arguments": {"nights": number, "city": source.choice(CITIES)}})
        texts.append(
            call if kind == "json" else f"def test_{number}():\n    assert {name}(nights={number}) == {number}\n"
        )
    (found,) = templates_of(texts)
    assert len(found.rows) == 30
    fixed = "".join(part for part in found.parts if isinstance(part, str))
    assert ('"arguments": {"nights": ' if kind == "json" else "():\n    assert ") in fixed


def test_rewordings_have_no_template() -> None:
    texts = [
        "Ada has 3 apples and gives one away; how many does she keep?",
        "After giving one of her three apples away, what is left to Ada?",
        "One apple of three was handed on. Count those Ada still owns.",
        "Three apples belonged to Ada until a friend got one; the rest is how large?",
    ]
    assert templates_of(texts) == ()


@pytest.mark.parametrize("texts", [[], ["one row"], ["", "", ""], ["a b", "a b", "a b"], ["…", "—", "!"]])
def test_too_little_has_no_template(texts: list[str]) -> None:
    assert templates_of(texts) == ()


def test_equal_rows_are_a_template_without_slots() -> None:
    (found,) = templates_of(["the very same row, word for word"] * 5)
    assert found.parts == ("the very same row, word for word",)
    assert found.fixed == 1.0


def test_rows_longer_than_is_aligned_end_in_a_slot() -> None:
    texts = [f"{'word ' * LONGEST}tail {number}" for number in range(4)]
    (found,) = templates_of(texts)
    last = found.parts[-1]
    assert isinstance(last, Slot)
    assert last.examples[0] == "tail 0"


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=8))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_it(texts: list[str]) -> None:
    for template in templates_of([*texts, *(text + " and so on it goes" for text in texts)]):
        assert 0 < template.fixed <= 1
        json.dumps(template.document())


def test_every_explained_row_holds_the_fixed_words_in_order() -> None:
    texts = prose(60, seed=3)
    for template in templates_of(texts):
        fixed = TOKEN.findall(" ".join(part for part in template.parts if isinstance(part, str)))
        for number in template.rows:
            assert longest_common(fixed, TOKEN.findall(texts[number])) >= 0.9 * len(fixed)


def test_groups_grow_by_their_template_and_share_no_row() -> None:
    texts = [*prose(12), "a row of its own kind stands here alone"]
    assert grown(texts, [(0, 1, 2, 3), (4, 5, 6), (12,)]) == (tuple(range(12)), (12,))


def test_the_text_of_a_template_marks_its_slots() -> None:
    template = Template(
        parts=("Go to ", Slot(values=2, empty=0, examples=("Lima", "Oslo")), "!"), rows=(0, 1, 2), fixed=0.8
    )
    assert template.text == "Go to ⟨2: Lima⟩!"
