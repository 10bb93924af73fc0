"""What answers look like: names before values, alternatives of ±, members and parts, units, what to call them.

Not here: whether two of them are the same (`forms`, `lists`).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fairtrial.compare.algebra.exact import constant
from fairtrial.compare.algebra.regions import Region, infinite
from fairtrial.compare.algebra.tree import DEGREE, INFINITY, Node, both, change, holds, num, sym, symbols, walk

MOST_ALTERNATIVES = 4
FORMS = frozenset(("list", "rel", "union", "minus", "intersection", "matrix", "text", "unit", "builder", "pm"))


def plain(node: Node) -> Node:
    """Return `node` with ± written out, and without a letter that names a point before its coordinates."""
    if node.op != "list" and holds(node, lambda one: one.op == "pm"):
        options = alternatives(node)
        return options[0] if len(options) == 1 else Node("list", tuple(options))
    if node.op == "mul" and len(node.parts) == 2 and node.parts[0].op == "sym" and node.parts[1].op == "list":
        return node.parts[1]
    return node


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


def is_form(node: Node) -> bool:
    """Say whether `node` is no bare value."""
    return holds(node, lambda one: one.op in FORMS)


def has_infinity(node: Node) -> bool:
    """Say whether a formula computes with infinity, not only sums or integrates up to it."""
    if node == INFINITY:
        return True
    return node.op != "call" and any(has_infinity(part) for part in node.parts)


def is_angle(node: Node) -> bool:
    """Say whether `node` is a number of degrees."""
    return node.op == "mul" and DEGREE in node.parts


def is_points(region: Region | None) -> bool:
    """Say whether a region is single points alone."""
    return region is not None and all(piece.low is not None and piece.low == piece.high for piece in region.pieces)


def are_pairs(reference: Node, answer: Node) -> bool:
    """Say whether both are pairs: those are compared part by part."""
    return all(one.op == "list" and one.name in ("()", "[]") for one in (reference, answer)) and not any(
        infinite(part) for one in (reference, answer) for part in one.parts
    )


def shape(node: Node) -> str:
    """Return the brackets of an ordered list, one name for those that mean the same."""
    named = node.op == "list" and node.name in ("", "and")
    return "()" if named or node.name == "<>" else node.name


def assignments(node: Node) -> dict[str, Node] | None:
    """Return the values of `x = 1, y = 2`, or None where some part is no assignment or two are to one symbol."""
    found: dict[str, Node] = {}
    for part in node.parts:
        if part.op != "rel" or part.name != "=" or part.parts[0].op != "sym" or part.parts[0].name in found:
            return None
        found[part.parts[0].name] = part.parts[1]
    return found if len(found) > 1 else None


def right_side(relation: Node) -> Node | None:
    """Return what a name is said to be: the last part of `x = …` or `f(x) = …`, if it does not speak of the name."""
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


def unnamed(parts: list[Node]) -> tuple[str | None, list[Node]]:
    """Return `x = 1, x = 2` as x and 1, 2; and `x = 1, 2` too."""
    parts = _without_indices(parts)
    names = {
        part.parts[0].name for part in parts if part.op == "rel" and part.name == "=" and part.parts[0].op == "sym"
    }
    if len(names) != 1 or (parts[0].op != "rel"):
        return None, parts
    name = names.pop()
    if any(part.op == "rel" and (part.name != "=" or part.parts[0] != sym(name)) for part in parts):
        return None, parts
    return name, [part.parts[1] if part.op == "rel" else part for part in parts]


def _without_indices(parts: list[Node]) -> list[Node]:
    """Return `x_1 = 2, x_2 = 3` with x for both: an index that counts the solutions is no name."""
    if len(parts) < 2 or any(part.op != "rel" or part.name != "=" or part.parts[0].op != "sym" for part in parts):
        return parts
    names = [part.parts[0].name for part in parts]
    stems = {name.partition("_")[0] for name in names}
    if len(stems) != 1 or len(set(names)) != len(names) or not all("_" in name for name in names):
        return parts
    stem = sym(stems.pop())
    return [part._replace(parts=(stem, *part.parts[1:])) for part in parts]


def counted(parts: list[Node]) -> list[Node]:
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
    return [num(value) for value in written]


def product_of_letters(node: Node) -> Node | None:
    """Return a short text as a product of its letters, else None."""
    if len(node.name) > 4 or not node.name.isalpha():
        return None
    return Node("mul", tuple(sym(letter) for letter in node.name))


_UNITS = {"inches": "inch", "feet": "foot", "metre": "meter", "litre": "liter", "$": "dollar"}


def unit_name(name: str) -> str:
    """Return the name of a unit, in the singular."""
    plain = name.strip().removesuffix(".")
    plain = _UNITS.get(plain, plain.removesuffix("s") if len(plain) > 3 else plain)
    return _UNITS.get(plain, plain)


def noun(node: Node) -> str:
    """Return what to call `node` in a sentence."""
    if node.op == "list":
        return {"{}": "a set", "()": "a tuple", "": "several values", "and": "several values"}.get(node.name, "a list")
    if node.op == "rel":
        return "an equation" if node.name == "=" else "a relation"
    if node.op == "text":
        return f"the text `{node.name[:40]}`"
    if node.op in ("union", "intersection", "minus", "builder"):
        return "a set"
    return {"matrix": "a matrix", "unit": "a quantity"}.get(node.op, "a value")
