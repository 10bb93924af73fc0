"""Values are told apart however near, large or hostile they are, and the work for it is bounded.

Work is counted, not timed: a comparison pays from one budget and stops when that is spent.
"""

from __future__ import annotations

import subprocess
import sys
from decimal import Inexact, localcontext

import pytest

from fairtrial.compare import Stated, equivalent
from fairtrial.compare.algebra.deciding import MOST_WORK
from fairtrial.compare.algebra.forms import Comparison
from fairtrial.compare.algebra.parser import parse
from fairtrial.compare.algebra.tokens import UnreadableError

HOSTILE = [
    "9^9^9^9", "9**9**9**9**9", "10^9!", "(10^9)!!", "((10^9)!)!", "2^(2^(2^(2^(2^2))))", "(" * 500 + "x" + ")" * 500,
    "{" * 3000, "-" * 999 + "1", "x^" * 2000 + "x", r"\frac" * 3000, r"\frac{1}{" * 300 + "2" + "}" * 300, "9" * 20_000,
    "+".join(["x"] * 1400), "*".join(["(x^99+y)"] * 300), "(x+1)^(10^9)", "sin(" * 25 + "x" + ")" * 25,
    "+".join(f"sin({number}x)" for number in range(400)), r"\sum_{k=1}^{300}" * 5 + "k", r"\sum_{k=1}^{10^{12}} k",
    r"\binom{10^9}{5*10^8}", "x^{10^{100}}", "1/(x-x)", "0^0", r"\sqrt{" * 28 + "2" + "}" * 28, "e^{e^{e^{e^{e}}}}",
    r"\pm" * 8 + "1", "|" * 4000, r"\{" * 2000, "∞-∞", "$" * 10_000, r"\boxed{" * 2000, ",".join(map(str, range(1400))),
    "{" + ",".join(rf"\sqrt{{{number}}}" for number in range(2, 300)) + "}", "1e4000", "1e999999999",
    r"(1+10^{-100})^{10^{100}}", r"\lfloor \pi^{1000} \rfloor", r"\sin(10^{10^{10}})", r"\log" * 1000 + "x",
    "5" + "!" * 6, "10^{10^{17}}", "10^{10^{18}}", "10^{-10^{19}}", "x=" * 1000 + "1", "1<" * 1000 + "2",
    r"\cup".join(f"({number},{number + 1})" for number in range(300)), "x^{y^{z}}" * 300, "3^{600000}*7^{300000}",
    "1/3^{600000}+1/7^{300000}", "99999!", r"\prod_{k=1}^{300} k!", "max(1,2,3,mod(1),binom(2))", "\\log_0 0",
]  # fmt: skip


@pytest.mark.extra
@pytest.mark.parametrize("kind", ["math", "tuple", "set", "interval"])
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_answer_is_only_wrong(text: str, kind: str) -> None:
    assert equivalent(text, text, kind).equivalent
    assert not equivalent("x_0 + 17", text, kind).equivalent
    assert not equivalent(text, "x_0 + 17", kind).equivalent


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_the_budget_is_spent_once(text: str) -> None:
    try:
        tree, other = parse(text), parse(f"{text}+1")
    except UnreadableError:
        return
    comparison = Comparison("math", "", Stated())
    comparison.same(tree, other)
    # The step that finds it spent, and the exact part, may each overdraw by their last operation.
    assert comparison.budget[0] > -MOST_WORK // 2


