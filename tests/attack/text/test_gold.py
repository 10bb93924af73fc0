"""What the right answer of a case is, and where another value is put in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.attack.text import TextCase
from fairtrial.attack.text.gold import gold_of, kind_of, last_boxed, number, reduced, same
from fairtrial.attack.text.near_number import near_numbers
from fairtrial.attack.text.placing import asked_for, in_every_format, placed
from fairtrial.attack.text.program_examples import examples
from fairtrial.attack.text.program_rewritten import renamed_locals
from fairtrial.attack.text.wrong_values import wrong_values


def case(reference: str, answer: object, prompt: str = "?") -> TextCase:
    return TextCase(id="1", prompt=prompt, reference=reference, answer=answer)


@pytest.mark.parametrize(
    ("reference", "answer", "text", "kind"),
    [
        ("4", 4, "4", "number"),
        ("\\boxed{\\frac{1}{2}}", None, "\\frac{1}{2}", "word"),
        ("6 * 7 = 42\n#### 42", "6 * 7 = 42\n#### 42", "42", "number"),
        ("paris", ["Paris", "paris"], "paris", "word"),
        ("True", True, "True", "word"),
        ('{"a": 1}', {"a": 1}, '{"a": 1}', "json"),
        ("(B)", "B", "B", "option"),
        ("```python\ndef f():\n    return 1\n```", [["1", "1"]], "def f():\n    return 1\n", "program"),
        ("3 1 2", "3 1 2", "3 1 2", "parts"),
        ("It is a long way to go from here.", None, "It is a long way to go from here.", "prose"),
    ],
)
def test_gold_is_read(reference: str, answer: object, text: str, kind: str) -> None:
    gold = gold_of(case(reference, answer))
    assert gold is not None
    assert (gold.text, gold.kind) == (text, kind)


@pytest.mark.parametrize(("reference", "answer"), [("", None), ("  ", ""), ("", [])])
def test_a_case_without_an_answer_has_no_gold(reference: str, answer: object) -> None:
    assert gold_of(case(reference, answer)) is None


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("42", "42.0", True),
        ("$1,000", "1000", True),
        ("Paris.", "paris", True),
        ("42", "142", False),
        ("a b", "a  b", True),
    ],
)
def test_same(one: str, other: str, is_same: bool) -> None:
    assert same(one, other) is is_same


@given(st.text(max_size=80))
def test_reading_never_raises(text: str) -> None:
    number(text), kind_of(text), reduced(text), last_boxed(text)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["{}", "<answer>{}</answer>", "\\boxed{{{}}}", "#### {}"]))
def test_a_wrong_value_is_wrong_and_takes_the_answers_place(value: int, shape: str) -> None:
    one = case(shape.format(value), value)
    gold = gold_of(one)
    assert gold is not None
    for wrong in wrong_values(one, gold):
        assert not gold.is_right(wrong)
        assert placed(one, gold, wrong) == shape.format(wrong)


@pytest.mark.parametrize("reference", ["<answer>a</answer>", "area: a", "a"])
def test_a_letter_is_replaced_where_it_stands_alone(reference: str) -> None:
    gold = gold_of(case(reference, "a"))
    assert gold is not None
    written = placed(case(reference, "a"), gold, "b")
    assert written is not None
    assert written.count("b") == 1
    assert "<bnswer>" not in written


def test_a_tag_around_the_input_is_no_format() -> None:
    prompt = f"<document>{'word ' * 20}</document> Answer in <reply> tags."
    assert [one.name for one in asked_for(case("4", 4, prompt))] == ["reply_tag"]


def test_formats_are_written_once_each() -> None:
    one = case("\\boxed{4}", 4, "Use \\boxed{}.")
    gold = gold_of(one)
    assert gold is not None
    assert in_every_format(one, gold, "5") == {"as_reference": "\\boxed{5}", "plain": "5"}


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**6), max_value=10**6, places=2))
def test_numbers_nearby_are_numbers(value: object) -> None:
    assert all(number(text) is not None for text in near_numbers(str(value)).values() if text)


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("f(1) == 2", {"(1,)": "2"}),
        (">>> f([1, 2])\n[2, 1]\n", {"([1, 2],)": "[2, 1]"}),
        ("f('a', 2) -> 'aa', and so on", {"('a', 2)": "'aa'"}),
        ("`f(3)` returns `True`.", {"(3,)": "True"}),
        ("f(x) == 2; g(1) == 3; f(1", {}),
    ],
)
def test_examples_are_read_from_a_prompt(prompt: str, found: dict[str, str]) -> None:
    assert examples(prompt, "f") == found


@pytest.mark.parametrize(
    "source",
    [
        "def f(a):\n    return a",
        "def f(a):\n    b = a\n    return locals()",
        "def f(a):\n    global b\n    b = a\n    return b",
        "x = 1\ndef f():\n    y = [x for x in (1, 2)]\n    return x",
        "def f(:",
    ],
)
def test_what_may_not_be_renamed_is_left_alone(source: str) -> None:
    assert renamed_locals(source) is None
