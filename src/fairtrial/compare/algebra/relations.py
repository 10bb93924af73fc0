"""Compare equations and inequalities: the same where one is a multiple of the other.

`y = 3x + 13` is `3x - y + 13 = 0`; an inequality may be multiplied by what is above zero alone. Not here: equations
that have the same solutions without being multiples (`x^2 = 4` and `x = ±2`).
"""

from __future__ import annotations

from fairtrial.compare.algebra.deciding import Decided, same_value
from fairtrial.compare.algebra.exact import (
    Exact,
    NotRationalError,
    Rational,
    TooBigError,
    TooMuchWorkError,
    UndefinedError,
    drawn,
)
from fairtrial.compare.algebra.regions import FLIPPED, Line
from fairtrial.compare.algebra.tree import ZERO, Node, both, holds, num, substitute, symbols
from fairtrial.compare.stated import Stated

_POINTS = 4


def difference(relation: Node) -> Node:
    """Return the left side less the right side of a relation with two sides."""
    left, right = relation.parts
    return left if right == ZERO else both("add", left, both("neg", right))


def same_equation(reference: Node, answer: Node, seed: str, budget: list[int]) -> Decided:
    """Say whether two equations are multiples of each other by a number other than zero."""
    left, right = difference(reference), difference(answer)
    names = sorted(symbols(left) | symbols(right))
    if holds(left, _is_not_algebraic) or holds(right, _is_not_algebraic):
        return _multiples(left, right, seed, budget)
    try:
        if _numerators_agree(left, right, names, seed, budget):
            return Decided(True, "the two equations are multiples of each other")
        return Decided(False, "the two equations are not multiples of each other")
    except (NotRationalError, TooBigError, TooMuchWorkError, UndefinedError):
        return _multiples(left, right, seed, budget)


def _numerators_agree(left: Node, right: Node, names: list[str], seed: str, budget: list[int]) -> bool:
    values: list[tuple[int, int]] = []
    for number in range(_POINTS):
        at: dict[str, Rational] = {name: (1 + drawn(seed, number, name), 1) for name in names}
        pair = Exact(at, seed, budget)(left)[0], Exact(at, seed, budget)(right)[0]
        values.append(pair)
    first, second = values[0]
    if not first or not second:
        return all(not one and not other for one, other in values)
    return all(one * second == other * first for one, other in values)


def _is_not_algebraic(node: Node) -> bool:
    return node.op == "call" or (node.op == "pow" and node.parts[1].number[1] != 1)


def _multiples(left: Node, right: Node, seed: str, budget: list[int]) -> Decided:
    """Compare left(x) right(c) with right(x) left(c) for a number c."""
    at = {name: num(1 + drawn(seed, "at", name, bits=20)) for name in symbols(left) | symbols(right)}
    here, there = substitute(left, at), substitute(right, at)
    for one in (here, there):
        if same_value(one, ZERO, seed, Stated(), budget).same is not False:
            alike = same_value(left, right, seed, Stated(), budget)
            return alike if alike.same else Decided(False, "the two equations are not the same")
    found = same_value(both("mul", left, there), both("mul", right, here), seed, Stated(), budget)
    if found.same:
        return Decided(True, f"the two equations are multiples of each other: {found.reason}")
    return found if found.same is None else Decided(False, "the two equations are not multiples of each other")


def same_inequality(reference: Node, answer: Node, seed: str, budget: list[int]) -> Decided:
    """Say whether two inequalities are multiples of each other by a number above zero, or below where turned around."""
    left, right = difference(reference), difference(answer)
    if reference.name != answer.name:
        right = both("neg", right)
        if FLIPPED.get(answer.name) != reference.name:
            return Decided(False, f"one says `{answer.name}`, the other `{reference.name}`")
    at = {name: num(drawn(seed, "at", name, bits=20)) for name in symbols(left) | symbols(right)}
    here, there = substitute(left, at), substitute(right, at)
    line = Line(budget)
    signs = [line.order(one, ZERO) for one in (here, there)]
    if signs[0] is None or signs[0] != signs[1]:
        return Decided(False, "the two inequalities are not the same")
    if signs[0] == 0:
        return same_value(left, right, seed, Stated(), budget)
    found = same_value(both("mul", left, there), both("mul", right, here), seed, Stated(), budget)
    if found.same:
        return Decided(True, "the two inequalities are multiples of each other")
    return found if found.same is None else Decided(False, "the two inequalities are not multiples of each other")
