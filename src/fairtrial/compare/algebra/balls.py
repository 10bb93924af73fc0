"""Real numbers to many digits with a bound on the error: a middle and a radius, by the standard library's decimal.

Middles have `digits` digits and exponents up to 10^18; radii are always rounded up. Each operation is paid from a
budget, so that no formula takes longer than its share, on any machine. Not here: complex values (`complexes`).
"""

from __future__ import annotations

from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_DOWN,
    ROUND_HALF_EVEN,
    ROUND_UP,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
    Underflow,
)
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from fairtrial.compare.algebra.exact import TooMuchWorkError, UndefinedError

_TRAPS = [Overflow, Underflow, InvalidOperation, DivisionByZero]
_UP = Context(prec=6, rounding=ROUND_UP, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Overflow, InvalidOperation])
_DOWN = Context(prec=6, rounding=ROUND_DOWN, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Overflow, InvalidOperation])
# Only methods of our own contexts are used: operators would round to those of the calling thread.
_ZERO, _ONE, _TWO, _HALF = Decimal(0), Decimal(1), Decimal(2), Decimal("0.5")


class VagueError(Exception):
    """The error is too large to say more, or the number too large to be held."""


class Ball(NamedTuple):
    """A number between `middle` - `radius` and `middle` + `radius`."""

    middle: Decimal
    radius: Decimal

    @property
    def is_zero(self) -> bool:
        """Exactly zero."""
        return not self.middle and not self.radius

    @property
    def holds_zero(self) -> bool:
        """Perhaps zero."""
        return self.middle.copy_abs() <= self.radius

    @property
    def size(self) -> Decimal:
        """The largest absolute value within."""
        return _UP.add(self.middle.copy_abs(), self.radius)


ZERO, ONE = Ball(_ZERO, _ZERO), Ball(_ONE, _ZERO)


