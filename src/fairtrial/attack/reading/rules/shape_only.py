"""Rules on checks that look at the shape of the work and never at what it says; and on the agent's word for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant, dotted, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.sources import Sources

_CLAIMS = re.compile(
    r"^(ok|pass(ed)?|success(ful)?|valid(ated)?|verified|completed?|done|errors?|failures?|failed|"
    r"mismatch(es)?|score|reward|correct|accuracy|(all|is|has|iso)_\w+|\w+_(ok|valid|passed|match(es)?))$"
)
_KEYS = ("set", "sorted", "list", "tuple")


def shape_alone(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find files whose checks of the agent's work ask for types, lengths and presence, and for nothing else."""
    if not file.decides:
        return
    weak: list[ast.expr] = []
    strong = 0
    for test in _tests(file):
        if not file.flow.mentions_agent(test):
            continue
        if _compares_contents(test, file):
            strong += 1
        else:
            weak.append(test)
    if len(weak) >= 2 and not strong:
        yield (
            min(test.lineno for test in weak),
            f"All {len(weak)} checks ask for types, lengths or presence: made-up contents pass.",
        )


def never_opened(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find files of the agent's that are looked for and never opened."""
    every = [text for other in sources.python for text in other.texts]
    scripts = " ".join(script.text for script in sources.shell)
    for call, name in file.calls:
        if name.rpartition(".")[2] not in ("exists", "isfile", "is_file", "getsize") or not file.is_verdict(call):
            continue
        places = [text for text in strings(call) if file.flow.is_agent_path(text) and "." in text.rpartition("/")[2]]
        for place in places:
            if every.count(place) == 1 and place not in scripts:
                yield call.lineno, f"`{place}` only has to be there: nothing reads it."


def takes_its_word(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a claim in the agent's own report that is taken as fact."""
    for node, operator, left, right in file.compares:
        key = _key(left)
        claimed = constant(right)
        is_claim = claimed is True or claimed in (0, 0.0, 1, 1.0, "ok", "passed", "success", "done", "completed")
        if isinstance(operator, ast.Eq | ast.Is) and _CLAIMS.match(key) and is_claim and file.flow.kind(left) == "data":
            yield node.lineno, f"`{key}` is the agent's own word."


def _tests(file: PythonFile) -> Iterator[ast.expr]:
    """Yield what is asserted, and what check functions in a table answer."""
    for node in file.nodes:
        if isinstance(node, ast.Assert):
            yield node.test
        elif isinstance(node, ast.Dict):
            yield from (value.body for value in node.values if isinstance(value, ast.Lambda))
        elif isinstance(node, ast.FunctionDef) and not node.args.args:
            yield from (one for part in ast.walk(node) if isinstance(part, ast.Return) for one in _claims(part.value))
        elif isinstance(node, ast.Call) and dotted(node.func).endswith(("jsonschema.validate", ".model_validate")):
            yield node
        elif isinstance(node, ast.Call) and dotted(node.func).startswith("self.assert"):
            if dotted(node.func) in (
                "self.assertEqual",
                "self.assertListEqual",
                "self.assertDictEqual",
                "self.assertCountEqual",
                "self.assertAlmostEqual",
            ):
                pair = ast.Compare(left=node.args[0], ops=[ast.Eq()], comparators=node.args[1:2])
                yield ast.copy_location(pair, node)
            elif node.args:
                yield node.args[0]


def _claims(value: ast.expr | None) -> Iterator[ast.expr]:
    """Yield what a check function without parameters answers, where that is a claim rather than the work itself."""
    asks = isinstance(value, ast.Call) and dotted(value.func) in ("bool", "all", "any", "isinstance")
    if value is not None and (asks or isinstance(value, ast.Compare | ast.BoolOp)):
        yield value


def _compares_contents(test: ast.expr, file: PythonFile) -> bool:
    """Say whether any part compares what the work says with something, or hands it to code that may."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(file.flow.is_work(side) and not _is_keys(side) for side in sides):
                return True
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute):
            name = dotted(node.func)
            if (
                name in file.flow.returns
                and not file.flow.kind(node)
                and any(file.flow.mentions_agent(a) for a in node.args)
            ):
                return True
        if isinstance(node, ast.Call) and dotted(node.func).endswith(("isclose", "startswith", "endswith", "approx")):
            return True
    return False


def _is_keys(node: ast.expr) -> bool:
    """Say whether `node` is the set of an object's keys, or something as poor: an item count, a type."""
    if not isinstance(node, ast.Call):
        return False
    name = dotted(node.func)
    if name in _KEYS and node.args:
        inner = node.args[0]
        return not isinstance(inner, ast.ListComp | ast.GeneratorExp) and not dotted(
            getattr(inner, "func", inner)
        ).endswith((".values", ".items", "splitlines", "split"))
    return name in ("len", "type") or name.endswith(".keys")


def _key(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return str(constant(node.slice) or "")
    if isinstance(node, ast.Call) and dotted(node.func).endswith(".get") and node.args:
        return str(constant(node.args[0]) or "")
    return ""


RULES = (
    Rule(
        card=static_card(
            "shape_alone", "checks of types, lengths and presence alone", ("BGW-101", "BGW-125", "BGW-138", "TRACE-4")
        ),
        python=shape_alone,
    ),
    Rule(
        card=static_card("never_opened", "files that only have to be there", ("BGW-125", "BGW-138", "TRACE-4")),
        python=never_opened,
    ),
    Rule(
        card=static_card("takes_its_word", "claims in the agent's own report", ("BGW-138", "TRACE-10")),
        python=takes_its_word,
    ),
)
