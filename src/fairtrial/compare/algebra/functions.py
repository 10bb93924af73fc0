"""The named functions of mathematics on complex numbers to many digits, each by its definition.

Not here: what a formula is made of (`evaluating`), and functions that have no value here: those get a drawn one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from fractions import Fraction

from fairtrial.compare.algebra.balls import ONE, ZERO, Ball, VagueError
from fairtrial.compare.algebra.complexes import HALF, Complexes, Value

Function = Callable[..., Value]


def _real(value: Value) -> Ball:
    if value.imaginary is not None:
        raise VagueError
    return value.real


def _sine_cosine(on: Complexes, value: Value) -> tuple[Value, Value]:
    sine, cosine = on.reals.sine_cosine(value.real)
    if value.imaginary is None:
        return Value(sine), Value(cosine)
    up, down = on.reals.exp(value.imaginary), on.reals.exp(on.reals.negative(value.imaginary))
    reals = on.reals
    high = reals.multiply(reals.add(up, down), HALF)
    low = reals.multiply(reals.subtract(up, down), HALF)
    return (
        Value(reals.multiply(sine, high), reals.multiply(cosine, low)),
        Value(reals.multiply(cosine, high), reals.negative(reals.multiply(sine, low))),
    )


def _hyperbolic(on: Complexes, value: Value) -> tuple[Value, Value]:
    up, down = on.exp(value), on.exp(on.negative(value))
    half = Value(HALF)
    return on.multiply(on.add(up, on.negative(down)), half), on.multiply(on.add(up, down), half)


def _inverse_sine(on: Complexes, value: Value) -> Value:
    rest = on.add(Value(ONE), on.negative(on.multiply(value, value)))
    if value.imaginary is None and (rest.real.middle >= 0 or rest.real.holds_zero):
        below = on.reals.root(rest.real)
        if below.holds_zero:
            quarter = on.reals.multiply(on.reals.pi(), HALF)
            near = quarter if value.real.middle > 0 else on.reals.negative(quarter)
            # The angle differs from a quarter turn by less than twice the root.
            return Value(on.reals.add(near, Ball(Decimal(0), _twice(below))))
        return Value(on.reals.arctangent(on.reals.divide(value.real, below)))
    on.left_reals = on.left_reals or value.imaginary is None
    turned = on.ln(on.add(on.multiply(Value(ZERO, ONE), value), on.root(rest)))
    return on.multiply(Value(ZERO, on.reals.negative(ONE)), turned)


def _twice(ball: Ball) -> Decimal:
    return Context(prec=6).multiply(ball.size, Decimal("2.01"))


def _inverse_cosine(on: Complexes, value: Value) -> Value:
    quarter = Value(on.reals.multiply(on.reals.pi(), HALF))
    return on.add(quarter, on.negative(_inverse_sine(on, value)))


def _inverse_tangent(on: Complexes, value: Value) -> Value:
    if value.imaginary is None:
        return Value(on.reals.arctangent(value.real))
    turned = on.multiply(Value(ZERO, ONE), value)
    less, more = on.add(Value(ONE), on.negative(turned)), on.add(Value(ONE), turned)
    return on.multiply(Value(ZERO, HALF), on.add(on.ln(less), on.negative(on.ln(more))))


def _whole_below(on: Complexes, value: Value) -> Value:
    real = _real(value)
    if real.middle.adjusted() > on.reals.digits:
        raise VagueError
    below = real.middle.to_integral_value("ROUND_FLOOR", on.reals.context)
    on.reals.context.clear_flags()
    gap = on.reals.context.subtract(real.middle, below)
    if real.radius and (gap <= real.radius or on.reals.context.subtract(Decimal(1), gap) <= real.radius):
        raise VagueError
    return Value(Ball(below, Decimal(0)))


def _larger(_: Complexes, *values: Value) -> Value:
    return max(values, key=lambda value: _real(value).middle)


def _smaller(_: Complexes, *values: Value) -> Value:
    return min(values, key=lambda value: _real(value).middle)


def _sign(on: Complexes, value: Value) -> Value:
    real = _real(value)
    if real.is_zero:
        return Value(ZERO)
    if real.holds_zero:
        raise VagueError
    return Value(ONE if real.middle > 0 else on.reals.negative(ONE))


def _factorial(on: Complexes, value: Value) -> Value:
    return Value(on.reals.gamma(on.reals.add(_real(value), ONE)))


def _binomial(on: Complexes, upper: Value, lower: Value) -> Value:
    rest = on.add(upper, on.negative(lower))
    return on.divide(_factorial(on, upper), on.multiply(_factorial(on, lower), _factorial(on, rest)))


def _modulo(on: Complexes, left: Value, right: Value) -> Value:
    turns = _whole_below(on, on.divide(left, right))
    return on.add(left, on.negative(on.multiply(right, turns)))


def _base(base: int) -> Function:
    def logarithm(on: Complexes, value: Value) -> Value:
        return on.divide(on.ln(value), Value(on.reals.ln(on.reals.rational(Fraction(base)))))

    return logarithm


def _over(above: Function, below: Function) -> Function:
    return lambda on, value: on.divide(above(on, value), below(on, value))


def _of_inverse(function: Function) -> Function:
    return lambda on, value: function(on, on.divide(Value(ONE), value))


def _one(*_: object) -> Value:
    return Value(ONE)


def _sine(on: Complexes, value: Value) -> Value:
    return _sine_cosine(on, value)[0]


def _cosine(on: Complexes, value: Value) -> Value:
    return _sine_cosine(on, value)[1]


def _hyperbolic_sine(on: Complexes, value: Value) -> Value:
    return _hyperbolic(on, value)[0]


def _hyperbolic_cosine(on: Complexes, value: Value) -> Value:
    return _hyperbolic(on, value)[1]


def _area_sine(on: Complexes, value: Value) -> Value:
    return on.ln(on.add(value, on.root(on.add(on.multiply(value, value), Value(ONE)))))


def _area_cosine(on: Complexes, value: Value) -> Value:
    minus_one = Value(on.reals.negative(ONE))
    return on.ln(on.add(value, on.multiply(on.root(on.add(value, minus_one)), on.root(on.add(value, Value(ONE))))))


def _area_tangent(on: Complexes, value: Value) -> Value:
    ratio = on.divide(on.add(Value(ONE), value), on.add(Value(ONE), on.negative(value)))
    return on.multiply(Value(HALF), on.ln(ratio))


def _conjugate(on: Complexes, value: Value) -> Value:
    return Value(value.real, value.imaginary and on.reals.negative(value.imaginary))


FUNCTIONS: Mapping[str, Function] = {
    "sin": _sine, "cos": _cosine, "tan": _over(_sine, _cosine), "cot": _over(_cosine, _sine),
    "sec": _over(_one, _cosine), "csc": _over(_one, _sine), "arcsin": _inverse_sine, "arccos": _inverse_cosine,
    "arctan": _inverse_tangent, "arcsec": _of_inverse(_inverse_cosine), "arccsc": _of_inverse(_inverse_sine),
    "arccot": lambda on, value: on.add(
        Value(on.reals.multiply(on.reals.pi(), HALF)), on.negative(_inverse_tangent(on, value))
    ),
    "sinh": _hyperbolic_sine, "cosh": _hyperbolic_cosine, "tanh": _over(_hyperbolic_sine, _hyperbolic_cosine),
    "coth": _over(_hyperbolic_cosine, _hyperbolic_sine), "sech": _over(_one, _hyperbolic_cosine),
    "csch": _over(_one, _hyperbolic_sine), "arcsinh": _area_sine, "arccosh": _area_cosine, "arctanh": _area_tangent,
    "ln": Complexes.ln, "log10": _base(10), "log2": _base(2), "exp": Complexes.exp, "abs": Complexes.absolute,
    "floor": _whole_below,
    "ceil": lambda on, value: on.negative(_whole_below(on, on.negative(value))), "max": _larger, "min": _smaller,
    "sgn": _sign, "factorial": _factorial, "binom": _binomial, "mod": _modulo, "conj": _conjugate,
    "Re": lambda _, value: Value(value.real), "Im": lambda _, value: Value(value.imaginary or ZERO),
    "arg": lambda on, value: Value(on.angle(value)),
}  # fmt: skip