class Reals:
    """Arithmetic to `digits` digits, paid from a budget of about a microsecond a unit."""

    def __init__(self, digits: int, budget: list[int]) -> None:
        self.digits, self.budget = digits, budget
        self.context = Context(prec=digits + 12, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=_TRAPS)
        self.unit = Decimal((0, (1,), -digits - 11))
        self.least, self.loose = Decimal((0, (1,), -digits - 13)), Decimal((0, (1,), -digits - 8))
        self.price = max(1, digits * digits // 2_500)

    def spend(self, units: int) -> None:
        """Pay; raise TooMuchWorkError where nothing is left."""
        self.pay(units if units < 5 else units * self.price)

    def pay(self, units: int) -> None:
        """Pay for work that does not grow with the digits."""
        self.budget[0] -= units
        if self.budget[0] < 0:
            raise TooMuchWorkError

    def _rounded(self, middle: Decimal, radius: Decimal) -> Ball:
        flags = self.context.flags
        if flags[Inexact]:
            flags[Inexact] = False
            radius = _UP.fma(middle.copy_abs(), self.unit, radius)
        return Ball(middle, radius)

    def rational(self, value: Fraction) -> Ball:
        """Return a fraction as a ball."""
        self.spend(2 + value.numerator.bit_length() // 500 + value.denominator.bit_length() // 500)
        upper, lower = Decimal(value.numerator), Decimal(value.denominator)
        return self._rounded(self.context.divide(upper, lower), _ZERO)

    def add(self, left: Ball, right: Ball) -> Ball:
        """Return the sum."""
        self.spend(1)
        return self._rounded(self.context.add(left.middle, right.middle), _UP.add(left.radius, right.radius))

    def negative(self, value: Ball) -> Ball:
        """Return minus `value`."""
        return Ball(value.middle.copy_negate(), value.radius)

    def subtract(self, left: Ball, right: Ball) -> Ball:
        """Return the difference."""
        return self.add(left, self.negative(right))

    def multiply(self, left: Ball, right: Ball) -> Ball:
        """Return the product."""
        self.spend(1)
        radius = _ZERO
        if left.radius or right.radius:
            radius = _UP.multiply(left.middle.copy_abs(), right.radius)
            radius = _UP.add(radius, _UP.multiply(left.radius, right.size))
        return self._rounded(self.context.multiply(left.middle, right.middle), radius)

    def divide(self, left: Ball, right: Ball) -> Ball:
        """Return the quotient; raise UndefinedError for an exact zero below, VagueError for a possible one."""
        self.spend(2)
        if right.is_zero:
            raise UndefinedError
        if right.holds_zero:
            raise VagueError
        middle = self.context.divide(left.middle, right.middle)
        radius = _ZERO
        if left.radius or right.radius:
            # |a/b - a'/b'| <= (ra + |a/b| rb) / (|b| - rb), and the last is at least half of |b| or of what is left.
            above = _UP.fma(middle.copy_abs(), right.radius, left.radius)
            below = _DOWN.subtract(_DOWN.plus(right.middle.copy_abs()), right.radius)
            if below <= 0:
                raise VagueError
            radius = _UP.divide(above, below)
        return self._rounded(middle, radius)

    def root(self, value: Ball) -> Ball:
        """Return the square root of what is not negative; a ball around zero gives one around zero."""
        self.spend(3)
        if value.middle <= value.radius:
            if value.is_zero:
                return value
            return Ball(_ZERO, _UP.sqrt(value.size))
        middle = self.context.sqrt(value.middle)
        return self._rounded(middle, _UP.divide(value.radius, middle))

    def exp(self, value: Ball) -> Ball:
        """Return e to the power of `value`."""
        self.spend(20)
        if value.radius > _HALF:
            raise VagueError
        middle = self.context.exp(value.middle)
        return self._rounded(middle, _UP.multiply(_UP.multiply(middle, _TWO), value.radius))

    def ln(self, value: Ball) -> Ball:
        """Return the natural logarithm of what is above zero."""
        self.spend(45)
        if value.middle <= _UP.multiply(value.radius, _TWO):
            raise VagueError
        middle = self.context.ln(value.middle)
        return self._rounded(middle, _UP.divide(_UP.multiply(value.radius, _TWO), value.middle))

    def pi(self) -> Ball:
        """Return pi."""
        return Ball(_pi(self.context.prec), self.loose)

    def sine_cosine(self, value: Ball) -> tuple[Ball, Ball]:
        """Return sine and cosine."""
        self.spend(60)
        magnitude = value.middle.adjusted() if value.middle else 0
        if magnitude > 200 or value.radius > _HALF:
            raise VagueError
        wide = Context(prec=self.context.prec + max(0, magnitude) + 4, traps=_TRAPS)
        quarter = wide.multiply(_pi(wide.prec), _HALF)
        turns = int(wide.divide(value.middle, quarter).to_integral_value(ROUND_HALF_EVEN, wide))
        rest = self.context.plus(wide.subtract(value.middle, wide.multiply(quarter, Decimal(turns))))
        sine, cosine = self._series(rest)
        radius = _UP.add(value.radius, self.loose)
        for _ in range(turns % 4):
            sine, cosine = cosine, sine.copy_negate()
        self.context.flags[Inexact] = False
        return Ball(sine, radius), Ball(cosine, radius)

    def _series(self, angle: Decimal) -> tuple[Decimal, Decimal]:
        context, least = self.context, self.least
        square, sums = context.multiply(angle, angle), []
        for term, step in ((angle, 2), (_ONE, 1)):
            total = term
            while term.copy_abs() > least:
                term = context.divide(context.multiply(term, square), Decimal(-step * (step + 1)))
                total = context.add(total, term)
                step += 2
            sums.append(total)
        return sums[0], sums[1]

    def arctangent(self, value: Ball) -> Ball:
        """Return the angle whose tangent is `value`."""
        self.spend(40)
        context = self.context
        middle, is_steep = value.middle, value.middle.copy_abs() > 1
        if is_steep:
            middle = context.divide(_ONE, middle)
        for _ in range(4):
            below = context.add(_ONE, context.sqrt(context.add(_ONE, context.multiply(middle, middle))))
            middle = context.divide(middle, below)
        square, total, power, odd = context.multiply(middle, middle), middle, middle, 1
        while power.copy_abs() > self.least:
            power = context.multiply(power, square).copy_negate()
            odd += 2
            total = context.add(total, context.divide(power, Decimal(odd)))
        total = context.multiply(total, Decimal(16))
        if is_steep:
            half = context.multiply(_pi(context.prec), _HALF)
            total = context.subtract(half if value.middle > 0 else half.copy_negate(), total)
        context.flags[Inexact] = False
        return Ball(total, _UP.add(value.radius, self.loose))

    def gamma(self, value: Ball) -> Ball:
        """Return the gamma function, by Stirling's series after a shift; by reflection below a half."""
        if value.middle < _HALF:
            if value.middle == value.middle.to_integral_value(ROUND_HALF_EVEN, self.context) and not value.radius:
                raise UndefinedError
            sine, _ = self.sine_cosine(self.multiply(self.pi(), value))
            other = self.gamma(self.subtract(ONE, value))
            return self.divide(self.pi(), self.multiply(sine, other))
        product, shifted = ONE, value
        while shifted.middle < self.digits:
            product = self.multiply(product, shifted)
            shifted = self.add(shifted, ONE)
        whole = self.exp(self._stirling(shifted))
        return self.divide(whole, product)

    def _stirling(self, value: Ball) -> Ball:
        """Return ln gamma of a number above `digits`.

        It is (x - 1/2) ln x - x + ln(2 pi)/2 + B_2/(2 x) + B_4/(12 x^3) + …, B_2k/(2k (2k-1) x^(2k-1)).
        """
        half = Ball(_HALF, _ZERO)
        total = self.multiply(self.subtract(value, half), self.ln(value))
        total = self.subtract(total, value)
        total = self.add(total, self.multiply(half, self.ln(self.multiply(Ball(_TWO, _ZERO), self.pi()))))
        power, square, least = value, self.multiply(value, value), self.unit
        for k, bernoulli in enumerate(_bernoulli(self.digits // 2 + 8), 1):
            term = self.divide(self.rational(bernoulli / (2 * k * (2 * k - 1))), power)
            total = self.add(total, term)
            if term.middle.copy_abs() < least:
                return Ball(total.middle, _UP.add(total.radius, _UP.multiply(least, _TWO)))
            power = self.multiply(power, square)
        raise VagueError


@cache
def _pi(digits: int) -> Decimal:
    """Return pi by Machin's formula in whole numbers."""
    one = 10 ** (digits + 10)

    def arctangent_of_inverse(n: int) -> int:
        total: int = one // n
        power = total
        step = 1
        while power:
            power //= -n * n
            step += 2
            total += power // step
        return total

    scaled = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN).scaleb(Decimal(scaled), -digits - 10)


@cache
def _bernoulli(count: int) -> tuple[Fraction, ...]:
    """Return the Bernoulli numbers of even index from B_2 on, through the tangent numbers."""
    tangent = [0] * (count + 1)
    tangent[1] = 1
    for k in range(2, count + 1):
        tangent[k] = (k - 1) * tangent[k - 1]
    for k in range(2, count + 1):
        for j in range(k, count + 1):
            tangent[j] = (j - k) * tangent[j - 1] + (j - k + 2) * tangent[j]
    return tuple(
        Fraction((-1) ** (k - 1) * 2 * k * tangent[k], (1 << 2 * k) * ((1 << 2 * k) - 1)) for k in range(1, count + 1)
    )
