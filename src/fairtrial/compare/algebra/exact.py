"""Evaluate a tree exactly: over the rationals where numbers stay small, modulo a prime where they do not.

Two rational functions that agree at a point drawn at random from 2^60 are the same but for one chance in 2^50. The
points and primes are drawn from the texts themselves, so no answer can be made for them. Unknown functions get a value
drawn from their name and arguments. Not here: roots that are not whole, pi, e, i, logarithms (`balls`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import blake2b

from fairtrial.compare.algebra.tree import Node

MOST_BITS = 1_000_000
WORK_OF_A_PART = 20_000
MOST_TERMS = 300
"""Terms of a sum or product that are written out."""

Rational = tuple[int, int]
"""Numerator and denominator, not in lowest terms; the denominator is positive."""


class NotRationalError(Exception):
    """The value is not rational, or is not known to be."""


class TooBigError(Exception):
    """The value has more digits than are computed."""


class TooMuchWorkError(Exception):
    """The budget is spent."""


class UndefinedError(Exception):
    """The value does not exist: a division by zero."""


def drawn(*parts: object, bits: int = 60) -> int:
    """Return a whole number of at most `bits` bits that is drawn from `parts`."""
    digest = blake2b("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=32).digest()
    return int.from_bytes(digest, "big") >> (256 - bits)


class Exact:
    """Evaluates trees at one point, paid from a budget of about a microsecond a unit."""

    def __init__(self, at: Mapping[str, Rational], seed: str = "", budget: list[int] | None = None) -> None:
        self.at, self.seed = at, seed
        self.budget = [WORK_OF_A_PART] if budget is None else budget

    def __call__(self, node: Node) -> Rational:
        """Return the value of `node`; raise NotRationalError, TooBigError, TooMuchWorkError or UndefinedError."""
        op = node.op
        if op == "num":
            return node.number
        if op == "sym":
            if node.name not in self.at:
                raise NotRationalError
            return self.at[node.name]
        self.budget[0] -= len(node.parts)
        if self.budget[0] < 0:
            raise TooMuchWorkError
        if op == "add":
            total = self(node.parts[0])
            for part in node.parts[1:]:
                total = self._sum(total, self(part))
            return total
        if op == "neg":
            value = self(node.parts[0])
            return -value[0], value[1]
        if op == "mul":
            product = self(node.parts[0])
            for part in node.parts[1:]:
                product = self._product(product, self(part))
            return product
        if op == "div":
            return self._product(self(node.parts[0]), _inverse(self(node.parts[1])))
        if op == "pow":
            return self._power(self(node.parts[0]), self(node.parts[1]))
        if op == "call":
            return self._call(node)
        raise NotRationalError

    def _spend(self, left: int, right: int) -> None:
        self._pay(left.bit_length(), right.bit_length())

    def _pay(self, left_bits: int, right_bits: int) -> None:
        less, more = min(left_bits, right_bits), max(left_bits, right_bits)
        # Python multiplies in time (more / less) less^1.58; up to some 4,000 bits in more less.
        self.budget[0] -= 1 + (more * less >> 20 if less < 4_096 else int(more * (less >> 12) ** 0.58) >> 8)
        if left_bits + right_bits > MOST_BITS:
            raise TooBigError
        if self.budget[0] < 0:
            raise TooMuchWorkError

    def lowest(self, value: Rational) -> Fraction:
        """Return a value in lowest terms."""
        bits = max(value[0].bit_length(), value[1].bit_length())
        self._pay(bits // 2, 4 * bits)
        return Fraction(*value)

    def _sum(self, left: Rational, right: Rational) -> Rational:
        # Equal denominators are kept as they are: an equation is compared by its numerator.
        if left[1] == right[1]:
            return left[0] + right[0], left[1]
        self._spend(left[0], right[1])
        self._spend(left[1], right[0])
        self._spend(left[1], right[1])
        return left[0] * right[1] + right[0] * left[1], left[1] * right[1]

    def _product(self, left: Rational, right: Rational) -> Rational:
        self._spend(left[0], right[0])
        self._spend(left[1], right[1])
        return left[0] * right[0], left[1] * right[1]

    def equal(self, left: Rational, right: Rational) -> bool:
        """Say whether two values are one."""
        self._spend(left[0], right[1])
        self._spend(right[0], left[1])
        return left[0] * right[1] == right[0] * left[1]

    def _power(self, base: Rational, exponent: Rational) -> Rational:
        power = self.lowest(exponent)
        if base[0] == 0:
            if power <= 0:
                raise UndefinedError
            return 0, 1
        if power < 0:
            base, power = _inverse(base), -power
        if power.denominator > 1:
            base = whole_root(self.lowest(base), power.denominator)
        if abs(base[0]) == base[1]:
            return (base[0] // base[1]) ** (power.numerator % 2), 1
        longest = max(abs(base[0]), base[1]).bit_length()
        if power.numerator * longest > MOST_BITS:
            raise TooBigError
        self._pay(longest * power.numerator // 2, longest * power.numerator // 2)
        return base[0] ** power.numerator, base[1] ** power.numerator

    def _call(self, node: Node) -> Rational:
        name = node.name
        if name in ("sum", "prod"):
            return self._repeated(node)
        if name in KNOWN_TO_BALLS and name not in _EXACT:
            raise NotRationalError
        if name in ("int", "any int"):
            raise NotRationalError
        values = [self.lowest(self(part)) for part in node.parts]
        if name in _EXACT:
            value = _EXACT[name](*values)
            return value.numerator, value.denominator
        return drawn(self.seed, name, *values), 1

    def _repeated(self, node: Node) -> Rational:
        low, high = self(node.parts[1]), self(node.parts[2])
        first, last = self.lowest(low), self.lowest(high)
        if first.denominator != 1 or last.denominator != 1 or last - first > MOST_TERMS:
            at = {**self.at, node.parts[0].name: (drawn(self.seed, "bound"), 1)}
            body = self.lowest(Exact(at, self.seed, self.budget)(node.parts[3]))
            return drawn(self.seed, node.name, first, last, body), 1
        total: Rational = (0, 1) if node.name == "sum" else (1, 1)
        inner = Exact({**self.at}, self.seed, self.budget)
        for index in range(int(first), int(last) + 1):
            inner.at = {**self.at, node.parts[0].name: (index, 1)}
            self.budget[0] -= 10
            term = inner(node.parts[3])
            total = inner._sum(total, term) if node.name == "sum" else inner._product(total, term)
        return total


def _inverse(value: Rational) -> Rational:
    if value[0] == 0:
        raise UndefinedError
    return (value[1], value[0]) if value[0] > 0 else (-value[1], -value[0])


def whole_root(fraction: Fraction, degree: int) -> Rational:
    """Return the root of a number where it is rational; odd roots of negative numbers are negative."""
    if fraction < 0 and degree % 2 == 0:
        raise NotRationalError
    sign = -1 if fraction < 0 else 1
    upper, lower = (_root(abs(part), degree) for part in (fraction.numerator, fraction.denominator))
    return sign * upper, lower


def _root(value: int, degree: int) -> int:
    """Return the whole root of a whole number, by Newton's steps."""
    if value in (0, 1):
        return value
    if degree > value.bit_length() or value.bit_length() > 20_000:
        raise NotRationalError
    if degree == 2:
        near = math.isqrt(value)
    else:
        near = 1 << (value.bit_length() // degree + 1)
        while True:
            step = ((degree - 1) * near + value // near ** (degree - 1)) // degree
            if step >= near:
                break
            near = step
    if near**degree != value:
        raise NotRationalError
    return near


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise NotRationalError
    return value.numerator


def _factorial(value: Fraction) -> Fraction:
    n = _whole(value)
    if n < 0:
        raise UndefinedError
    if n > 5_000:
        raise NotRationalError if n > 1_000_000 else TooBigError
    return Fraction(math.factorial(n))


def _double_factorial(value: Fraction) -> Fraction:
    n = _whole(value)
    if not -1 <= n <= 5_000:
        raise TooBigError
    return Fraction(math.prod(range(n, 0, -2)))


def _binomial(upper: Fraction, lower: Fraction) -> Fraction:
    k = _whole(lower)
    if upper.denominator == 1 and 0 <= upper - k < k:
        k = int(upper) - k
    if k < 0:
        return Fraction(0)
    if k > 2_000:
        raise NotRationalError
    return Fraction(math.prod(upper - step for step in range(k)), math.factorial(k))


def _modulo(left: Fraction, right: Fraction) -> Fraction:
    if right == 0:
        raise UndefinedError
    return left % right


_EXACT: Mapping[str, Callable[..., Fraction]] = {
    "abs": abs, "floor": lambda x: Fraction(math.floor(x)), "ceil": lambda x: Fraction(math.ceil(x)),
    "factorial": _factorial, "factorial2": _double_factorial, "binom": _binomial, "mod": _modulo,
    "gcd": lambda *all_: Fraction(math.gcd(*map(_whole, all_))),
    "lcm": lambda *all_: Fraction(math.lcm(*map(_whole, all_))), "max": lambda *all_: max(all_),
    "min": lambda *all_: min(all_),
    "sgn": lambda x: Fraction((x > 0) - (x < 0)),
}  # fmt: skip
KNOWN_TO_BALLS = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "arccot", "arcsec", "arccsc", "sinh",
    "cosh", "tanh", "coth", "sech", "csch", "arcsinh", "arccosh", "arctanh", "ln", "log", "log10", "log2", "exp", "abs",
    "floor", "ceil", "factorial", "binom", "mod", "max", "min", "sgn", "conj", "Re", "Im", "arg",
))  # fmt: skip


