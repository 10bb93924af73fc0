r"""Read commands of LaTeX: fractions, roots, marks over letters, sums, integrals, matrices.

The middle of `parser.Parser`. Not here: sums that have no index and integrals over no one variable; those stay unread.
"""

from __future__ import annotations

from fairtrial.compare.algebra.operands import Operands, root, written
from fairtrial.compare.algebra.tokens import UnreadableError
from fairtrial.compare.algebra.tree import IMAGINARY, ONE, Node, both, call, num, sym

_FRACTIONS = frozenset(("\\frac", "\\dfrac", "\\tfrac", "\\cfrac", "\\nicefrac", "\\sfrac"))
_BINOMIALS = frozenset(("\\binom", "\\dbinom", "\\tbinom"))
_MARKS = frozenset((
    "\\overline", "\\bar", "\\vec", "\\hat", "\\tilde", "\\widehat", "\\overrightarrow", "\\underline",
    "\\dot", "\\ddot",
    "\\overleftrightarrow", "\\widetilde", "\\mathcal", "\\mathfrak", "\\mathscr",
))  # fmt: skip
_REPEATED = {"\\sum": "sum", "\\prod": "prod"}
_PLAIN_MATRICES = frozenset(("matrix", "pmatrix", "bmatrix", "array", "smallmatrix", "Bmatrix"))
EMPTY_CELL = Node("text")


class Commands(Operands):
    """Reads what begins with a command or an environment."""

    def command(self) -> Node:
        """Read a command of LaTeX with its arguments."""
        name = self.take().text
        if name in _FRACTIONS:
            return both("div", self.argument(), self.argument())
        if name in _BINOMIALS:
            return call("binom", self.argument(), self.argument())
        if name == "\\sqrt":
            degree = num(2)
            if self.takes("open", "["):
                degree = self.total()
                if not self.takes("close", "]"):
                    raise UnreadableError("a root's degree is not closed")
            brace = self.now.text == "{"
            return root(self.argument() if brace else self.operand(), degree)
        if name in _MARKS:
            return _marked(name.removeprefix("\\"), self.argument())
        if name in _REPEATED:
            return self._repeated(_REPEATED[name])
        if name in ("\\int", "\\iint", "\\oint"):
            return self._integral(name.removeprefix("\\"))
        if name in ("\\pmod", "\\pod"):
            raise UnreadableError("a residue")
        if self.now.text == "{":
            raise UnreadableError(f"no command `{name}` is known here")
        return sym(name)

    def _bounds(self) -> tuple[Node | None, Node | None]:
        lower = upper = None
        for _ in range(2):
            if self.takes("op", "_"):
                lower = self.argument()
            elif self.takes("op", "^"):
                upper = self.argument()
        return lower, upper

    def _repeated(self, name: str) -> Node:
        lower, upper = self._bounds()
        body = self._body()
        if lower is None or lower.op != "rel" or lower.name != "=" or upper is None:
            return Node("call", tuple(one for one in (lower, upper, body) if one is not None), f"any {name}")
        index = lower.parts[0]
        bound = sym("i") if index == IMAGINARY else index
        if index == IMAGINARY:
            body = _with_index(body)
        if bound.op != "sym" or len(lower.parts) != 2:
            raise UnreadableError(f"a {name} over no symbol")
        return call(name, bound, lower.parts[1], upper, body)

    def _body(self) -> Node:
        factors = [self.signed()]
        while self.begins_operand() or (self.now.kind == "op" and self.now.text in "*/"):
            divides = self.now.kind == "op" and self.take().text == "/"
            following = self.raised()
            if divides:
                factors[-1] = both("div", factors[-1], following)
            else:
                factors.append(following)
        return factors[0] if len(factors) == 1 else Node("mul", tuple(factors))

    def _integral(self, name: str) -> Node:
        lower, upper = self._bounds()
        body = self._body()
        over = [part for part in body.parts if part.op == "sym" and part.name.startswith("d") and len(part.name) > 1]
        if body.op != "mul" or len(over) != 1:
            raise UnreadableError("an integral over no one variable")
        rest = tuple(part for part in body.parts if part != over[0])
        inner = Node("mul", rest) if rest else ONE
        variable = sym(over[0].name[1:])
        if lower is None or upper is None:
            return call(f"any {name}", variable, inner)
        return call(name, variable, lower, upper, inner)

    def matrix(self) -> Node:
        """Read an environment of rows and columns."""
        self.deeper()
        environment = self.take().text.rstrip("*")
        if environment == "array" and self.now.text == "{":
            while not self.takes("brace", "}"):
                if self.take().kind == "end":
                    raise UnreadableError("an array is not closed")
        rows: list[Node] = []
        while True:
            cells = [self._cell()]
            while self.takes("amp", "&"):
                cells.append(self._cell())
            if cells != [EMPTY_CELL]:
                rows.append(Node("list", tuple(cells), "row"))
            if self.now.kind == "row":
                self.take()
                continue
            if self.take().kind != "finish":
                raise UnreadableError("a matrix is not closed")
            break
        self.depth -= 1
        if environment in ("vmatrix", "Vmatrix"):
            return call("det", Node("matrix", tuple(rows), "matrix"))
        name = "matrix" if environment in _PLAIN_MATRICES else environment
        return Node("matrix", tuple(rows), name)

    def _cell(self) -> Node:
        if self.now.kind in ("amp", "row", "finish"):
            return EMPTY_CELL
        items = self.items()
        return items[0] if len(items) == 1 else Node("list", tuple(items))


def _marked(mark: str, inner: Node) -> Node:
    if mark in ("bar", "overline") and inner.op == "sym" and inner.name in ("z", "w"):
        return call("conj", inner)
    return sym(f"{mark} {written(inner)}")


def _with_index(node: Node) -> Node:
    return sym("i") if node == IMAGINARY else node._replace(parts=tuple(_with_index(part) for part in node.parts))
