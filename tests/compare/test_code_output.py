"""Outputs of programs are the same line by line: blanks and the last digits of reals aside, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.compare import Stated, equivalent

CASES = [
    ("1 2 3", "1 2 3\n", True), ("1 2 3", "1  2 3  \r\n", True), ("1 2 3", "1 2 4", False), ("1 2 3", "1\n2\n3", False),
    ("1 2 3", "1 2", False), ("0.1", "0.10000001", True), ("0.1", "0.1001", False), ("1", "1.0000001", False),
    ("1", "1.0", True), ("1.0", "1", True), ("1.99999999999", "2", True), ("1000000007", "1000000008", False),
    ("1000000.5", "1000000.6", True), ("YES", "Yes", False), ("a\n\nb", "a\nb", False), ("\na\n\n", "a", True),
    ("  *\n ***", "*\n***", False), ("  *\n ***", " *\n***", True), ("  1\n10", "1\n10", True), ("nan", "NaN", False),
    ("nan", "nan", True), ("inf", "1e999", False), ("0011", "11", False), ("-0", "0", True), ("3.0", "-3.0", False),
    ("[0.1, 0.30000000000000004]", "[0.1, 0.3]", True), ("[1,2]", "[1, 2]", False),
    ("x=0.3333333333;", "x=0.333333333;", True),
    ("x=1", "y=1", False), ("", " \n", True), ("", "0", False), ("0", "", False), ("```\n1 2\n```", "1 2", True),
    ("1e999998", "1e999999", False), ("1e-999999", "0.0", True), ("0x10", "16", False), ("1,000", "1000", False),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer", "same"), CASES)
def test_outputs_are_the_same_or_a_line_is_named(reference: str, answer: str, same: bool) -> None:
    found = equivalent(reference, answer, "code_output")
    assert found.equivalent is same, found.reason
    assert found.reason


def test_a_stated_tolerance_replaces_the_usual_one() -> None:
    assert not equivalent("100.0", "100.00001", "code_output", Stated(absolute=1e-9)).equivalent
    assert equivalent("100.0", "100.4", "code_output", Stated(relative=0.01)).equivalent
    assert equivalent("0.11", "0.12", "code_output", Stated(absolute=0.01)).equivalent


def test_the_first_line_that_differs_is_named() -> None:
    assert equivalent("a\nb\nc", "a\nx\ny", "code_output").reason == "line 2: `x`, expected `b`"


LINES = st.lists(st.text(st.characters(blacklist_characters="\r`", blacklist_categories=("Cs",))), max_size=5)


@given(LINES)
def test_blanks_at_the_ends_of_lines_and_of_the_output_never_count(lines: list[str]) -> None:
    plain = "\n".join(lines)
    padded = "\n\n" + "".join(f"{line} \t\r\n" for line in plain.split("\n")) + "\n"
    assert equivalent(plain, padded, "code_output").equivalent


@given(st.lists(st.integers(), min_size=1), st.integers(0), st.integers(1))
def test_whole_numbers_are_exact(numbers: list[int], place: int, change: int) -> None:
    other = list(numbers)
    other[place % len(other)] += change
    assert not equivalent(" ".join(map(str, numbers)), " ".join(map(str, other)), "code_output").equivalent
