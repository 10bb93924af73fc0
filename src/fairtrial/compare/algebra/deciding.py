"""Decide whether two formulas have the same value: exactly where they are rational, to hundreds of digits elsewhere.

Formulas are the same where they agree at every point drawn at which both are real (at all points where none is such):
(x-1)(x+1)/(x-1) is x+1, and ln(x^2) is 2 ln x. What needs too many digits or too much work is refused, unless both are
written alike. Nothing is measured by the clock: work is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DecimalException
from fractions import Fraction
from typing import NamedTuple

from fairtrial.compare.algebra.balls import Ball, Reals, VagueError
from fairtrial.compare.algebra.complexes import Value
from fairtrial.compare.algebra.evaluating import Evaluation
from fairtrial.compare.algebra.exact import (
    KNOWN_TO_BALLS,
    Exact,
    NotRationalError,
    Rational,
    TooBigError,
    TooMuchWorkError,
    UndefinedError,
    drawn,
    prime_from,
    residue,
)
from fairtrial.compare.algebra.tree import E, Node, both, call, change, holds, num, ordered, symbols
from fairtrial.compare.stated import Stated

FEW_DIGITS, MANY_DIGITS = 50, 250
MOST_WORK = 300_000
_SCALES = ((1, 3), (-3, -1), (0, 1), (3, 30), (-1, 0), (30, 3_000), (-30, -3))
"""Points are drawn between these: both signs, near and far, as roots and logarithms are real in one part alone."""
_SHOWN = tuple(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[]) for digits in (6, 12, 25, 60))
MOST_MAGNITUDE = 1_500


class Decided(NamedTuple):
    """Whether two values are the same, and why; `same` is None where that is not known."""

    same: bool | None
    reason: str


class Pair:
    """Two formulas, with all that their comparison draws taken from `seed`."""

    def __init__(self, reference: Node, answer: Node, seed: str, stated: Stated, budget: list[int]) -> None:
        self.reference, self.answer, self.seed, self.stated = reference, answer, seed, stated
        self.names = sorted(symbols(reference) | symbols(answer) | _words(reference) | _words(answer))
        self.budget = budget
        self.magnitude = 0
        """Of the numbers compared last: how many digits stand before the point."""

    def decide(self) -> Decided:
        """Say whether the two have the same value."""
        if self.reference == self.answer:
            return Decided(True, "both are written alike")
        try:
            return self._by_rationals()
        except (TooBigError, TooMuchWorkError):
            found = self._by_residues()
            if found is not None:
                return found
        except (NotRationalError, UndefinedError):
            pass
        found = self._by_digits()
        if found.same is None and ordered(self.reference) == ordered(self.answer):
            return Decided(True, "both are written alike, but for the order")
        return found if found.same is not None else self._by_parts(found)

    def _by_rationals(self) -> Decided:
        budget = [self.budget[0] // 4]
        self.budget[0] -= budget[0]
        try:
            return self._at_rationals(budget)
        finally:
            self.budget[0] += max(0, budget[0])

    def _at_rationals(self, budget: list[int]) -> Decided:
        if not self.names:
            exact = Exact({}, self.seed, budget)
            return self._constants(exact, exact(self.reference), exact(self.answer))
        # One point even and positive, one odd and negative: powers of -1 and absolute values differ there.
        for number in range(2):
            at: dict[str, Rational] = {}
            for name in self.names:
                value = 2 * drawn(self.seed, number, name) + number
                at[name] = (-value if number else value, 1)
            exact = Exact(at, self.seed, budget)
            if not exact.equal(exact(self.reference), exact(self.answer)):
                return Decided(False, self._unlike())
        return Decided(True, "the two are the same formula" if self.names else "the numbers are equal")

    def _constants(self, exact: Exact, left: Rational, right: Rational) -> Decided:
        if exact.equal(left, right):
            return Decided(True, "the numbers are equal")
        if self.stated.absolute or self.stated.relative:
            wanted, found = exact.lowest(left), exact.lowest(right)
            allowed = _allowed(self.stated, abs(wanted))
            if abs(wanted - found) <= allowed:
                return Decided(True, "the numbers differ by no more than is stated")
        return Decided(False, f"the answer is {_shown(right)}, not {_shown(left)}")

    def _unlike(self) -> str:
        """Return a sentence with a small point at which the two differ."""
        if holds(self.reference, _is_drawn) or holds(self.answer, _is_drawn):
            return "the two are not the same formula"
        for number in range(2, 5):
            at: dict[str, Rational] = {name: (number + 3 * place, 1) for place, name in enumerate(self.names)}
            try:
                exact = Exact(at, self.seed, [1_000])
                left, right = exact(self.reference), exact(self.answer)
                is_apart = not exact.equal(left, right)
            except (NotRationalError, TooBigError, TooMuchWorkError, UndefinedError):
                continue
            if is_apart and len(self.names) < 4:
                where = ", ".join(f"{name} = {at[name][0]}" for name in self.names)
                return f"at {where} the answer is {_shown(right)}, not {_shown(left)}"
        return "the two are not the same formula"

    def _by_residues(self) -> Decided | None:
        """Decide by remainders modulo two primes, or return None where a formula has none."""
        try:
            for number in range(2):
                prime = prime_from(f"{self.seed}{number}")
                at = {name: drawn(self.seed, number, name, bits=120) for name in self.names}
                if residue(self.reference, at, prime, self.budget) != residue(self.answer, at, prime, self.budget):
                    return Decided(False, "the two are not the same number" if not at else self._unlike())
        except (NotRationalError, TooBigError, TooMuchWorkError, UndefinedError):
            return None
        return Decided(True, "the two are the same, by remainders modulo large primes")

    def _by_digits(self) -> Decided:
        points = len(_SCALES) if self.names else 1
        real: list[tuple[int, Decided]] = []
        others: list[tuple[int, Decided]] = []
        why = "it cannot be decided: a value does not exist, or is too large to be held"
        for number in range(points):
            try:
                compared, is_real = self._at_point(number, FEW_DIGITS)
                if compared.same is None:
                    compared, is_real = self._at_point(number, MANY_DIGITS)
            except (VagueError, UndefinedError):
                continue
            except TooMuchWorkError:
                why = "it cannot be decided: it takes too long"
                break
            if compared.same is False and is_real:
                return compared
            if compared.same is not None:
                (real if is_real else others).append((number, compared))
        used = real if len(real) >= min(2, points) else real + others
        if len(used) < min(2, points):
            return Decided(None, why)
        return next((one for _, one in used if one.same is False), None) or self._confirmed(used[0][0], len(used))

    def _confirmed(self, number: int, points: int) -> Decided:
        """Compare again to many digits, to more where the numbers are so large that these miss their units."""
        places = f" at {points} points" if self.names else ""
        try:
            compared, _ = self._at_point(number, MANY_DIGITS)
            extra = self.magnitude if self.magnitude > MANY_DIGITS // 3 else 0
            if extra > MOST_MAGNITUDE:
                sums = holds(self.reference, _is_sum) or holds(self.answer, _is_sum)
                return Decided(None, "it cannot be decided: the numbers are too large") if sums else compared
            if compared.same and extra:
                compared, _ = self._at_point(number, MANY_DIGITS + extra)
        except (VagueError, UndefinedError, TooMuchWorkError):
            return Decided(True, f"the two agree to {FEW_DIGITS} digits{places}")
        if not compared.same:
            return compared
        return Decided(True, f"the two agree{places}, to {MANY_DIGITS} digits")

    def _at_point(self, number: int, digits: int) -> tuple[Decided, bool]:
        """Compare at one point; say too whether both stayed real there."""
        reals = Reals(digits, self.budget)
        at = self._point(reals, number)
        values, stayed = [], True
        for node in (self.reference, self.answer):
            evaluation = Evaluation(reals, at, self.seed)
            values.append(evaluation(node))
            stayed = stayed and not evaluation.left_reals
        try:
            return self._compared(values[0], values[1], reals), stayed
        except DecimalException:
            raise VagueError from None

    def _point(self, reals: Reals, number: int) -> Mapping[str, Value]:
        at = {}
        low, high = _SCALES[number]
        complex_too = holds(self.reference, _of_complex) or holds(self.answer, _of_complex)
        for name in self.names:
            share = Fraction(drawn(self.seed, number, name), 1 << 60)
            real = reals.rational(low + (high - low) * share)
            turned = Fraction(drawn(self.seed, number, name, "i"), 1 << 60)
            at[name] = Value(real, reals.rational(turned) if complex_too else None)
        return at

    def _compared(self, left: Value, right: Value, reals: Reals) -> Decided:
        plain = reals.context
        least = Decimal((0, (1,), -reals.digits // 3))
        size = max(one.middle.copy_abs() for value in (left, right) for one in value if one is not None)
        self.magnitude = size.adjusted() if size else 0
        for one, other in zip(left, right, strict=True):
            a, b = one or _NOTHING, other or _NOTHING
            apart = plain.subtract(a.middle, b.middle).copy_abs()
            error = plain.add(a.radius, b.radius)
            if apart > error:
                if self._tolerated(left, apart, plain):
                    continue
                return Decided(False, f"{_told(left, right)}{self._where()}")
            if error > plain.multiply(least, size) and error > plain.multiply(least, least):
                return Decided(None, "it cannot be decided: too few digits are sure")
        return Decided(True, "the two agree")

    def _tolerated(self, reference: Value, apart: Decimal, plain: Context) -> bool:
        if self.names or not (self.stated.absolute or self.stated.relative):
            return False
        share = plain.multiply(Decimal(repr(self.stated.relative)), reference.real.middle.copy_abs())
        return apart <= max(Decimal(repr(self.stated.absolute)), share)

    def _where(self) -> str:
        return f", at some {', '.join(self.names[:3])}" if self.names else ""

    def _by_parts(self, found: Decided) -> Decided:
        """Compare powers too large for any number by their logarithms, as far as they are powers."""
        left, right = self.reference, self.answer
        large = [one.op == "pow" and not symbols(one) for one in (left, right)]
        if not all(large) or max(_height(left), _height(right)) > 12:
            return found
        if left.parts[0] == right.parts[0]:
            inner = Pair(left.parts[1], right.parts[1], self.seed, Stated(), self.budget).decide()
        else:
            logs = [both("mul", one.parts[1], call("ln", one.parts[0])) for one in (left, right)]
            inner = Pair(logs[0], logs[1], self.seed, Stated(), self.budget).decide()
        if inner.same is None:
            return found
        return Decided(inner.same, f"their logarithms are {'the same' if inner.same else 'not the same'}")


_NOTHING = Ball(Decimal(0), Decimal(0))


def same_value(reference: Node, answer: Node, seed: str, stated: Stated, budget: list[int] | None = None) -> Decided:
    """Say whether two formulas have the same value.

    A logarithm without a base is natural or decimal, whichever makes the two agree.

    >>> same_value(both("add", num(1), num(2)), num(3), "", Stated()).same
    True
    """
    budget = [MOST_WORK] if budget is None else budget
    if not (holds(reference, _is_bare_log) or holds(answer, _is_bare_log)):
        return Pair(reference, answer, seed, stated, budget).decide()
    found = Decided(None, "")
    for base in (E, num(10)):
        left, right = (_with_base(one, base) for one in (reference, answer))
        found = Pair(left, right, seed, stated, budget).decide()
        if found.same:
            break
    return found


def _is_bare_log(node: Node) -> bool:
    return node.op == "call" and node.name == "log"


def _with_base(node: Node, base: Node) -> Node:
    def made(one: Node) -> Node | None:
        if not _is_bare_log(one):
            return None
        natural = call("ln", *(_with_base(part, base) for part in one.parts))
        return natural if base == E else both("div", natural, call("ln", base))

    return change(node, made)


def _is_drawn(node: Node) -> bool:
    return node.op == "call" and node.name not in KNOWN_TO_BALLS


def _words(node: Node) -> set[str]:
    return {one.name for one in (node, *node.parts) if one.op == "text"}


def _of_complex(node: Node) -> bool:
    return node.op == "call" and node.name in ("conj", "Re", "Im", "arg")


def _height(node: Node) -> int:
    return 1 + max(map(_height, node.parts), default=0)


def _allowed(stated: Stated, size: Fraction) -> Fraction:
    return max(_as_written(stated.absolute), _as_written(stated.relative) * size)


def _as_written(tolerance: float) -> Fraction:
    return Fraction(repr(float(tolerance))) if 0 < tolerance < float("inf") else Fraction(0)


def _is_sum(node: Node) -> bool:
    return node.op in ("add", "neg")


def _shown(value: Rational) -> str:
    bits = max(value[0].bit_length(), value[1].bit_length())
    if bits < 4_000:
        fraction = Fraction(*value)
        if max(fraction.numerator.bit_length(), fraction.denominator.bit_length()) < 60:
            return str(fraction)
        return str(_SHOWN[0].divide(Decimal(fraction.numerator), Decimal(fraction.denominator)))
    return f"a number of {bits * 3 // 10} digits"


def _told(reference: Value, answer: Value) -> str:
    for context in _SHOWN:
        said, wanted = _said(answer, context), _said(reference, context)
        if said != wanted:
            return f"the answer is {said}, not {wanted}"
    return "the two differ after more than 60 digits"


def _said(value: Value, context: Context) -> str:
    real = str(context.plus(value.real.middle))
    return real if value.imaginary is None else f"{real} + {context.plus(value.imaginary.middle)}i"
