"""Compare lists of all kinds: tuples, sets, vectors, matrices, intervals and their unions.

The lower half of `forms.Comparison`. Not here: values, texts, relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from fairtrial.compare.algebra.deciding import MOST_WORK, Decided
from fairtrial.compare.algebra.ends import Piece
from fairtrial.compare.algebra.exact import constant
from fairtrial.compare.algebra.regions import Line, Region
from fairtrial.compare.algebra.shapes import (
    are_pairs,
    assignments,
    counted,
    is_form,
    is_points,
    noun,
    plain,
    shape,
    unnamed,
)
from fairtrial.compare.algebra.tree import Node
from fairtrial.compare.stated import Stated

MOST_PAIRS = 20_000


class Lists:
    """Compares lists of one kind, all draws taken from `seed`, all work from one budget."""

    def __init__(self, kind: str, seed: str, stated: Stated) -> None:
        self.kind, self.seed, self.stated = kind, seed, stated
        self.budget = [MOST_WORK]
        self.pairs = MOST_PAIRS
        self.line = Line(self.budget)

    def same(self, reference: Node, answer: Node) -> Decided:
        """Say whether the two mean the same."""
        raise NotImplementedError

    def values(self, reference: Node, answer: Node) -> Decided:
        """Compare two values."""
        raise NotImplementedError

    def regions(self, reference: Node, answer: Node) -> Decided | None:
        """Compare parts of the real line; None where one is no such part, or both are better compared as lists."""
        as_interval = self.kind == "interval"
        sure = [self.line.region(one, brackets=as_interval) for one in (reference, answer)]
        if not as_interval and all(one is None or is_points(one) for one in sure):
            return None
        left, right = (self.line.region(one) for one in (reference, answer))
        if left is None or right is None or (self.kind != "interval" and are_pairs(reference, answer)):
            return None
        if left.name and right.name and left.name != right.name:
            return Decided(False, f"the answer speaks of {right.name}, the reference of {left.name}")
        return self._same_region(left, right)

    def _same_region(self, reference: Region, answer: Region) -> Decided:
        wanted, found = self.line.joined(reference.pieces), self.line.joined(answer.pieces)
        if wanted is None or found is None:
            return self._matched(reference.pieces, answer.pieces)
        if len(wanted) != len(found):
            return Decided(False, f"the answer has {len(found)} pieces, the reference {len(wanted)}")
        for one, other in zip(wanted, found, strict=True):
            decided = self._same_piece(one, other)
            if not decided.same:
                return decided
        return Decided(True, "the two are the same part of the line")

    def _matched(self, reference: Sequence[Piece], answer: Sequence[Piece]) -> Decided:
        """Compare intervals with letters in their ends, in any order."""
        left = list(answer)
        for piece in reference:
            place = next((at for at, other in enumerate(left) if self._same_piece(piece, other).same), None)
            if place is None:
                if len(reference) == len(answer) == 1:
                    return self._same_piece(reference[0], answer[0])
                return Decided(False, "an interval of the reference is not in the answer")
            del left[place]
        return Decided(not left, "the intervals are the same" if not left else "the answer has an interval more")

    def _same_piece(self, reference: Piece, answer: Piece) -> Decided:
        for which in ("low", "high"):
            wanted, found = getattr(reference, which), getattr(answer, which)
            if (wanted is None) != (found is None):
                return Decided(False, f"the {which} end is {'infinite' if found is None else 'finite'} in the answer")
            if wanted is not None:
                decided = self.values(wanted, found)
                if not decided.same:
                    return Decided(decided.same, f"the {which} ends: {decided.reason}")
            closed = [not getattr(one, f"{which}_is_open") for one in (reference, answer)]
            if closed[0] != closed[1]:
                return Decided(False, f"the {which} end is {'closed' if closed[1] else 'open'} in the answer alone")
        return Decided(True, "the intervals are the same")

    def tuples(self, reference: Node, answer: Node) -> Decided | None:
        """Compare what has an order, part by part."""
        left, right = self.ordered_parts(reference), self.ordered_parts(answer)
        if left is None or right is None:
            return None
        if self.kind != "tuple" and shape(reference) != shape(answer):
            return None
        if len(left) != len(right):
            return Decided(False, f"the answer has {len(right)} parts, the reference {len(left)}")
        for place, (one, other) in enumerate(zip(left, right, strict=True), 1):
            decided = self.same(one, other)
            if not decided.same:
                return Decided(decided.same, f"part {place}: {decided.reason}")
        return Decided(True, f"all {len(left)} parts are the same, in order")

    def ordered_parts(self, node: Node) -> Sequence[Node] | None:
        """Return the parts of what has an order: a tuple, a vector, `x = 1, y = 2`; else None."""
        if node.op == "rel" and node.name == "=" and self.kind == "tuple":
            return self.ordered_parts(node.parts[1])
        if node.op == "matrix" and node.name == "matrix" and self.kind == "tuple":
            rows = [row.parts for row in node.parts]
            if len(rows) == 1:
                return rows[0]
            if all(len(row) == 1 for row in rows):
                return [row[0] for row in rows]
            return [Node("list", row, "()") for row in rows]
        if node.op != "list" or node.name == "{}":
            return None
        named = assignments(node)
        if named is not None and node.name in ("", "and"):
            return [named[name] for name in sorted(named)]
        if node.name in ("", "and"):
            return node.parts if self.kind == "tuple" else None
        return node.parts if node.name in ("()", "[]", "<>", "row") else None

    def sets(self, reference: Node, answer: Node) -> Decided | None:
        """Compare what has no order, member by member."""
        left, right = self.members(reference), self.members(answer)
        if left is None or right is None or (left[1] == [reference] and right[1] == [answer]):
            return None
        if left[0] and right[0] and left[0] != right[0]:
            return Decided(False, f"the answer speaks of {right[0]}, the reference of {left[0]}")
        return self._same_set(left[1], right[1])

    def members(self, node: Node) -> tuple[str | None, list[Node]] | None:
        """Return the members of what has no order, with the unknown that they are values of; else None."""
        if node.op == "rel" and node.name == "=" and node.parts[0].op == "sym":
            inner = plain(node.parts[1])
            if inner.op == "list":
                found = self.members(inner)
                return None if found is None else (node.parts[0].name, found[1])
            return None if self.kind != "set" else (node.parts[0].name, [inner])
        if node.op == "rel" and node.name == "in" and self.kind == "set":
            return self.members(node.parts[1])
        brackets = ("", "and", "{}", "[]") if self.kind == "set" else ("", "and", "{}")
        if node.op != "list" or node.name not in brackets:
            return (None, [node]) if self.kind == "set" and node.op not in ("list", "rel", "union", "text") else None
        parts: list[Node] = []
        for part in node.parts:
            written = plain(part)
            if written.op == "rel" and written.name == "=" and written.parts[0].op == "sym":
                wide = plain(written.parts[1])
                if wide.op == "list" and wide.name == "":
                    named = tuple(Node("rel", (written.parts[0], one), "=") for one in wide.parts)
                    written = wide._replace(parts=named)
            parts += written.parts if written.op == "list" and written.name == "" else [written]
        return unnamed(counted(parts))

    def _same_set(self, reference: Sequence[Node], answer: Sequence[Node]) -> Decided:
        wanted, found = self._distinct(reference), self._distinct(answer)
        if wanted is None or found is None:
            return Decided(None, "it cannot be decided: the sets are too large")
        for some, others, told in ((wanted, found, "lacks"), (found, wanted, "has, beyond the reference,")):
            exact = set(others[0])
            missing = [str(value) for value in some[0] if value not in exact and not self._tolerated(value, others[0])]
            for node in some[1]:
                matched = self._among(node, [*others[1], *others[2]])
                if matched is None:
                    return Decided(None, "it cannot be decided: the sets are too large")
                if not matched:
                    missing.append(noun(node))
            if missing:
                return Decided(False, f"the answer {told} {', '.join(missing[:3])[:60]}")
        return Decided(True, "the members are the same")

    def _tolerated(self, value: Fraction, others: Iterable[Fraction]) -> bool:
        if not (self.stated.absolute or self.stated.relative):
            return False
        node = Node("num", (), "", (value.numerator, value.denominator))
        near = min(others, key=lambda other: abs(other - value), default=None)
        if near is None:
            return False
        other = Node("num", (), "", (near.numerator, near.denominator))
        return bool(self.values(node, other).same)

    def _distinct(self, nodes: Sequence[Node]) -> tuple[dict[Fraction, Node], list[Node], list[Node]] | None:
        """Return the rational members by value, the others, and those that could equal one of the others."""
        rational: dict[Fraction, Node] = {}
        others: list[Node] = []
        for node in nodes:
            value = None if is_form(node) else constant(node, self.budget)
            if value is not None:
                rational[value] = node
            elif node not in others:
                others.append(node)
            if len(others) > 300:
                return None
        return rational, others, []

    def _among(self, node: Node, others: Sequence[Node]) -> bool | None:
        for other in others:
            self.pairs -= 1
            if self.pairs < 0 or self.budget[0] < 0:
                return None
            if self.same(node, other).same:
                return True
        return False

    def matrices(self, reference: Node, answer: Node) -> Decided | None:
        """Compare matrices, entry by entry; lists of lists are one beside a matrix."""
        reference, answer = _as_matrix(reference, answer), _as_matrix(answer, reference)
        if reference.op != "matrix" or answer.op != "matrix" or reference.name != answer.name:
            return None
        sizes = [[len(row.parts) for row in one.parts] for one in (reference, answer)]
        if sizes[0] != sizes[1]:
            return Decided(False, "the two do not have the same rows and columns")
        for place, (row, other) in enumerate(zip(reference.parts, answer.parts, strict=True), 1):
            for column, (one, two) in enumerate(zip(row.parts, other.parts, strict=True), 1):
                decided = self.same(one, two)
                if not decided.same:
                    return Decided(decided.same, f"row {place}, column {column}: {decided.reason}")
        return Decided(True, "all entries are the same")


def _as_matrix(node: Node, other: Node) -> Node:
    """Return `[[1, 2], [3, 4]]` as the matrix that `other` is."""
    rows = [row.op == "list" and row.name == "[]" for row in node.parts]
    if other.op != "matrix" or node.op != "list" or node.name != "[]" or not all(rows):
        return node
    return Node("matrix", tuple(Node(other.parts[0].op, row.parts) for row in node.parts), other.name)
