"""Parts of the real line: what intervals, unions, inequalities in one unknown and sets of numbers say alike.

`x > 3` is `(3, ∞)`, `x ≠ 1` is everything but 1, `[1,2] ∪ (2,3]` is `[1,3]`. Linear inequalities are solved; others are
compared as they stand (`relations`). Not here: regions of the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from fairtrial.compare.algebra.ends import LINE, MOST_PIECES, Ends, Piece
from fairtrial.compare.algebra.exact import (
    Exact,
    NotRationalError,
    TooBigError,
    TooMuchWorkError,
    UndefinedError,
)
from fairtrial.compare.algebra.tree import INFINITY, Node, num, symbols

BRACKETS = ("()", "(]", "[)", "[]")
FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


class Region(NamedTuple):
    """Pieces of the line, and the unknown that lies in them if it is named."""

    name: str | None
    pieces: tuple[Piece, ...]


def infinite(node: Node) -> int:
    """Return 1 or -1 for an infinity, 0 for anything else."""
    if node == INFINITY:
        return 1
    return -infinite(node.parts[0]) if node.op == "neg" else 0


class Line(Ends):
    """Reads regions."""

    def region(self, node: Node, brackets: bool = True) -> Region | None:
        """Return the part of the line that `node` is, or None. `brackets`: `(2,5)` is an interval, not a pair."""
        if node == Node("sym", (), "set R"):
            return Region(None, (LINE,))
        if node.op == "list" and node.name in BRACKETS and len(node.parts) == 2:
            if brackets or node.name in ("(]", "[)") or any(map(infinite, node.parts)):
                return self._interval(node)
            return None
        if node.op == "list" and node.name == "{}":
            return self._points(node.parts)
        if node.op in ("union", "intersection", "minus"):
            return self._combined(node)
        if node.op == "rel":
            return self._relation(node)
        if node.op == "builder" and len(node.parts) == 2:
            return self._builder(node)
        if node.op == "list" and node.name in ("", "and") and node.parts:
            return self._several(node)
        return None

    def _interval(self, node: Node) -> Region | None:
        low, high = node.parts
        if any(part.op in ("list", "rel", "text", "matrix") for part in node.parts):
            return None
        if infinite(low) > 0 or infinite(high) < 0:
            return None
        ends = None if infinite(low) else low, None if infinite(high) else high
        is_open = [end is None or node.name[place] in "()" for place, end in enumerate(ends)]
        return Region(None, (Piece(*ends, *is_open),))

    def _points(self, parts: Sequence[Node]) -> Region | None:
        if any(part.op in ("list", "rel", "text", "matrix", "builder") for part in parts):
            return None
        return Region(None, tuple(Piece(part, part, False, False) for part in parts[:MOST_PIECES]))

    def _combined(self, node: Node) -> Region | None:
        found = [self.region(part) for part in node.parts]
        if any(one is None for one in found):
            return None
        regions = [one for one in found if one is not None]
        names = {one.name for one in regions if one.name is not None}
        if len(names) > 1 or sum(len(one.pieces) for one in regions) > MOST_PIECES:
            return None
        pieces = regions[0].pieces
        for one in regions[1:]:
            if node.op == "union":
                pieces += one.pieces
                continue
            taken = one.pieces if node.op == "intersection" else self.rest(one.pieces)
            shared = None if taken is None else self.shared(pieces, taken)
            if shared is None:
                return None
            pieces = shared
        return Region(names.pop() if names else None, pieces)

    def _builder(self, node: Node) -> Region | None:
        what, condition = node.parts
        inner = self.region(condition.parts[0] if len(condition.parts) == 1 else condition._replace(name="and"))
        if what.op == "rel" and what.name == "in" and inner is not None:
            domain = self.region(what)
            shared = None if domain is None else self.shared(domain.pieces, inner.pieces)
            return None if shared is None else Region(None, shared)
        if inner is None or what.op != "sym" or inner.name not in (what.name, None):
            return None
        return inner._replace(name=None)

    def _several(self, node: Node) -> Region | None:
        if not any(part.op in ("rel", "union") or (part.op == "list" and part.name in BRACKETS) for part in node.parts):
            return None
        if all(part.op == "list" and part.name in ("()", "[]") for part in node.parts):
            return None
        if all(part.op == "rel" and part.name == "=" for part in node.parts):
            return None
        return self._combined(Node("intersection" if node.name == "and" else "union", node.parts))

    def _relation(self, node: Node) -> Region | None:
        names = node.name.split()
        if names in (["in"], ["notin"]):
            name = node.parts[0].name if node.parts[0].op == "sym" else None
            inner = self.region(node.parts[1])
            if name is None or inner is None:
                return None
            pieces = inner.pieces if names == ["in"] else self.rest(inner.pieces)
            return None if pieces is None else Region(name, pieces)
        found: Region | None = None
        absolute = self._absolute(node, names)
        if absolute is not None:
            return self.region(absolute)
        for place, name in enumerate(names):
            one = self._solved(node.parts[place], name, node.parts[place + 1])
            if one is None or (found is not None and found.name != one.name):
                return None
            pieces = one.pieces if found is None else self.shared(found.pieces, one.pieces)
            if pieces is None:
                return None
            found = Region(one.name, pieces)
        return found

    def _absolute(self, node: Node, names: list[str]) -> Node | None:
        """Return |f| < c as -c < f < c, and |f| > c as f < -c or f > c."""
        if len(names) != 1 or names[0] not in ("<", "<=", ">", ">="):
            return None
        left, name, right = node.parts[0], names[0], node.parts[1]
        if right.op == "call" and right.name == "abs":
            left, name, right = right, FLIPPED[name], left
        if left.op != "call" or left.name != "abs" or symbols(right) or self.order(right, num(0)) != 1:
            return None
        inner, least = left.parts[0], Node("neg", (right,))
        if name in ("<", "<="):
            return Node("rel", (least, inner, right), f"{name} {name}")
        return Node("union", (Node("rel", (inner, least), FLIPPED[name]), Node("rel", (inner, right), name)))

    def _solved(self, left: Node, name: str, right: Node) -> Region | None:
        """Solve a relation with one unknown on one side alone, or a linear one."""
        if name not in FLIPPED:
            return None
        if right.op == "sym" and not symbols(left):
            left, name, right = right, FLIPPED[name], left
        if left.op == "sym" and not symbols(right):
            return self._half(left.name, name, right)
        unknowns = symbols(left) | symbols(right)
        if len(unknowns) != 1:
            return None
        unknown = unknowns.pop()
        try:
            difference = Node("add", (left, Node("neg", (right,))))
            values = []
            for at in (0, 1, 7, -12):
                exact = Exact({unknown: (at, 1)}, "", self.budget)
                values.append(exact.lowest(exact(difference)))
        except (NotRationalError, TooBigError, TooMuchWorkError, UndefinedError):
            return None
        slope = values[1] - values[0]
        if slope == 0 or values[2] != values[0] + 7 * slope or values[3] != values[0] - 12 * slope:
            return None
        return self._half(unknown, name if slope > 0 else FLIPPED[name], num(-values[0] / Fraction(slope)))

    def _half(self, name: str, relation: str, at: Node) -> Region:
        if infinite(at):
            # x < ∞ says no more than that x is finite.
            is_all = (relation[0] == "<") == (infinite(at) > 0)
            return Region(name, (LINE,) if is_all and relation[0] in "<>" else ())
        below, above = Piece(None, at, True, relation != "<="), Piece(at, None, relation != ">=", True)
        if relation in ("<", "<="):
            return Region(name, (below,))
        if relation in (">", ">="):
            return Region(name, (above,))
        if relation == "!=":
            return Region(name, (below, above))
        return Region(name, (Piece(at, at, False, False),))
