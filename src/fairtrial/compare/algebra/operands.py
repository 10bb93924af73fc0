r"""Read what stands between operators: numbers, symbols with marks, functions, `\frac` and its kin, sums, matrices.

`Operands` is the lower half of `parser.Parser`. Not here: brackets, operators, lists.
"""

from __future__ import annotations

from fractions import Fraction

from fairtrial.compare.algebra.tokens import Token, UnreadableError
from fairtrial.compare.algebra.tree import IMAGINARY, INFINITY, ONE, PI, E, Node, both, call, num, sym

MOST_DEPTH = 30
APPLIED = frozenset("fghFGH")
"""A letter that is a function where a parenthesis follows; any other such letter is a factor."""
_CONSTANTS = {"pi": PI, "e": E, "i": IMAGINARY, "inf": INFINITY, "empty": Node("list", (), "{}")}


class Operands:
    """A place in a list of tokens, and what reads one operand there."""

    def __init__(self, tokens: list[Token], kind: str = "math") -> None:
        self.tokens, self.kind = tokens, kind
        self.separators: list[str] = []
        """What parted the items read last."""
        self.at, self.depth, self.bars, self.outward = 0, 0, 0, False

    @property
    def now(self) -> Token:
        """The token at this place."""
        return self.tokens[self.at]

    def after(self, steps: int = 1) -> Token:
        """Return a token further on."""
        return self.tokens[min(self.at + steps, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Return the token at this place and step over it."""
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def takes(self, kind: str, text: str) -> bool:
        """Step over the token if it is this one."""
        found = self.now.kind == kind and self.now.text == text
        self.at += found
        return found

    def deeper(self) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise UnreadableError(f"nested more than {MOST_DEPTH} deep")

    # The upper half.
    def items(self) -> list[Node]:
        """Read items parted by commas and words."""
        raise NotImplementedError

    def total(self) -> Node:
        """Read a sum."""
        raise NotImplementedError

    def signed(self) -> Node:
        """Read a factor with its sign."""
        raise NotImplementedError

    def bracketed(self) -> Node:
        """Read what stands in brackets."""
        raise NotImplementedError

    def raised(self) -> Node:
        """Read an operand with its powers."""
        raise NotImplementedError

    def begins_operand(self) -> bool:
        """Say whether an operand begins here."""
        raise NotImplementedError

    def command(self) -> Node:
        """Read a command of LaTeX with its arguments."""
        raise NotImplementedError

    def matrix(self) -> Node:
        """Read an environment of rows and columns."""
        raise NotImplementedError

    def operand(self) -> Node:
        """Read one operand."""
        token = self.now
        if token.kind == "num":
            return self._numeral()
        if token.kind in ("sym", "const"):
            return self._symbol()
        if token.kind == "fn":
            return self._function()
        if token.kind == "cmd":
            return self.command()
        if token.kind == "text":
            return self._text()
        if token.kind == "begin":
            return self.matrix()
        if token.kind == "dots":
            self.take()
            return sym("...")
        return self.bracketed()

    def argument(self) -> Node:
        """Read the argument of a command: a group in braces, else one sign."""
        if self.now.text == "{":
            self.deeper()
            self.take()
            items = self.items()
            if not self.takes("brace", "}") or len(items) != 1:
                raise UnreadableError("a brace is not closed")
            self.depth -= 1
            return items[0]
        token = self.now
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            # \frac12 is a half: TeX takes one digit.
            rest = token.text[1:]
            self.tokens[self.at] = Token("num", rest, False, num_value(rest))
            return num(int(token.text[0]))
        self.deeper()
        read = self._plain_argument()
        self.depth -= 1
        return read

    def _plain_argument(self) -> Node:
        if self.now.kind in ("sym", "const"):
            return _named(self.take())
        return self.operand()

    def exponent(self) -> Node:
        """Read an exponent: a group in braces, else a signed factor with powers of its own."""
        if self.now.text == "{":
            return self.argument()
        self.deeper()
        read = self.signed()
        self.depth -= 1
        return read

    def _numeral(self) -> Node:
        token = self.take()
        assert token.number is not None
        value = token.number
        if self.takes("op", "_"):
            base = self.argument()
            return num(_in_base(token.text, base))
        upper, slash, lower = self.now, self.after(1), self.after(2)
        if (
            upper.kind == "num" and upper.spaced and slash.text == "/" and lower.kind == "num"
            and upper.number and lower.number and value.denominator == 1 and upper.number < lower.number
            and "." not in upper.text + lower.text
        ):  # fmt: skip
            self.at += 3
            value += upper.number / lower.number
        return num(value)

    def _symbol(self) -> Node:
        token = self.take()
        node = _named(token)
        subscripted = False
        if token.kind == "sym" and self.now.kind == "num" and not self.now.spaced and self.now.text.isdigit():
            node, subscripted = sym(f"{token.text}_{self.take().text}"), True
        if self.now.text == "_" and self.now.kind == "op":
            self.take()
            node, subscripted = sym(f"{token.text}_{written(self.argument())}"), True
        while self.now.kind == "op" and self.now.text == "'":
            self.take()
            node = sym((node.name or token.text) + "'")
        inverse = [one.text for one in self.tokens[self.at : self.at + 5]] == ["^", "{", "-", "1", "}"]
        name = node.name
        if node.op == "sym" and name[:1] in APPLIED and not subscripted and name.rstrip("'") in APPLIED:
            if inverse and self.after(5).text == "(":
                self.at += 5
                name += "^-1"
            if self.now.text == "(":
                return Node("call", tuple(self._arguments()), name)
        return node

    def _arguments(self) -> list[Node]:
        self.deeper()
        self.take()
        items = self.items()
        if not self.takes("close", ")"):
            raise UnreadableError("a parenthesis is not closed")
        self.depth -= 1
        return items

    def _text(self) -> Node:
        words = [self.take().text]
        while self.now.kind == "text":
            words.append(self.take().text)
        return Node("text", (), " ".join(" ".join(words).casefold().split()))

    def _function(self) -> Node:
        name = self.take().text
        if name == "sqrt" or name == "cbrt":
            inner = self.argument() if self.now.text == "{" else self.operand()
            return root(inner, num(2 if name == "sqrt" else 3))
        base = self.argument() if self.takes("op", "_") else None
        power = self.exponent() if self.takes("op", "^") else None
        is_based = self.now.text in ("2", "10") and not self.now.spaced and self.after().text == "("
        if name == "log" and base is None and is_based:
            name += self.take().text
        parts = self._operands_of_function()
        if not _ARITY.get(name, 1) <= len(parts) <= (2 if name in _ARITY else 1) and name not in _MANY:
            name = f"{name} of {len(parts)}"
        if base is not None and name == "log":
            applied = both("div", call("ln", *parts), call("ln", base))
        elif base is not None:
            applied = Node("call", (base, *parts), name + "_")
        else:
            applied = Node("call", tuple(parts), name)
        if power is None:
            return applied
        if power == num(-1) and len(parts) == 1 and base is None:
            return Node("call", tuple(parts), f"arc{name}" if name in _INVERTIBLE else f"{name}^-1")
        return both("pow", applied, power)

    def _operands_of_function(self) -> list[Node]:
        if self.now.text == "(" and self.now.kind == "open":
            return self._arguments()
        self.deeper()
        if self.now.text in ("-", "+") and self.now.kind == "op":
            inner = self.signed()
        else:
            factors = [self.raised()]
            while self.begins_operand() and self.now.kind not in ("fn", "text", "unit"):
                if self.now.kind == "open" and factors[-1].op != "num":
                    break
                factors.append(self.raised())
            inner = factors[0] if len(factors) == 1 else Node("mul", tuple(factors))
        self.depth -= 1
        return [inner]


_ARITY = {"binom": 2, "mod": 2}
_MANY = frozenset(("gcd", "lcm", "max", "min", "P"))
_INVERTIBLE = frozenset(["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh"])


def num_value(digits: str) -> Fraction:
    """Return the number of some digits."""
    return Fraction(int(digits))


def root(inner: Node, degree: Node) -> Node:
    """Return the root of `inner` as a power."""
    return both("pow", inner, both("div", ONE, degree) if degree.op != "num" else num(1 / Fraction(*degree.number)))


def written(node: Node) -> str:
    """Return a node in words, for the name of a symbol with it as its subscript."""
    if node.op == "num":
        return str(Fraction(*node.number))
    inside = ",".join(written(part) for part in node.parts)
    return f"{node.name}({node.op}:{inside})" if node.parts else node.name


def _named(token: Token) -> Node:
    return _CONSTANTS[token.text] if token.kind == "const" else sym(token.text)


def _in_base(digits: str, base: Node) -> Fraction:
    value, lowest = Fraction(*base.number), base.op == "num"
    if not lowest or value.denominator != 1 or not 2 <= value <= 36 or not digits.isdigit():
        raise UnreadableError(f"`{digits[:40]}` in no base")
    if any(int(digit) >= value for digit in digits) or len(digits) > 1_000:
        raise UnreadableError(f"`{digits[:40]}` is no number in base {value}")
    return Fraction(int(digits, int(value)))
