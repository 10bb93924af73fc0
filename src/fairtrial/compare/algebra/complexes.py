"""Complex numbers to many digits: pairs of balls, where what is real stays real.

School's conventions: an odd root of a negative number is the negative root; other powers and logarithms are principal.
Whether a real value led out of the reals is remembered (`left_reals`), so that formulas can be compared where both are
real. Not here: the named functions (`functions`).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from fairtrial.compare.algebra.balls import ONE, ZERO, Ball, Reals, VagueError

HALF = Ball(Decimal("0.5"), Decimal(0))


class Value(NamedTuple):
    """A complex number; `imaginary` is None where it is real."""

    real: Ball
    imaginary: Ball | None = None


class Complexes:
    """Arithmetic and powers on the arithmetic of `reals`."""

    def __init__(self, reals: Reals) -> None:
        self.reals = reals
        self.left_reals = False

    def add(self, left: Value, right: Value) -> Value:
        """Return the sum."""
        imaginary = left.imaginary or right.imaginary
        if left.imaginary and right.imaginary:
            imaginary = self.reals.add(left.imaginary, right.imaginary)
        return _tidy(self.reals.add(left.real, right.real), imaginary)

    def negative(self, value: Value) -> Value:
        """Return minus `value`."""
        return Value(self.reals.negative(value.real), value.imaginary and self.reals.negative(value.imaginary))

    def multiply(self, left: Value, right: Value) -> Value:
        """Return the product."""
        reals, (a, b), (c, d) = self.reals, left, right
        if b is None and d is None:
            return Value(reals.multiply(a, c))
        b, d = b or ZERO, d or ZERO
        return _tidy(
            reals.subtract(reals.multiply(a, c), reals.multiply(b, d)),
            reals.add(reals.multiply(a, d), reals.multiply(b, c)),
        )

    def divide(self, left: Value, right: Value) -> Value:
        """Return the quotient."""
        reals, (c, d) = self.reals, right
        if d is None:
            return Value(reals.divide(left.real, c), left.imaginary and reals.divide(left.imaginary, c))
        size = reals.add(reals.multiply(c, c), reals.multiply(d, d))
        upper = self.multiply(left, Value(c, reals.negative(d)))
        return Value(reals.divide(upper.real, size), upper.imaginary and reals.divide(upper.imaginary, size))

    def absolute(self, value: Value) -> Value:
        """Return the absolute value."""
        if value.imaginary is None:
            real = value.real
            return Value(real if real.middle >= 0 else self.reals.negative(real))
        return Value(self._length(value))

    def _length(self, value: Value) -> Ball:
        reals, imaginary = self.reals, value.imaginary or ZERO
        return reals.root(reals.add(reals.multiply(value.real, value.real), reals.multiply(imaginary, imaginary)))

    def angle(self, value: Value) -> Ball:
        """Return the argument, between -pi and pi; raise VagueError where it jumps."""
        reals, (real, imaginary) = self.reals, value
        if imaginary is None or imaginary.is_zero:
            if real.holds_zero:
                raise VagueError
            return ZERO if real.middle > 0 else reals.pi()
        if not real.holds_zero and real.middle > 0:
            return reals.arctangent(reals.divide(imaginary, real))
        if imaginary.holds_zero:
            raise VagueError
        quarter = reals.multiply(reals.pi(), HALF)
        turned = reals.arctangent(reals.divide(real, imaginary))
        return reals.subtract(quarter if imaginary.middle > 0 else reals.negative(quarter), turned)

    def exp(self, value: Value) -> Value:
        """Return e to a power."""
        size = self.reals.exp(value.real)
        if value.imaginary is None:
            return Value(size)
        sine, cosine = self.reals.sine_cosine(value.imaginary)
        return Value(self.reals.multiply(size, cosine), self.reals.multiply(size, sine))

    def ln(self, value: Value) -> Value:
        """Return the principal logarithm."""
        if value.imaginary is None and value.real.middle > 0:
            return Value(self.reals.ln(value.real))
        if value.imaginary is None:
            self.left_reals = True
        return Value(self.reals.ln(self._length(value)), self.angle(value))

    def root(self, value: Value) -> Value:
        """Return the principal square root."""
        reals = self.reals
        if value.imaginary is None:
            if value.real.middle >= 0 or value.real.holds_zero:
                return Value(reals.root(value.real))
            self.left_reals = True
            return Value(ZERO, reals.root(reals.negative(value.real)))
        return self.exp(self.multiply(self.ln(value), Value(HALF)))

    def real_power(self, base: Ball, exponent: Fraction) -> Value:
        """Return a rational power of a real number."""
        if exponent.denominator == 1 and abs(exponent) <= 64:
            return self.whole_power(Value(base), int(exponent))
        if base.is_zero and exponent > 0:
            return Value(ZERO)
        reals, is_negative = self.reals, base.middle < 0
        size = reals.ln(reals.negative(base) if is_negative else base)
        raised = reals.exp(reals.multiply(reals.rational(exponent), size))
        if not is_negative:
            return Value(raised)
        if exponent.denominator % 2:
            return Value(reals.negative(raised) if exponent.numerator % 2 else raised)
        self.left_reals = True
        sine, cosine = reals.sine_cosine(reals.multiply(reals.pi(), reals.rational(exponent % 2)))
        return Value(reals.multiply(raised, cosine), reals.multiply(raised, sine))

    def whole_power(self, base: Value, exponent: int) -> Value:
        """Return a whole power."""
        product = Value(ONE)
        for bit in bin(abs(exponent))[2:]:
            product = self.multiply(product, product)
            if bit == "1":
                product = self.multiply(product, base)
        return self.divide(Value(ONE), product) if exponent < 0 else product


def _tidy(real: Ball, imaginary: Ball | None) -> Value:
    return Value(real, None if imaginary is not None and imaginary.is_zero else imaginary)
