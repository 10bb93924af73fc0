"""Where a text says its answer: boxes, tags, markers; side by side they are a choice, apart the last one counts."""

from __future__ import annotations

import pytest

from fairtrial.compare.final_answer import MOST_FOUND, TAIL, Found, settle, stated_part


def letters(text: str) -> list[Found[str]]:
    return [Found(place, place + 1, letter) for place, letter in enumerate(text) if letter in "PQR"]


def alone(text: str) -> str | None:
    return text if text in ("P", "Q", "R") else None


@pytest.mark.parametrize(
    ("text", "part", "how"),
    [
        ("So \\boxed{\\frac{1}{2}}.", "\\frac{1}{2}", "box"),
        ("First \\boxed{1}.\n\nThen \\boxed{2}", "2", "box"),
        ("\\boxed{1} or \\boxed{2}", "1 or 2", "box"),
        ("\\boxed{1", "\\boxed{1", "whole"),
        ("\\boxed{1}. No: the answer is 2", "2", "marker"),
        ("#### 18", "18", "marker"),
        ("<answer>\\boxed{3}</answer>", "3", "tag"),
        ("<answer>3</answer><answer>4</answer>", "4", "tag"),
        ("<think>P</think>Q", "Q", "whole"),
        ("The answer to the riddle is: Q", "Q", "marker"),
        ("Final Answer: The final answer is Q.", "Q.", "marker"),
        ("Solution: add P and Q", "Solution: add P and Q", "whole"),
        ("  Q \n", "Q", "whole"),
    ],
)
def test_the_part_that_says_it_is_cut_out(text: str, part: str, how: str) -> None:
    found = stated_part(text)
    assert (found.text, found.how) == (part, how)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("P", "P"), ("It is P.", "P"), ("P or Q", None), ("P, Q", None), ("either P or Q", None), ("P to Q", None),
        ("not P but Q", "Q"), ("Q, not P", "Q"), ("P is wrong", None), ("P. No, wait: Q", "Q"),
        ("Q, that's wrong", None),
        ("The answer is P. The answer is Q.", None), ("The answer is P. Actually, the answer is Q.", "Q"),
        ("P could be it. It is Q", "Q"), ("at least P", None), ("P or more", None), ("Is it P?", None), ("", None),
        ("rather than P, Q", "Q"), ("In step P we get Q", "Q"), ("It is P, maybe Q", None), ("nothing", None),
    ],
)  # fmt: skip
def test_one_value_is_chosen_or_none(text: str, value: str | None) -> None:
    settled = settle(text, alone, letters, "letter")
    assert settled.value == value
    assert settled.value or settled.reason


def test_reasons_quote_what_stands_against_each_other() -> None:
    assert settle("It is P or Q", alone, letters, "letter").reason == "the answer gives more than one letter: `P or Q`"


def test_the_end_of_a_long_text_is_what_counts() -> None:
    assert settle("P " * TAIL + ". It is Q", alone, letters).value == "Q"
    assert settle("The answer is P. " + "word " * TAIL, alone, letters).value is None


def test_a_long_list_is_looked_at_in_part_and_refused() -> None:
    assert settle("P, " * (2 * MOST_FOUND) + "Q", alone, letters).value is None
