"""Answers of kind `tuple`: what has an order, as a careful person would judge them, in both directions.

Not covered: how values are decided (algebra/test_deciding).
"""

from __future__ import annotations

import pytest

from fairtrial.compare import equivalent

SAME = [
    ("(2,4)", "2, 4"),
    ("(2,4)", "[2,4]"),
    (r"(1/2, \sqrt{4})", "(0.5, 2)"),
    ("(2,4)", r"\left(2,4\right)"),
    ("(2,4)", "(x,y)=(2,4)"),
    ("(2,4)", "x=2, y=4"),
    ("(2,4)", "The point is (2, 4)."),
    ("(2,4)", r"\langle 2,4 \rangle"),
    ("(2,4)", r"\begin{pmatrix} 2 \\ 4 \end{pmatrix}"),
    ("((1,2),(3,4))", "(1,2),(3,4)"),
    ("(1,234)", "(1, 234)"),
    ("(a,b)", "(a, b)"),
    ("P(2,4)", "(2,4)"),
    (r"(2, \infty)", r"(2,\infty)"),
    ("(red, blue)", "(Red, Blue)"),
    ("(2,4)", "$(2,4)$"),
    ("(2,4)", r"The answer is \boxed{(2,4)}"),
    ("(1,2,3)", "1, 2, 3"),
    ("(1,2,3)", "1, 2 and 3"),
    ("(-1, 0)", "(−1,0)"),
    ("(0.5, 0.25)", "(1/2, 1/4)"),
    (r"(\frac{\pi}{2}, 1)", "(pi/2, 1)"),
    ("(x, y, z)", "(x,y,z)"),
    ("(x, y)", "(x , y )"),
    ("(2,4)", "x = 2 and y = 4"),
    ("(2,4)", "y = 4, x = 2"),
    ("(2,4)", "The solution is (x, y) = (2, 4)."),
    ("(1,(2,3))", "(1, (2, 3))"),
    ("(1,000, 2,000)", "(1000, 2000)"),
    ("(1;2)", "(1,2)"),
    (r'("a", "b")', r'("a","b")'),
    ("(True, False)", "(true, false)"),
    ("(5,)", "(5)"),
    ("()", "( )"),
    ("(2,4)", "so it meets at (2,4)"),
    ("(apple, 3)", "(apple, 3)"),
]  # fmt: skip

OTHER = [
    ("(2,4)", "{2,4}"),
    ("(2,4)", "(2,4,6)"),
    ("((1,2),(3,4))", "((1,2),(4,3))"),
    ("(a,b)", "(b, a)"),
    ("(2,4)", ""),
    ("(1,2)", "12"),
    ("(2,4)", "(2,4) or (4,2)"),
    ("(1,2,3)", "(1,3,2)"),
    ("(1,2,3)", "{1,2,3}"),
    ("(2,4)", "(2,5)"),
    ("(2,4)", "2"),
    ("(2,4)", "(2,4),(1,3)"),
    ("(2,4)", "x = 4, y = 2"),
    ("(1,(2,3))", "((1,2),3)"),
    ("(1,(2,3))", "(1,2,3)"),
    ("(apple, 3)", "(pear, 3)"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_the_same_in_other_words_is_the_same(reference: str, answer: str) -> None:
    assert equivalent(reference, answer, "tuple").equivalent, equivalent(reference, answer, "tuple").reason
    assert equivalent(answer, reference, "tuple").equivalent


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_another_answer_is_another(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "tuple")
    assert not found.equivalent, found.reason
    assert found.reason
    assert not equivalent(answer, reference, "tuple").equivalent


@pytest.mark.parametrize("text", [text for pair in (*SAME, *OTHER) for text in pair])
def test_each_equals_itself(text: str) -> None:
    assert equivalent(text, text, "tuple").equivalent
