"""Read tokens into a tree: brackets, operators, relations, lists. Products without a sign bind like those with one.

So `1/2x` is half of x, as a calculator has it. `3 1/2` is a mixed number; other numbers side by side are refused.
"""

from __future__ import annotations

from fractions import Fraction

from fairtrial.compare.algebra.commands import Commands
from fairtrial.compare.algebra.tokens import UnreadableError, tokens
from fairtrial.compare.algebra.tree import DEGREE, Node, both, call, num, sym

_CLOSES = {"(": (")", "]"), "[": (")", "]"), "\\{": ("\\}", "}"), "<": (">",), "floor": ("floor",), "ceil": ("ceil",)}
_BETWEEN = frozenset(("\\choose", "\\over", "\\pmod", "\\pod"))
_STARTS = frozenset(("num", "sym", "const", "fn", "cmd", "open", "begin"))


def parse(text: str, kind: str = "math", decimal_comma: bool = False) -> Node:
    r"""Return the tree of `text`; several items side by side become a list without brackets.

    `kind` is that of the answer: a comma groups thousands in `math` alone, braces hold a set in `set` and `interval`.

    Raise UnreadableError for what is no mathematics, or more than is read.

    >>> parse("x/2") == parse("\\frac{x}{2}"), parse("1, 2").name, parse("[2,5)").name
    (True, '', '[)')
    """
    reader = Parser(tokens(text, kind != "math", decimal_comma), kind)
    items = reader.items()
    name = "and" if set(reader.separators) == {"and"} else ""
    if reader.now.kind != "end":
        raise UnreadableError(f"`{reader.now.text}` was not expected")
    return items[0] if len(items) == 1 else Node("list", tuple(items), name)


