"""Parts of the real line: what intervals, unions, inequalities in one unknown and sets of numbers say alike.

`x > 3` is `(3, ∞)`, `x ≠ 1` is everything but 1, `[1,2] ∪ (2,3]` is `[1,3]`. Linear inequalities are solved; others are
compared as they stand (`relations`). Not here: regions of the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import DecimalException
from fractions import Fraction
from typing import NamedTuple

from fairtrial.compare.algebra.balls import Reals, VagueError
from fairtrial.compare.algebra.evaluating import Evaluation
from fairtrial.compare.algebra.exact import (
    Exact,
    NotRationalError,
    TooBigError,
    TooMuchWorkError,
    UndefinedError,
    constant,
)
from fairtrial.compare.algebra.tree import INFINITY, Node, num, symbols

BRACKETS = ("()", "(]", "[)", "[]")
FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
MOST_PIECES = 200


class Piece(NamedTuple):
    """An interval; an end that is None is infinite."""

    low: Node | None
    high: Node | None
    low_is_open: bool
    high_is_open: bool


class Region(NamedTuple):
    """Pieces of the line, and the unknown that lies in them if it is named."""

    name: str | None
    pieces: tuple[Piece, ...]


LINE = Piece(None, None, True, True)


def infinite(node: Node) -> int:
    """Return 1 or -1 for an infinity, 0 for anything else."""
    if node == INFINITY:
        return 1
    return -infinite(node.parts[0]) if node.op == "neg" else 0


class Line:
    """Reads and compares regions, paid from a budget."""

    def __init__(self, budget: list[int]) -> None:
        self.budget = budget

    def order(self, left: Node, right: Node) -> int | None:
        """Return -1, 0 or 1 as `left` lies before, at or after `right`; None where that is not known."""
        values = constant(left, self.budget), constant(right, self.budget)
        if values[0] is not None and values[1] is not None:
            return (values[0] > values[1]) - (values[0] < values[1])
        if left == right:
            return 0
        try:
            reals = Reals(60, self.budget)
            a, b = (Evaluation(reals, {}, "")(one) for one in (left, right))
            if a.imaginary is not None or b.imaginary is not None:
                return None
            apart = reals.subtract(a.real, b.real)
        except (VagueError, UndefinedError, TooMuchWorkError, DecimalException):
            return None
        if apart.holds_zero:
            return 0
        return 1 if apart.middle > 0 else -1

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
            shared = None if taken is None else self._shared(pieces, taken)
            if shared is None:
                return None
            pieces = shared
        return Region(names.pop() if names else None, pieces)

    def _builder(self, node: Node) -> Region | None:
        what, condition = node.parts
        inner = self.region(condition.parts[0] if len(condition.parts) == 1 else condition._replace(name="and"))
        if what.op == "rel" and what.name == "in" and inner is not None:
            domain = self.region(what)
            shared = None if domain is None else self._shared(domain.pieces, inner.pieces)
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
        for place, name in enumerate(names):
            one = self._solved(node.parts[place], name, node.parts[place + 1])
            if one is None or (found is not None and found.name != one.name):
                return None
            pieces = one.pieces if found is None else self._shared(found.pieces, one.pieces)
            if pieces is None:
                return None
            found = Region(one.name, pieces)
        return found

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

    def rest(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
        """Return the line without `pieces`; None where their ends cannot be ordered."""
        left: tuple[Piece, ...] | None = (LINE,)
        for piece in pieces:
            outside = []
            if piece.low is not None:
                outside.append(Piece(None, piece.low, True, not piece.low_is_open))
            if piece.high is not None:
                outside.append(Piece(piece.high, None, not piece.high_is_open, True))
            left = None if left is None else self._shared(left, tuple(outside))
        return left

    def _shared(self, some: tuple[Piece, ...], others: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
        if len(some) * len(others) > MOST_PIECES:
            return None
        found = []
        for one in some:
            for other in others:
                low = self._inner(one.low, one.low_is_open, other.low, other.low_is_open, 1)
                high = self._inner(one.high, one.high_is_open, other.high, other.high_is_open, -1)
                if low is None or high is None:
                    return None
                piece = Piece(low[0], high[0], low[1], high[1])
                is_empty = self._is_empty(piece)
                if is_empty is None:
                    return None
                if not is_empty:
                    found.append(piece)
        return tuple(found)

    def _inner(self, one: Node | None, one_open: bool, other: Node | None, other_open: bool, sign: int) -> (
        tuple[Node | None, bool] | None
    ):  # fmt: skip
        if one is None or other is None:
            return (other, other_open) if one is None else (one, one_open)
        order = self.order(one, other)
        if order is None:
            return None
        if order == 0:
            return one, one_open or other_open
        return (one, one_open) if order == sign else (other, other_open)

    def _is_empty(self, piece: Piece) -> bool | None:
        if piece.low is None or piece.high is None:
            return False
        order = self.order(piece.low, piece.high)
        if order is None:
            return None
        return order > 0 or (order == 0 and (piece.low_is_open or piece.high_is_open))

    def joined(self, pieces: tuple[Piece, ...]) -> list[Piece] | None:
        """Return the pieces in order, empty ones left out and touching ones joined; None where that is not known."""
        kept = []
        for piece in pieces:
            is_empty = self._is_empty(piece)
            if is_empty is None:
                return None
            if not is_empty:
                kept.append(piece)
        sorted_ = self._sorted(kept)
        if sorted_ is None:
            return None
        result: list[Piece] = []
        for piece in sorted_:
            before = result[-1] if result else None
            if before is None or not self._touch(before, piece):
                result.append(piece)
                continue
            end = self._outer(before, piece)
            result[-1] = Piece(before.low, end[0], before.low_is_open, end[1])
        return result

    def _sorted(self, pieces: list[Piece]) -> list[Piece] | None:
        result: list[Piece] = []
        for piece in pieces:
            place = 0
            while place < len(result):
                first = self._begins_before(piece, result[place])
                if first is None:
                    return None
                if first:
                    break
                place += 1
            result.insert(place, piece)
        return result

    def _begins_before(self, one: Piece, other: Piece) -> bool | None:
        if one.low is None or other.low is None:
            return one.low is None
        order = self.order(one.low, other.low)
        if order is None:
            return None
        return order < 0 or (order == 0 and not one.low_is_open and other.low_is_open)

    def _touch(self, before: Piece, after: Piece) -> bool:
        if before.high is None or after.low is None:
            return True
        order = self.order(after.low, before.high)
        return order is not None and (order < 0 or (order == 0 and not (before.high_is_open and after.low_is_open)))

    def _outer(self, before: Piece, after: Piece) -> tuple[Node | None, bool]:
        if before.high is None or after.high is None:
            return None, True
        order = self.order(before.high, after.high)
        if order == 0:
            return before.high, before.high_is_open and after.high_is_open
        return (before.high, before.high_is_open) if order == 1 else (after.high, after.high_is_open)
