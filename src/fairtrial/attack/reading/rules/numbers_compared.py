"""Rules on comparison of numbers: NaN, wide tolerances, rounding and truncation, exact equality of floats."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, argument, constant, dotted, gives_verdict, number
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.sources import Sources

WIDE = 0.05
_RELATIVE = ("rel_tol", "rtol", "rel")
_GUARDS = re.compile(r"isnan|isfinite|is_nan|is_finite|math\.nan|!= *\w+ *# *nan|parse_constant")


def nan_passes(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find `if abs(a - b) > tolerance: fail`, which NaN never meets."""
    if _GUARDS.search(file.text):
        return
    for node, operator, left, right in file.compares:
        sides = (left, right) if isinstance(operator, ast.Gt | ast.GtE) else (right, left)
        above = file.parents.get(id(node))
        rejects = (isinstance(above, ast.If) and above.test is node and gives_verdict(above.body)) or (
            isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)
        )
        if isinstance(operator, ast.Gt | ast.GtE | ast.Lt | ast.LtE) and rejects and _is_gap(sides[0], file):
            yield node.lineno, "NaN is never greater than the tolerance, so NaN is not rejected."


def wide_tolerance(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find tolerances of 5 % and more, or larger than the value."""
    for call, name in file.calls:
        short = name.rpartition(".")[2]
        if short not in ("isclose", "approx", "allclose", "assertAlmostEqual", "assert_allclose"):
            continue
        widths = [number(argument(call, keyword)) for keyword in _RELATIVE]
        delta, values = (
            number(argument(call, "delta") or argument(call, "abs_tol")),
            [number(part) for part in call.args],
        )
        places = number(argument(call, "places"))
        known = [abs(value) for value in values if value]
        if any(width is not None and width >= WIDE for width in widths):
            yield call.lineno, "A tolerance of 5 % and more takes neighbouring wrong values for the right one."
        elif delta is not None and any(delta >= WIDE * value for value in known):
            yield call.lineno, "The tolerance is 5 % and more of the value."
        elif delta is not None and delta >= 1 and not known:
            yield call.lineno, "A tolerance of 1 and more, whatever the value."
        elif places is not None and places <= 0:
            yield call.lineno, "The comparison rounds to whole numbers."
    for node, operator, left, right in file.compares:
        gap, width = (left, right) if isinstance(operator, ast.Lt | ast.LtE) else (right, left)
        if (
            isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            and _is_gap(gap, file)
            and _is_wide(gap, file.value_of(width))
        ):
            yield node.lineno, "The tolerance is 1 and more, or 5 % and more of the value."


def cut_numbers(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find numbers of the agent's that are rounded or truncated before they are compared."""
    for node, operator, left, right in file.compares:
        for side in (left, right):
            if not isinstance(operator, ast.Eq) or not isinstance(side, ast.Call) or not side.args:
                continue
            inner = side.args[0]
            truncates = (
                dotted(side.func) in ("int", "math.floor", "math.ceil", "math.trunc")
                and file.flow.kind(inner) == "number"
            )
            rounds = dotted(side.func) == "round" and len(side.args) == 1 and file.flow.is_work(inner)
            if (truncates or rounds) and file.is_verdict(node):
                yield node.lineno, "The number is cut to a whole one before it is compared: 8.9 may count as 8."


def float_equality(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find floats of the agent's compared exactly with floats that were computed."""
    for node, operator, left, right in file.compares:
        if not isinstance(operator, ast.Eq) or not file.is_verdict(node):
            continue
        for side, other in ((left, right), (right, left)):
            is_float = isinstance(side, ast.Call) and dotted(side.func) == "float" and file.flow.is_work(side)
            computed = isinstance(other, ast.BinOp) or _is_added_up(other, file)
            value = constant(other)
            fraction = isinstance(value, float) and value != int(value)
            if (is_float and (computed or fraction)) or (file.flow.is_work(side) and _is_added_up(other, file)):
                yield node.lineno, "Floats are compared exactly: another order of the same sums fails."


def _is_gap(node: ast.expr, file: PythonFile) -> bool:
    """Say whether `node` is the distance of something of the agent's from a value."""
    return (
        isinstance(node, ast.Call) and dotted(node.func) in ("abs", "math.fabs", "np.abs") and file.flow.is_work(node)
    )


def _is_wide(gap: ast.expr, width: ast.expr) -> bool:
    if isinstance(width, ast.BinOp) and isinstance(width.op, ast.Mult):
        factors = [number(width.left), number(width.right)]
        return any(factor is not None and WIDE <= factor < 1 for factor in factors)
    literal = number(width)
    values = [abs(v) for part in ast.walk(gap) if isinstance(part, ast.Constant) and (v := number(part))]
    if literal is not None and not values:
        return literal >= 1  # whatever the value is
    return literal is not None and any(literal >= WIDE * value for value in values)


def _is_added_up(node: ast.expr, file: PythonFile) -> bool:
    """Say whether a name begins as a float and is added to."""
    if not isinstance(node, ast.Name):
        return False
    begins = any(
        isinstance(n, ast.Assign) and dotted(n.targets[0]) == node.id and isinstance(constant(n.value), float)
        for n in file.nodes
    )
    return begins and any(isinstance(n, ast.AugAssign) and dotted(n.target) == node.id for n in file.nodes)


RULES = (
    Rule(
        card=static_card("nan_passes", "tolerances that reject only what is greater", ("BGW-123", "BGW-134")),
        python=nan_passes,
    ),
    Rule(
        card=static_card("wide_tolerance", "tolerances of 5 % and more", ("BGW-134", "BGW-119")),
        python=wide_tolerance,
    ),
    Rule(
        card=static_card(
            "cut_numbers", "numbers that are rounded or truncated before they are compared", ("BGW-123", "BGW-134")
        ),
        python=cut_numbers,
    ),
    Rule(
        card=static_card("float_equality", "exact equality of floats", ("BGW-120", "BGW-127")),
        python=float_equality,
    ),
)