class Parser(Commands):
    """The upper half of the grammar; `Commands` and `Operands` are the lower."""

    def items(self) -> list[Node]:
        """Read items parted by commas, semicolons, `and`, `or`."""
        found, separators = [self._related()], []
        while self.now.kind == "sep":
            while self.now.kind == "sep":
                separators.append(self.take().text)
            if self.now.kind in ("end", "close", "finish") or self.now.text == "}":
                break
            found.append(self._related())
        self.separators = separators
        return found

    def _related(self) -> Node:
        if self.now.kind == "rel" and self.now.text == "=":
            self.take()
        parts, names = [self._united()], []
        while self.now.kind == "rel":
            names.append(self.take().text)
            parts.append(self._united())
        if names and self.now.text in ("\\pmod", "\\pod"):
            self.take()
            names.append("modulo")
            parts.append(self.argument())
        return Node("rel", tuple(parts), " ".join(names)) if names else parts[0]

    def _united(self) -> Node:
        left = self.total()
        while self.now.kind == "setop" or self._letter_for_union():
            token = self.take()
            name = token.text if token.kind == "setop" else "union"
            right = self.total()
            parts = (*left.parts, right) if left.op == "union" == name else (left, right)
            left = Node(name, parts)
        return left

    def _letter_for_union(self) -> bool:
        before = self.tokens[self.at - 1].kind if self.at else ""
        return self.now == ("sym", "U", self.now.spaced, None) and before == "close" and self.after().kind == "open"

    def total(self) -> Node:
        """Read a sum."""
        parts = [self._product()]
        while self.now.kind == "op" and self.now.text in ("+", "-", "+-", "-+"):
            sign = self.take().text
            part = self._product()
            parts.append(_with_sign(sign, part))
        return parts[0] if len(parts) == 1 else Node("add", tuple(parts))

    def _product(self) -> Node:
        factors = [self.signed()]
        while True:
            token = self.now
            if token.kind == "op" and token.text in ("*", "/", ":", "mod"):
                if token.text == ":" and self.depth and self.bars < 0:
                    break
                self.take()
                following = self.signed()
                if token.text == "*":
                    factors.append(following)
                else:
                    left = _times(factors)
                    made = both("div", left, following) if token.text != "mod" else call("mod", left, following)
                    factors = [made]
            elif token.kind in ("text", "unit"):
                return self._measured(_times(factors))
            elif self.begins_operand() and not self._letter_for_union():
                self._beside(factors)
            else:
                return _times(factors)
        return _times(factors)

    def _beside(self, factors: list[Node]) -> None:
        """Read a factor that no sign parts from the one before it: `2x`, `3\\frac{1}{2}`."""
        previous, is_number = factors[-1], self.now.kind == "num"
        if is_number and self.tokens[self.at - 1].kind == "num":
            raise UnreadableError("two numbers stand side by side")
        is_fraction = self.now.kind == "cmd" and self.now.text.endswith("frac")
        following = self.raised()
        if is_fraction and _is_whole(previous) and _is_proper(following):
            factors[-1] = (
                both("add", previous, following)
                if previous.op == "num"
                else both("neg", both("add", previous.parts[0], following))
            )
            return
        factors.append(following)

    def _measured(self, value: Node) -> Node:
        """Read a unit after a value: words, powers of them, slashes between them."""
        words: list[str] = []
        while self.now.kind in ("text", "unit") or (words and self.now.text in ("^", "/", "*")):
            if self.now.text in ("^", "/", "*"):
                sign = self.take().text
                if sign == "^":
                    power = self.exponent()
                    words.append(f"^{Fraction(*power.number)}")
                    continue
                words.append(sign)
                continue
            words.append(self.take().text)
        if self.begins_operand():
            raise UnreadableError("words stand within a formula")
        name = "".join(word if word[0] in "^/*" else f" {word}" for word in words).strip()
        name = name.replace(" ^", "^").casefold()
        if name in ("percent", "per cent", "%"):
            return both("div", value, num(100))
        return Node("unit", (value,), name)

    def signed(self) -> Node:
        """Read a factor with its signs."""
        signs = []
        while self.now.kind == "op" and self.now.text in ("+", "-", "+-", "-+"):
            signs.append(self.take().text)
            if len(signs) > 8:
                raise UnreadableError("more than 8 signs in a row")
        if self.now.kind == "unit" and self.now.text == "$":
            self.take()
            node = Node("unit", (self.raised(),), "$")
        else:
            node = self.raised()
        for sign in reversed(signs):
            node = _with_sign(sign, node)
        return node

    def raised(self) -> Node:
        """Read an operand with what follows it: powers, factorials, per cent, degrees."""
        node = self.operand()
        while self.now.kind == "op":
            sign = self.now.text
            if sign == "^":
                self.take()
                node = self._power(node)
            elif sign == "!":
                self.take()
                node = call("factorial2" if self.takes("op", "!") else "factorial", node)
            elif sign == "%":
                self.take()
                node = both("div", node, num(100))
            elif sign == "°":
                self.take()
                node = both("mul", node, DEGREE)
            else:
                break
        return node

    def _power(self, base: Node) -> Node:
        ahead = [token.text for token in self.tokens[self.at : self.at + 3]]
        if ahead[:1] == ["°"]:
            self.take()
            return both("mul", base, DEGREE)
        if ahead == ["{", "°", "}"]:
            self.at += 3
            return both("mul", base, DEGREE)
        if ahead[:2] == ["{", "'"] or ahead[:1] == ["'"]:
            braces = ahead[0] == "{"
            self.at += braces
            name = base.name
            while self.takes("op", "'"):
                name += "'"
            if base.op != "sym" or (braces and not self.takes("brace", "}")):
                raise UnreadableError("a prime stands on no symbol")
            return sym(name)
        return both("pow", base, self.exponent())

    def begins_operand(self) -> bool:
        """Say whether an operand begins here."""
        token = self.now
        if token.kind in _STARTS:
            return not (self.outward and token.text == "[") and token.text not in _BETWEEN
        if token.kind == "bar":
            return token.text == "|" and self.bars == 0
        return token.kind == "brace" and token.text == "{"

    def bracketed(self) -> Node:
        """Read brackets of any kind, bars of an absolute value, or a group in braces."""
        token = self.now
        if token.kind == "bar" and token.text == "|":
            return self._absolute()
        if token.kind == "close" and token.text == "]":
            self.outward, kept = True, self.outward
            inner = self._list("]", ("[", "]", ")"))
            self.outward = kept
            return inner
        if token.text == "{":
            return self._braces()
        if token.kind != "open":
            raise UnreadableError(f"`{token.text}` stands where a value should" if token.text else "it ends too early")
        if token.text == "|":
            self.deeper()
            self.take()
            inner = self.total()
            if not self.takes("close", "|"):
                raise UnreadableError("a bar is not closed")
            self.depth -= 1
            return call("abs", inner)
        return self._list(token.text, _CLOSES[token.text])

    def _absolute(self) -> Node:
        self.deeper()
        self.take()
        kept, self.bars = self.bars, 1
        inner = self.total()
        self.bars = kept
        if not (self.now.kind == "bar" and self.take()):
            raise UnreadableError("a bar is not closed")
        self.depth -= 1
        return call("abs", inner)

    def _braces(self) -> Node:
        inner = self._list("\\{", ("}", "\\}"))
        if (
            len(inner.parts) == 1
            and inner.op == "list"
            and (self.kind not in ("set", "interval") or self.now.text in ("^", "_"))
        ):
            return inner.parts[0]
        return inner

    def _list(self, opened: str, closes: tuple[str, ...]) -> Node:
        self.deeper()
        self.take()
        kept, self.bars = self.bars, -1 if opened == "\\{" else 0
        # [2,5[ leaves out 5, as [2,5) does.
        kept_outward, self.outward = self.outward, self.outward or (self.kind == "interval" and opened in ("(", "["))
        items = [] if self.now.text in closes else self.items()
        self.outward = kept_outward
        if self.kind == "interval" and len(items) == 2 and self.now.text == "[":
            closes = (*closes, "[")
        builder = None
        if opened == "\\{" and self.now.text in ("|", "mid", ":"):
            self.take()
            builder = Node("list", tuple(self.items()))
        elif self.now.text in _BETWEEN and len(items) == 1:
            divides = self.take().text == "\\over"
            other = self.total()
            items = [both("div", items[0], other) if divides else call("binom", items[0], other)]
        self.bars = kept
        if self.now.text not in closes or self.now.kind not in ("close", "brace", "open"):
            raise UnreadableError("a bracket is not closed")
        closed = self.take().text
        self.depth -= 1
        if builder is not None:
            return Node("builder", (*items, builder))
        return _closed(opened, closed, items)


def _closed(opened: str, closed: str, items: list[Node]) -> Node:
    if opened in ("floor", "ceil") and len(items) == 1:
        return call(opened, items[0])
    opened, closed = opened.removeprefix("\\"), closed.removeprefix("\\")
    if opened == "]":
        name = "(" + {"[": ")", "]": "]", ")": ")"}[closed]
        return Node("list", tuple(items), name)
    name = opened + closed.replace("[", ")")
    if len(items) == 1 and name in ("()", "[]"):
        return items[0]
    return Node("list", tuple(items), name)


def _times(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Node("mul", tuple(factors))


def _with_sign(sign: str, node: Node) -> Node:
    if sign == "-" and node.op == "num":
        return node._replace(number=(-node.number[0], node.number[1]))
    if sign == "+":
        return node
    return both("neg", node) if sign == "-" else Node("pm", (node,), sign)


def _is_whole(node: Node) -> bool:
    inner = node.parts[0] if node.op == "neg" else node
    return inner.op == "num" and inner.number[1] == 1


def _is_proper(node: Node) -> bool:
    if node.op != "div" or any(part.op != "num" or part.number[1] != 1 for part in node.parts):
        return False
    upper, lower = node.parts
    return 0 < upper.number[0] < lower.number[0]