def residue(node: Node, at: Mapping[str, int], prime: int, budget: list[int]) -> int:
    """Return the value of a rational function modulo `prime`, with exact exponents.

    Raise NotRationalError or UndefinedError.
    """
    if node.op == "num":
        return node.number[0] * _inverse_modulo(node.number[1], prime) % prime
    if node.op == "sym" and node.name in at:
        return at[node.name]
    if node.op == "pow":
        upper, lower = Exact({}, "", budget)(node.parts[1])
        if upper % lower:
            raise NotRationalError
        base = residue(node.parts[0], at, prime, budget)
        if upper < 0:
            base = _inverse_modulo(base, prime)
        return pow(base, abs(upper // lower), prime)
    if node.op not in ("add", "neg", "mul", "div"):
        value = Exact({}, "", budget)(node)
        return value[0] * _inverse_modulo(value[1], prime) % prime
    parts = [residue(part, at, prime, budget) for part in node.parts]
    if node.op == "add":
        return sum(parts) % prime
    if node.op == "neg":
        return -parts[0] % prime
    if node.op == "div":
        return parts[0] * _inverse_modulo(parts[1], prime) % prime
    product = 1
    for part in parts:
        product = product * part % prime
    return product


def _inverse_modulo(value: int, prime: int) -> int:
    if value % prime == 0:
        raise UndefinedError
    return pow(value, -1, prime)


def prime_from(seed: str) -> int:
    """Return a prime of 126 bits that is drawn from `seed`.

    >>> prime_from("x").bit_length() <= 127
    True
    """
    candidate = drawn(seed, "prime", bits=126) | (1 << 125) | 1
    while not _is_prime(candidate):
        candidate += 2
    return candidate


def _is_prime(value: int) -> bool:
    """Say whether an odd number of 126 bits is prime, by Miller and Rabin's test to 12 bases."""
    if any(value % small == 0 for small in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)):
        return False
    odd, twos = value - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, odd, value)
        if x not in (1, value - 1) and all((x := x * x % value) != value - 1 for _ in range(twos - 1)):
            return False
    return True


def constant(node: Node, budget: list[int] | None = None) -> Fraction | None:
    """Return the value of a node without symbols where it is rational and not too large, else None.

    >>> constant(Node("neg", (Node("num", (), "", (1, 2)),))), constant(Node("sym", (), "x"))
    (Fraction(-1, 2), None)
    """
    try:
        exact = Exact({}, "", budget)
        return exact.lowest(exact(node))
    except (NotRationalError, TooBigError, TooMuchWorkError, UndefinedError):
        return None