def test_a_deep_stack_is_no_reason_to_fail() -> None:
    code = (
        "import sys\n"
        "from fairtrial.compare import equivalent\n"
        "def deep(n):\n"
        "    return deep(n - 1) if n else equivalent('(' * 29 + 'x' + ')' * 29, '2x', 'math').equivalent\n"
        "assert deep(300) is False\n"
        "assert equivalent('sin(' * 29 + 'x' + ')' * 29, 'sin(' * 28 + 'x' + ')' * 28, 'math').equivalent is False\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=100)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        (r"\frac{1}{2004!}", r"\frac{1}{2006!}"),
        (r"\frac{\pi}{2004!}", r"\frac{\pi}{2006!}"),
        (r"e^{\pi\sqrt{163}}", "640320^3+744"),
        ("10^{100}+1", "10^{100}"),
        (r"10^{100}+\pi", r"10^{100}+\pi+1"),
        (r"10^{300}+\pi", "10^{300}+e"),
        ("10^{10^7}+1", "10^{10^7}"),
        ("2^{127}-1", "0"),
        ("x^{10000000}", "x^{9999999}"),
        ("(10^9)!", "(10^9+1)!"),
        (r"\sin(10^{50})", r"\sin(10^{50}+1)"),
        (r"\sin(10^{-30})", "10^{-30}"),
        (r"\sqrt{10^{40}+1}", "10^{20}"),
        ("9^9^9^9", "9^9^9^8"),
        (r"\lfloor 10^{60} + 0.5 \rfloor", "10^{60}+1"),
    ],
)
def test_values_that_are_nearly_the_same_are_told_apart(reference: str, answer: str) -> None:
    assert not equivalent(reference, answer, "math").equivalent
    assert not equivalent(answer, reference, "math").equivalent


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        (r"\sqrt{2+\sqrt{3}}", r"\frac{\sqrt{6}+\sqrt{2}}{2}"),
        (r"\sqrt[3]{2+\sqrt{5}} + \sqrt[3]{2-\sqrt{5}}", "1"),
        (r"\arctan 1 + \arctan 2 + \arctan 3", r"\pi"),
        ("i^i", r"e^{-\pi/2}"),
        (r"\cos(\arcsin x)", r"\sqrt{1-x^2}"),
        ("(n+1)!/n!", "n+1"),
        ("x^{10000000}", "x x^{9999999}"),
        ("2^{100000}+1", "1+2^{100000}"),
        ("9^9^9^9", "9^{9^{9^{9}}}"),
        ("f(2x)", "f(x+x)"),
        (r"\sum_{i=1}^{n} i", r"\sum_{k=1}^{n} k"),
        (r"\int_0^1 x^2 dx", r"\int_0^1 t^2\,dt"),
        (r"z\bar{z}", "|z|^2"),
    ],
)
def test_values_that_are_the_same_are_found_to_be(reference: str, answer: str) -> None:
    assert equivalent(reference, answer, "math").equivalent
    assert equivalent(answer, reference, "math").equivalent


def test_an_answer_that_knows_the_primes_gains_nothing() -> None:
    # The points and primes are drawn from both texts; 0 modulo every fixed prime of 126 bits is no trick then.
    huge = "*".join(f"(2^{{{exponent}}}-1)" for exponent in (61, 89, 107, 127, 521, 607))
    assert not equivalent("x", f"x+{huge}", "math").equivalent
    assert not equivalent("x^{10^9}", f"x^{{10^9}}+{huge}", "math").equivalent


def test_only_a_stated_tolerance_is_tolerated() -> None:
    assert not equivalent(r"\pi", "3.1416", "math").equivalent
    assert equivalent(r"\pi", "3.1416", "math", Stated(relative=1e-4)).equivalent
    assert equivalent("(1/3, 2)", "(0.333, 2)", "tuple", Stated(absolute=0.001)).equivalent
    assert equivalent("{1/3, 2}", "{2, 0.333}", "set", Stated(absolute=0.001)).equivalent
    assert equivalent("[1/3, 2)", "[0.333, 2)", "interval", Stated(absolute=0.001)).equivalent
    assert not equivalent("[1/3, 2)", "[0.33, 2)", "interval", Stated(absolute=0.001)).equivalent


def test_a_decimal_comma_is_read_where_it_is_stated() -> None:
    assert equivalent("1.5", "1,5", "math", Stated(decimal_comma=True)).equivalent
    assert not equivalent("1.5", "1,5", "math").equivalent


def test_the_context_of_the_calling_thread_does_not_count() -> None:
    with localcontext() as context:
        context.prec = 3
        context.traps[Inexact] = True
        assert equivalent(r"\sqrt{12}", r"2\sqrt{3}", "math").equivalent
        assert not equivalent(r"\sqrt{12}", r"2\sqrt{3}+10^{-20}", "math").equivalent
