"""Evaluate a tree at one point to many digits, over the complex numbers.

Functions and operators that are not known get a value drawn from their name and arguments, so that f(2x) is f(x + x)
and nothing else. Not here: which points, and what follows from their values (`deciding`).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal, DecimalException
from fractions import Fraction

from fairtrial.compare.algebra.balls import ONE, ZERO, Ball, Reals, VagueError
from fairtrial.compare.algebra.complexes import Complexes, Value
from fairtrial.compare.algebra.exact import MOST_TERMS, constant, drawn
from fairtrial.compare.algebra.functions import FUNCTIONS
from fairtrial.compare.algebra.tree import DEGREE, IMAGINARY, E, Node, num, substitute, walk

_QUANTUM = Decimal("1e-20")


class Evaluation(Complexes):
    """Evaluates trees at one point to a number of digits."""

    def __init__(self, reals: Reals, at: Mapping[str, Value], seed: str) -> None:
        super().__init__(reals)
        self.at, self.seed = at, seed

    def __call__(self, node: Node) -> Value:
        """Return the value of `node`; raise VagueError, UndefinedError or TooMuchWorkError."""
        try:
            return self._value(node)
        except DecimalException:
            raise VagueError from None

    def _value(self, node: Node) -> Value:
        op, reals = node.op, self.reals
        if op == "num":
            return Value(reals.rational(Fraction(*node.number)))
        if op in ("sym", "text"):
            if node.name not in self.at:
                raise VagueError
            return self.at[node.name]
        if op == "const":
            return self._constant(node)
        if op == "pow":
            return self._power(node)
        if op == "call":
            return self._call(node)
        if op not in ("add", "neg", "mul", "div"):
            raise VagueError
        value = self._value(node.parts[0])
        if op == "neg":
            return self.negative(value)
        for part in node.parts[1:]:
            following = self._value(part)
            value = getattr(self, _OPERATIONS[op])(value, following)
        return value

    def _constant(self, node: Node) -> Value:
        reals = self.reals
        if node == IMAGINARY:
            return Value(ZERO, ONE)
        if node == E:
            return Value(reals.exp(ONE))
        if node.name == "pi":
            return Value(reals.pi())
        if node == DEGREE:
            return Value(reals.divide(reals.pi(), reals.rational(Fraction(180))))
        raise VagueError

    def _power(self, node: Node) -> Value:
        below, above = node.parts
        if below == E:
            return self.exp(self._value(above))
        base, exponent = self._value(below), constant(above, self.reals.budget)
        if exponent is None:
            power = self._value(above)
            if base.real.is_zero and base.imaginary is None:
                raise VagueError
            return self.exp(self.multiply(power, self.ln(base)))
        if exponent == Fraction(1, 2):
            return self.root(base)
        if base.imaginary is None:
            return self.real_power(base.real, exponent)
        if exponent.denominator == 1 and abs(exponent) <= 64:
            return self.whole_power(base, int(exponent))
        return self.exp(self.multiply(Value(self.reals.rational(exponent)), self.ln(base)))

    def _call(self, node: Node) -> Value:
        known = FUNCTIONS.get(node.name)
        if known is not None:
            return known(self, *[self._value(part) for part in node.parts])
        if node.name in ("sum", "prod"):
            return self._repeated(node)
        if node.name in ("int", "any int"):
            return self._over_variable(node)
        exact = constant(node, self.reals.budget)
        if exact is not None:
            return Value(self.reals.rational(exact))
        return self.unknown(node.name, [self._value(part) for part in node.parts])

    def unknown(self, name: str, values: list[Value]) -> Value:
        """Return the value of a function that is not known: drawn from its name and arguments."""
        keys = [_key(ball) for value in values for ball in (value.real, value.imaginary or ZERO)]
        return Value(self.reals.rational(1 + Fraction(drawn(self.seed, name, *keys), 1 << 60)))

    def _repeated(self, node: Node) -> Value:
        index, low, high, body = node.parts
        first, last = constant(low, self.reals.budget), constant(high, self.reals.budget)
        if first is None or last is None or first.denominator * last.denominator != 1 or last - first > MOST_TERMS:
            return self._over_variable(node)
        size = sum(1 for _ in walk(body))
        total = Value(ZERO if node.name == "sum" else ONE)
        for step in range(int(first), int(last) + 1):
            self.reals.pay(size)
            term = self._value(substitute(body, {index.name: num(step)}))
            total = self.add(total, term) if node.name == "sum" else self.multiply(total, term)
        return total

    def _over_variable(self, node: Node) -> Value:
        """Return a drawn value: the variable's name does not count where it is bound."""
        index, *bounds, body = node.parts
        name = index.name if node.name == "any int" else "bound"
        kept = self.at
        self.at = {**kept, index.name: Value(self.reals.rational(1 + Fraction(drawn(self.seed, name), 1 << 60)))}
        inner = self._value(body)
        self.at = kept
        values = [
            Value(self.reals.rational(Fraction(12345 if one.op == "const" else 54321)))
            if "inf" in (one.name, one.parts[0].name if one.parts else "")
            else self._value(one)
            for one in bounds
        ]
        return self.unknown(node.name, [inner, *values])


_OPERATIONS = {"add": "add", "mul": "multiply", "div": "divide"}


def _key(ball: Ball) -> str:
    if ball.middle and ball.middle.adjusted() > 20:
        return str(Context(prec=20).plus(ball.middle))
    return str(ball.middle.quantize(_QUANTUM, ROUND_HALF_EVEN, Context(prec=60)) + 0)
