"""Answers of kind `interval`: parts of the real line, as a careful person would judge them, in both directions.

Not covered: how values are decided (algebra/test_deciding).
"""

from __future__ import annotations

import pytest

from fairtrial.compare import equivalent

SAME = [
    ("[2,5)", r"2 \leq x < 5"),
    ("[2,5)", r"x \in [2,5)"),
    ("[2,5)", "[2,5["),
    ("(2,5)", "]2,5["),
    (r"(-\infty,3]", r"x \le 3"),
    ("(-oo, 3]", "(-∞,3]"),
    ("(-∞,-1)∪(1,∞)", "x<-1 or x>1"),
    ("(-∞,-1)∪(1,∞)", "(1,∞) ∪ (-∞,-1)"),
    ("(-∞,-1)∪(1,∞)", "(-inf,-1) U (1,inf)"),
    ("[1,3]", r"[1,2] \cup (2,3]"),
    ("(1,5)", "x > 1 and x < 5"),
    (r"[1/2, \sqrt{4}]", "[0.5, 2]"),
    ("[a,b)", "[a, b)"),
    ("(-∞,∞)", r"\mathbb{R}"),
    (r"\emptyset", "(3,3)"),
    ("[3,3]", "{3}"),
    (r"\mathbb{R} \setminus \{1\}", r"(-\infty,1)\cup(1,\infty)"),
    (r"\{x \mid x > 3\}", r"(3,\infty)"),
    ("{x : 2 <= x < 5}", "[2,5)"),
    ("(2,5)", "The interval is (2, 5)."),
    (r"[0,\infty)", r"[0,\infty]"),
    ("-3 < 2x - 1 < 5", "(-1, 3)"),
    (r"(-\infty, 0) \cup (0, \infty)", r"x \neq 0"),
    ("(0,1)", "0<x<1"),
    ("[0,1]", "0≤x≤1"),
    ("[0,1]", "1 >= x >= 0"),
    ("(-∞, 5)", "x<5"),
    ("(5,∞)", "x > 5"),
    ("[2,5)", "$[2, 5)$"),
    ("[2,5)", r"\left[2, 5\right)"),
    ("[2,5)", "The answer is [2, 5)."),
    ("[2,5)", "[2.0, 5.0)"),
    ("[1,2) ∪ (3,4]", "(3,4] ∪ [1,2)"),
    ("[1,2) ∪ (3,4]", "[1,2) or (3,4]"),
    ("[1,2) ∪ (2,3]", r"[1,3] \setminus \{2\}"),
    ("(-2,2)", "-2 < x and x < 2"),
    ("(-oo, oo)", "(-∞, +∞)"),
    ("(-∞,∞)", "all real numbers"),
    (r"[\sqrt{2}, \pi]", "[sqrt(2), pi]"),
    (r"[0, 2\pi)", r"0 \le \theta < 2\pi"),
    ("(1,∞)", "{x | x > 1}"),
    ("(1,∞)", r"\{x \in \mathbb{R} : x > 1\}"),
    ("]1,2]", "(1,2]"),
    ("(a, a+1)", "(a, 1+a)"),
    ("[2;5)", "[2,5)"),
    ("(0,1)", "x ∈ (0, 1)"),
    ("[3,∞)", "x ≥ 3"),
    ("[10,000, 20,000]", "[10000, 20000]"),
    ("x ≠ 2", "(-∞,2) ∪ (2,∞)"),
    ("(2,5)", "(2,5)"),
    ("|x| < 2", "(-2,2)"),
    ("(-∞,-2] ∪ [2,∞)", "|x| >= 2"),
]  # fmt: skip

OTHER = [
    ("[2,5)", "[2,5]"),
    ("[2,5)", "[2,6)"),
    ("[1,3]", r"[1,2) \cup (2,3]"),
    ("[a,b)", "[b, a)"),
    ("(0,1)", r"(0,1) \cup (2,3)"),
    ("[0,1]", "{0,1}"),
    ("(5,∞)", "x >= 5"),
    ("(5,∞)", "x < 5"),
    ("[2,5)", "[5,2)"),
    ("[2,5)", "2"),
    ("[2,5)", ""),
    ("[1,2) ∪ (3,4]", "[1,2] ∪ (3,4]"),
    (r"[\sqrt{2}, \pi]", "[1.414, 3.14]"),
    ("(2,5)", "between 2 and 5"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_the_same_in_other_words_is_the_same(reference: str, answer: str) -> None:
    assert equivalent(reference, answer, "interval").equivalent, equivalent(reference, answer, "interval").reason
    assert equivalent(answer, reference, "interval").equivalent


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_another_answer_is_another(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "interval")
    assert not found.equivalent, found.reason
    assert found.reason
    assert not equivalent(answer, reference, "interval").equivalent


@pytest.mark.parametrize("text", [text for pair in (*SAME, *OTHER) for text in pair])
def test_each_equals_itself(text: str) -> None:
    assert equivalent(text, text, "interval").equivalent
