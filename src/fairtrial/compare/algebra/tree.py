"""The tree that an answer in mathematics is read into. Values and forms (lists, relations, texts) share one node.

Nothing is simplified here: a tree says what was written, in one notation. Whether two trees mean the same is decided
in `deciding` (values) and `forms` (lists, intervals, equations).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

LISTS = ("list", "union", "matrix")


class Node(NamedTuple):
    """One node: what it is, what it is made of, its name and, for a number, its value in lowest terms.

    Values: num, sym, const (pi, e, i, inf, deg), add, neg, mul, div, pow, call (name), pm (name `+-` or `-+`).
    Forms: list (name: its brackets, "" for none), rel (name: one operator per gap, parted by spaces), union, minus,
    intersection, matrix (name: its environment), text, unit (name), builder.
    """

    op: str
    parts: tuple[Node, ...] = ()
    name: str = ""
    number: tuple[int, int] = (0, 1)


def num(value: int | Fraction) -> Node:
    """Return a number's node."""
    return Node("num", (), "", (value.numerator, value.denominator))


def sym(name: str) -> Node:
    """Return a symbol's node."""
    return Node("sym", (), name)


def call(name: str, *parts: Node) -> Node:
    """Return a function's node, applied."""
    return Node("call", parts, name)


def both(op: str, *parts: Node) -> Node:
    """Return an operation's node."""
    return Node(op, parts)


ONE, ZERO = num(1), num(0)
PI, E, IMAGINARY, INFINITY, DEGREE = (Node("const", (), name) for name in ("pi", "e", "i", "inf", "deg"))


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all below it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(one.parts)


def holds(node: Node, claim: Callable[[Node], bool]) -> bool:
    """Say whether `claim` holds for the node or one below it."""
    return any(claim(one) for one in walk(node))


def symbols(node: Node) -> set[str]:
    """Return the names of the symbols in `node`.

    >>> sorted(symbols(both("add", sym("x"), both("mul", num(2), sym("y")))))
    ['x', 'y']
    """
    return {one.name for one in walk(node) if one.op == "sym"}


def change(node: Node, made: Callable[[Node], Node | None]) -> Node:
    """Return `node` with each part for which `made` gives something replaced by that, from the top down."""
    replaced = made(node)
    if replaced is not None:
        return replaced
    if not node.parts:
        return node
    return node._replace(parts=tuple(change(part, made) for part in node.parts))


def substitute(node: Node, values: Mapping[str, Node]) -> Node:
    """Return `node` with symbols replaced."""
    return change(node, lambda one: values.get(one.name) if one.op == "sym" else None)


def ordered(node: Node) -> Node:
    """Return `node` with the parts of sums, products and bare lists in one order, nested ones laid flat.

    >>> ordered(both("add", sym("y"), sym("x"))) == ordered(both("add", sym("x"), sym("y")))
    True
    """
    parts = tuple(ordered(part) for part in node.parts)
    if node.op in ("add", "mul", "union"):
        flat: list[Node] = []
        for part in parts:
            flat.extend(part.parts if part.op == node.op else (part,))
        parts = tuple(sorted(flat))
    return node._replace(parts=parts)
