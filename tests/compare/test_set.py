"""Answers of kind `set`: what has no order, as a careful person would judge them, in both directions.

Not covered: how values are decided (algebra/test_deciding).
"""

from __future__ import annotations

import pytest

from fairtrial.compare import equivalent

SAME = [
    ("{1,2,3}", r"\{3,2,1\}"),
    ("{1,2,3}", "{1,1,2,3}"),
    ("{1,2}", "x=1 or x=2"),
    ("{1,2}", "x = 1, 2"),
    ("{2,-2}", r"\pm 2"),
    ("{}", r"\emptyset"),
    (r"\emptyset", "no solution"),
    ("{1/2, 3}", "3 and 0.5"),
    ("{{1,2},{3}}", "{{3},{2,1}}"),
    ("{(1,2),(3,4)}", "(3,4), (1,2)"),
    ("{1,2}", "[2,1]"),
    ("{a,b}", "{b,a}"),
    ("{red, blue}", "blue and red"),
    ("{5}", "5"),
    ("{5}", "{5}"),
    ("{1,2,...,10}", "{1,2,3,4,5,6,7,8,9,10}"),
    (r"{\sqrt{2}, \sqrt{3}}", r"\{\sqrt3, \sqrt2\}"),
    ("{1,2,3}", "The elements are 1, 2, and 3."),
    ("{2,3}", r"\left\{ 2, 3 \right\}"),
    ("{1,2,3}", "1,2,3"),
    ("{1,2,3}", "{3, 2, 1}"),
    ("{1,2,3}", "The set is {1, 2, 3}."),
    ("{1,2,3}", "3, 2, and 1"),
    ("{-1,1}", "x = ±1"),
    ("{0.5}", "{1/2}"),
    ("∅", "{}"),
    ("∅", "empty set"),
    ("{a, b, c}", "c, b, a"),
    ("{apple, pear}", "{pear, apple}"),
    ("{apple, pear}", "pear, apple"),
    ("{{1},{2}}", "{{2},{1}}"),
    ("{1,2}", "{2,1,2,1}"),
    ("{1, 2}", "x ∈ {1,2}"),
    ("{1, 2}", "x = 1 and x = 2"),
    ("{2, 3}", "The roots are x = 2 and x = 3."),
    ("{2, 3}", "$x=2$ or $x=3$"),
    ("{2, 3}", "$x_1 = 2, x_2 = 3$"),
    ("{New York, Paris}", "Paris, New York"),
    ("{1,2,3}", r"\{1,2,3\}"),
    ("{1,2,3}", "set([1, 2, 3])"),
    (r'{"a","b"}', r'{"b","a"}'),
    ("{1000, 2}", "{2, 1,000}"),
    (r'{"a","b"}', "{'b','a'}"),
    (r'{"red","blue"}', "{blue, red}"),
]  # fmt: skip

OTHER = [
    ("{1,2,3}", "{1,2}"),
    ("{}", "{0}"),
    ("{}", "0"),
    ("{(1,2),(3,4)}", "(2,1), (3,4)"),
    ("{1,2}", "(1,2)"),
    ("{red, blue}", "blue and green"),
    ("{1,2,3}", "123"),
    ("{1,2,3}", "1 and 2"),
    ("{1,2,3}", "{1,2,4}"),
    ("{a, b, c}", "{A, B, C}"),
    ("{apple, pear}", "{apple}"),
    ("{{1},{2}}", "{1,2}"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_the_same_in_other_words_is_the_same(reference: str, answer: str) -> None:
    assert equivalent(reference, answer, "set").equivalent, equivalent(reference, answer, "set").reason
    assert equivalent(answer, reference, "set").equivalent


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_another_answer_is_another(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "set")
    assert not found.equivalent, found.reason
    assert found.reason
    assert not equivalent(answer, reference, "set").equivalent


@pytest.mark.parametrize("text", [text for pair in (*SAME, *OTHER) for text in pair])
def test_each_equals_itself(text: str) -> None:
    assert equivalent(text, text, "set").equivalent
