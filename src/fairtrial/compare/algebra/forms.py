"""Compare what answers are: values, texts, tuples, sets, intervals, equations, matrices; each part by its value.

How strictly brackets count depends on the kind that is asked for: in `tuple` order counts and brackets do not, in `set`
neither does, in `interval` brackets are open and closed ends, in `math` brackets are as written. Not here: reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from fairtrial.compare.algebra.deciding import MOST_WORK, Decided, same_value
from fairtrial.compare.algebra.exact import constant
from fairtrial.compare.algebra.regions import Line, Piece, Region, infinite
from fairtrial.compare.algebra.relations import same_equation, same_inequality
from fairtrial.compare.algebra.tree import DEGREE, INFINITY, ONE, Node, both, change, holds, ordered, sym, symbols, walk
from fairtrial.compare.stated import Stated

MOST_ALTERNATIVES = 4
MOST_PAIRS = 20_000
_FORMS = frozenset(("list", "rel", "union", "minus", "intersection", "matrix", "text", "unit", "builder", "pm"))


class Comparison:
    """Compares two trees of one kind, all draws taken from `seed`, all work from one budget."""

    def __init__(self, kind: str, seed: str, stated: Stated) -> None:
        self.kind, self.seed, self.stated = kind, seed, stated
        self.budget = [MOST_WORK]
        self.pairs = MOST_PAIRS
        self.line = Line(self.budget)

    def same(self, reference: Node, answer: Node) -> Decided:
        """Say whether the two mean the same."""
        if reference == answer:
            return Decided(True, "both are written alike")
        reference, answer = self._plain(reference), self._plain(answer)
        if not (_is_form(reference) or _is_form(answer)):
            return self._values(reference, answer)
        if "unit" in (reference.op, answer.op):
            return self._measured(reference, answer)
        if "text" in (reference.op, answer.op):
            return self._texts(reference, answer)
        for compare in (self._bare, self._regions, self._tuples, self._sets, self._matrices, self._relations):
            found = compare(reference, answer)
            if found is not None:
                return found
        if reference.op == answer.op and ordered(reference) == ordered(answer):
            return Decided(True, "both are written alike, but for the order")
        return Decided(False, f"the answer is {_noun(answer)}, the reference {_noun(reference)}")

    def _plain(self, node: Node) -> Node:
        """Return `node` with ± written out, and without a letter that names a point before its coordinates."""
        if node.op != "list" and holds(node, lambda one: one.op == "pm"):
            options = alternatives(node)
            return options[0] if len(options) == 1 else Node("list", tuple(options))
        if node.op == "mul" and len(node.parts) == 2 and node.parts[0].op == "sym" and node.parts[1].op == "list":
            return node.parts[1]
        return node

    # Values.
    def _values(self, reference: Node, answer: Node) -> Decided:
        ends = infinite(reference), infinite(answer)
        if any(ends):
            return Decided(ends[0] == ends[1], "both are infinite" if ends[0] == ends[1] else "one is infinite")
        if holds(reference, _is_infinite) or holds(answer, _is_infinite):
            alike = ordered(reference) == ordered(answer)
            return Decided(alike, "both are written alike" if alike else "a value with ∞ in it is not computed")
        found = same_value(reference, answer, self.seed, self.stated, self.budget)
        if not found.same and _is_angle(reference) != _is_angle(answer):
            # An angle's sign for degrees may be left out: 90 for 90°.
            bare = [change(one, lambda part: ONE if part == DEGREE else None) for one in (reference, answer)]
            found_bare = same_value(bare[0], bare[1], self.seed, self.stated, self.budget)
            return found_bare if found_bare.same else found
        return found

    def _measured(self, reference: Node, answer: Node) -> Decided:
        names = [one.name if one.op == "unit" else "" for one in (reference, answer)]
        if all(names) and _unit(names[0]) != _unit(names[1]):
            return Decided(False, f"the answer is in {names[1]}, the reference in {names[0]}")
        return self.same(*(one.parts[0] if one.op == "unit" else one for one in (reference, answer)))

    def _texts(self, reference: Node, answer: Node) -> Decided:
        if reference.op != answer.op:
            # A short word may be a product of letters.
            letters = [_letters(one) if one.op == "text" else one for one in (reference, answer)]
            if letters[0] is not None and letters[1] is not None:
                return self.same(letters[0], letters[1])
            return Decided(False, f"the answer is {_noun(answer)}, the reference {_noun(reference)}")
        alike = reference.name == answer.name
        return Decided(
            alike, "the texts are the same" if alike else f"`{answer.name[:40]}` is not `{reference.name[:40]}`"
        )

    # Lists.
    def _regions(self, reference: Node, answer: Node) -> Decided | None:
        as_interval = self.kind == "interval"
        sure = [self.line.region(one, brackets=as_interval) for one in (reference, answer)]
        if not as_interval and all(one is None or _is_points(one) for one in sure):
            return None
        left, right = (self.line.region(one) for one in (reference, answer))
        if left is None or right is None or (self.kind != "interval" and _no_line(reference, answer)):
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
                decided = self._values(wanted, found)
                if not decided.same:
                    return Decided(decided.same, f"the {which} ends: {decided.reason}")
            closed = [not getattr(one, f"{which}_is_open") for one in (reference, answer)]
            if closed[0] != closed[1]:
                return Decided(False, f"the {which} end is {'closed' if closed[1] else 'open'} in the answer alone")
        return Decided(True, "the intervals are the same")

    def _tuples(self, reference: Node, answer: Node) -> Decided | None:
        left, right = self.ordered_parts(reference), self.ordered_parts(answer)
        if left is None or right is None:
            return None
        if self.kind != "tuple" and _shape(reference) != _shape(answer):
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
        named = _assignments(node)
        if named is not None and node.name in ("", "and"):
            return [named[name] for name in sorted(named)]
        if node.name in ("", "and"):
            return node.parts if self.kind == "tuple" else None
        return node.parts if node.name in ("()", "[]", "<>", "row") else None

    def _sets(self, reference: Node, answer: Node) -> Decided | None:
        left, right = self.members(reference), self.members(answer)
        if left is None or right is None:
            return None
        if left[0] and right[0] and left[0] != right[0]:
            return Decided(False, f"the answer speaks of {right[0]}, the reference of {left[0]}")
        return self._same_set(left[1], right[1])

    def members(self, node: Node) -> tuple[str | None, list[Node]] | None:
        """Return the members of what has no order, with the unknown that they are values of; else None."""
        if node.op == "rel" and node.name == "=" and node.parts[0].op == "sym":
            inner = self._plain(node.parts[1])
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
            plain = self._plain(part)
            if plain.op == "rel" and plain.name == "=" and plain.parts[0].op == "sym":
                wide = self._plain(plain.parts[1])
                plain = (
                    wide._replace(parts=tuple(Node("rel", (plain.parts[0], one), "=") for one in wide.parts))
                    if (wide.op == "list" and wide.name == "")
                    else plain
                )
            parts += plain.parts if plain.op == "list" and plain.name == "" else [plain]
        return _unnamed(_counted(parts))

    def _same_set(self, reference: Sequence[Node], answer: Sequence[Node]) -> Decided:
        wanted, found = self._distinct(reference), self._distinct(answer)
        if wanted is None or found is None:
            return Decided(None, "it cannot be decided: the sets are too large")
        for some, others, told in ((wanted, found, "lacks"), (found, wanted, "has, beyond the reference,")):
            exact = {value for value in others[0]}
            missing = [str(value) for value in some[0] if value not in exact and not self._tolerated(value, others[0])]
            for node in some[1]:
                matched = self._among(node, [*others[1], *others[2]])
                if matched is None:
                    return Decided(None, "it cannot be decided: the sets are too large")
                if not matched:
                    missing.append(_noun(node))
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
        return bool(self._values(node, other).same)

    def _distinct(self, nodes: Sequence[Node]) -> tuple[dict[Fraction, Node], list[Node], list[Node]] | None:
        """Return the rational members by value, the others, and those that could equal one of the others."""
        rational: dict[Fraction, Node] = {}
        others: list[Node] = []
        for node in nodes:
            value = None if _is_form(node) else constant(node, self.budget)
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

    def _matrices(self, reference: Node, answer: Node) -> Decided | None:
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

    # Relations.
    def _bare(self, reference: Node, answer: Node) -> Decided | None:
        """Compare a value with one that is named: 5 and x = 5, x^2 and f(x) = x^2."""
        named = [one.op == "rel" and one.name.split()[0] == "=" for one in (reference, answer)]
        if named[0] == named[1]:
            return self._both_named(reference, answer) if named[0] else None
        inner = [
            _right_side(one) if is_named else one for one, is_named in zip((reference, answer), named, strict=True)
        ]
        if inner[0] is None or inner[1] is None or inner[0 if named[1] else 1].op == "rel":
            return None
        if self.kind == "set" and inner[0].op != inner[1].op:
            return None
        return self.same(inner[0], inner[1])

    def _both_named(self, reference: Node, answer: Node) -> Decided | None:
        """Compare values with the same name, or with y for a function: y = x^2 and f(x) = x^2."""
        left, right = _right_side(reference), _right_side(answer)
        if left is None or right is None:
            return None
        names = [one.parts[0] for one in (reference, answer)]
        is_function = [name.op == "call" for name in names]
        function = "y" if is_function[0] != is_function[1] else None
        if names[0] == names[1] or (function and sym("y") in names):
            return self.same(left, right)
        return None

    def _relations(self, reference: Node, answer: Node) -> Decided | None:
        if reference.op != "rel" or answer.op != "rel":
            return None
        pair = reference, answer
        if any(part.op in _FORMS for one in pair for part in one.parts):
            if reference.name == answer.name and len(reference.parts) == len(answer.parts):
                return self._parts(reference, answer)
            return Decided(False, "the two do not say the same kind of thing")
        if len(reference.parts) == len(answer.parts) == 2:
            if reference.name == answer.name == "=" or reference.name == answer.name == "!=":
                return same_equation(reference, answer, self.seed, self.budget)
            if all(one.name in ("<", "<=", ">", ">=") for one in pair):
                return same_inequality(reference, answer, self.seed, self.budget)
        if reference.name == answer.name and len(reference.parts) == len(answer.parts):
            return self._parts(reference, answer)
        return Decided(False, "the two do not say the same kind of thing")

    def _parts(self, reference: Node, answer: Node) -> Decided:
        for one, other in zip(reference.parts, answer.parts, strict=True):
            decided = self.same(one, other)
            if not decided.same:
                return decided
        return Decided(True, "all parts are the same")


def alternatives(node: Node) -> list[Node]:
    """Return what `node` is with each ± taken as plus and as minus; ∓ goes the other way, so then all go together."""
    signs = [one for one in walk(node) if one.op == "pm"]
    linked = any(one.name == "-+" for one in signs)
    choices = 1 if linked else len(signs)
    if choices > MOST_ALTERNATIVES:
        return [node]
    found = []
    for choice in range(1 << choices):
        taken = iter([choice & 1] * len(signs) if linked else [choice >> place & 1 for place in range(choices)])
        found.append(_signed(node, taken))
    return found


def _signed(node: Node, taken: Iterable[int]) -> Node:
    bits = iter(taken)

    def made(one: Node) -> Node | None:
        if one.op != "pm":
            return None
        inner = change(one.parts[0], made)
        is_minus = next(bits) ^ (one.name == "-+")
        return both("neg", inner) if is_minus else inner

    return change(node, made)


def _is_form(node: Node) -> bool:
    return holds(node, lambda one: one.op in _FORMS)


def _is_infinite(node: Node) -> bool:
    return node == INFINITY


def _is_angle(node: Node) -> bool:
    return node.op == "mul" and DEGREE in node.parts


def _is_points(region: Region | None) -> bool:
    return region is not None and all(piece.low is not None and piece.low == piece.high for piece in region.pieces)


def _no_line(reference: Node, answer: Node) -> bool:
    """Say whether both are pairs: those are compared part by part."""
    return all(one.op == "list" and one.name in ("()", "[]") for one in (reference, answer)) and not any(
        infinite(part) for one in (reference, answer) for part in one.parts
    )


def _shape(node: Node) -> str:
    named = node.op == "list" and node.name in ("", "and")
    return "()" if named or node.name == "<>" else node.name


def _assignments(node: Node) -> dict[str, Node] | None:
    """Return the values of `x = 1, y = 2`, or None where some part is no assignment or two are to one symbol."""
    found: dict[str, Node] = {}
    for part in node.parts:
        if part.op != "rel" or part.name != "=" or part.parts[0].op != "sym" or part.parts[0].name in found:
            return None
        found[part.parts[0].name] = part.parts[1]
    return found if len(found) > 1 else None


def _right_side(relation: Node) -> Node | None:
    """Return what a name is said to be: the last part of `x = …` or `f(x) = …`, where it does not speak of that name."""
    if relation.op != "rel" or set(relation.name.split()) != {"="}:
        return None
    name, value = relation.parts[0], relation.parts[-1]
    if name.op == "text":
        return value
    if name.op == "sym" or (name.op == "list" and all(part.op == "sym" for part in name.parts)):
        return None if symbols(name) & symbols(value) else value
    is_definition = name.op == "call" and all(part.op == "sym" for part in name.parts)
    if is_definition:
        return None if holds(value, lambda one: one.op == "call" and one.name == name.name) else value
    return None


def _unnamed(parts: list[Node]) -> tuple[str | None, list[Node]]:
    """Return `x = 1, x = 2` as x and 1, 2; and `x = 1, 2` too."""
    names = {
        part.parts[0].name for part in parts if part.op == "rel" and part.name == "=" and part.parts[0].op == "sym"
    }
    if len(names) != 1 or (parts[0].op != "rel"):
        return None, parts
    name = names.pop()
    if any(part.op == "rel" and (part.name != "=" or part.parts[0] != sym(name)) for part in parts):
        return None, parts
    return name, [part.parts[1] if part.op == "rel" else part for part in parts]


def _counted(parts: list[Node]) -> list[Node]:
    """Return a list with `1, 2, ..., 10` written out where it goes up by one step."""
    dots = sym("...")
    if parts.count(dots) != 1 or len(parts) < 4 or parts[-1] == dots:
        return parts
    place = parts.index(dots)
    before, after = [constant(part) for part in parts[:place]], [constant(part) for part in parts[place + 1 :]]
    numbers = [value for value in (*before, *after) if value is not None]
    if place < 2 or len(numbers) != len(parts) - 1:
        return parts
    step = numbers[1] - numbers[0]
    count = (numbers[-1] - numbers[0]) / step if step else Fraction(1, 2)
    if count.denominator != 1 or not 0 < count <= 1_000:
        return parts
    written = [numbers[0] + step * index for index in range(int(count) + 1)]
    if written[:place] != numbers[:place] or written[len(written) - len(after) :] != numbers[place:]:
        return parts
    return [Node("num", (), "", (value.numerator, value.denominator)) for value in written]


def _letters(node: Node) -> Node | None:
    if len(node.name) > 4 or not node.name.isalpha():
        return None
    return Node("mul", tuple(sym(letter) for letter in node.name))


_UNITS = {"inches": "inch", "feet": "foot", "metre": "meter", "litre": "liter", "$": "dollar"}


def _unit(name: str) -> str:
    plain = name.strip().removesuffix(".")
    plain = _UNITS.get(plain, plain.removesuffix("s") if len(plain) > 3 else plain)
    return _UNITS.get(plain, plain)


def _noun(node: Node) -> str:
    if node.op == "list":
        return {"{}": "a set", "()": "a tuple", "": "several values", "and": "several values"}.get(node.name, "a list")
    if node.op == "rel":
        return "an equation" if node.name == "=" else "a relation"
    if node.op == "text":
        return f"the text `{node.name[:40]}`"
    if node.op in ("union", "intersection", "minus", "builder"):
        return "a set"
    return {"matrix": "a matrix", "unit": "a quantity"}.get(node.op, "a value")
