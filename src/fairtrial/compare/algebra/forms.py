"""Compare what answers are: values, texts, tuples, sets, intervals, equations, matrices; each part by its value.

How strictly brackets count depends on the kind that is asked for: in `tuple` order counts and brackets do not, in `set`
neither does, in `interval` brackets are open and closed ends, in `math` brackets are as written. Not here: reading.
"""

from __future__ import annotations

from fairtrial.compare.algebra.deciding import Decided, same_value
from fairtrial.compare.algebra.lists import Lists
from fairtrial.compare.algebra.regions import infinite
from fairtrial.compare.algebra.relations import same_equation, same_inequality
from fairtrial.compare.algebra.shapes import (
    FORMS,
    has_infinity,
    is_angle,
    is_form,
    noun,
    plain,
    product_of_letters,
    right_side,
    unit_name,
)
from fairtrial.compare.algebra.tree import DEGREE, ONE, Node, change, ordered, sym


class Comparison(Lists):
    """Compares two trees of one kind, all draws taken from `seed`, all work from one budget."""

    def same(self, reference: Node, answer: Node) -> Decided:
        """Say whether the two mean the same."""
        if reference == answer:
            return Decided(True, "both are written alike")
        reference, answer = plain(reference), plain(answer)
        if not (is_form(reference) or is_form(answer)):
            return self.values(reference, answer)
        if "unit" in (reference.op, answer.op):
            return self._measured(reference, answer)
        if "text" in (reference.op, answer.op):
            return self._texts(reference, answer)
        for compare in (self._bare, self.regions, self.tuples, self.sets, self.matrices, self._relations):
            found = compare(reference, answer)
            if found is not None:
                return found
        if reference.op == answer.op and ordered(reference) == ordered(answer):
            return Decided(True, "both are written alike, but for the order")
        return Decided(False, f"the answer is {noun(answer)}, the reference {noun(reference)}")

    def values(self, reference: Node, answer: Node) -> Decided:
        """Compare two values; the sign for degrees may be left out."""
        ends = infinite(reference), infinite(answer)
        if any(ends):
            return Decided(ends[0] == ends[1], "both are infinite" if ends[0] == ends[1] else "one is infinite")
        if has_infinity(reference) or has_infinity(answer):
            alike = ordered(reference) == ordered(answer)
            return Decided(alike, "both are written alike" if alike else "a value with ∞ in it is not computed")
        found = same_value(reference, answer, self.seed, self.stated, self.budget)
        if not found.same and is_angle(reference) != is_angle(answer):
            # An angle's sign for degrees may be left out: 90 for 90°.
            bare = [change(one, lambda part: ONE if part == DEGREE else None) for one in (reference, answer)]
            found_bare = same_value(bare[0], bare[1], self.seed, self.stated, self.budget)
            return found_bare if found_bare.same else found
        return found

    def _measured(self, reference: Node, answer: Node) -> Decided:
        names = [one.name if one.op == "unit" else "" for one in (reference, answer)]
        if all(names) and unit_name(names[0]) != unit_name(names[1]):
            return Decided(False, f"the answer is in {names[1]}, the reference in {names[0]}")
        return self.same(*(one.parts[0] if one.op == "unit" else one for one in (reference, answer)))

    def _texts(self, reference: Node, answer: Node) -> Decided:
        if reference.op != answer.op:
            # A short word may be a product of letters.
            letters = [product_of_letters(one) if one.op == "text" else one for one in (reference, answer)]
            if letters[0] is not None and letters[1] is not None:
                return self.same(letters[0], letters[1])
            return Decided(False, f"the answer is {noun(answer)}, the reference {noun(reference)}")
        alike = reference.name == answer.name
        return Decided(
            alike, "the texts are the same" if alike else f"`{answer.name[:40]}` is not `{reference.name[:40]}`"
        )

    def _bare(self, reference: Node, answer: Node) -> Decided | None:
        """Compare a value with one that is named: 5 and x = 5, x^2 and f(x) = x^2."""
        named = [one.op == "rel" and one.name.split()[0] == "=" for one in (reference, answer)]
        if named[0] == named[1]:
            return self._both_named(reference, answer) if named[0] else None
        wanted = right_side(reference) if named[0] else reference
        found = right_side(answer) if named[1] else answer
        if wanted is None or found is None:
            return self._chain(reference, answer) if named[0] else self._chain(answer, reference)
        if "rel" in (wanted.op, found.op):
            return None
        if self.kind == "set" and wanted.op != found.op:
            return None
        return self.same(wanted, found)

    def _chain(self, chain: Node, value: Node) -> Decided | None:
        """Compare a value with `x^2 - 1 = (x - 1)(x + 1)`: each side must be it."""
        if set(chain.name.split()) != {"="} or value.op == "rel":
            return None
        sides = [self.same(part, value) for part in chain.parts]
        return sides[-1] if all(side.same for side in sides) else None

    def _both_named(self, reference: Node, answer: Node) -> Decided | None:
        """Compare values with the same name, or with y for a function: y = x^2 and f(x) = x^2."""
        left, right = right_side(reference), right_side(answer)
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
        if any(part.op in FORMS for one in pair for part in one.parts):
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
