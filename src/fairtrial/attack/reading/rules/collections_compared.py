"""Rules on comparison of several items: pairs cut short, and loops that the submission itself sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, argument, constant, dotted, own_nodes
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.sources import Sources

_WHOLE = ("len", "set", "sorted", "list", "tuple", "dict", "Counter", "frozenset")


def zip_cut_short(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find zip of the agent's items with the right ones, where nothing compares how many there are."""
    for scope in file.scopes():
        nodes = list(own_nodes(scope))
        if any(isinstance(node, ast.Compare) and _counts(node, file) for node in nodes):
            continue
        for node in nodes:
            if not isinstance(node, ast.Call) or dotted(node.func) != "zip" or len(node.args) < 2:
                continue
            strict = constant(argument(node, "strict")) is True
            works = [file.flow.is_work(part) for part in node.args]
            if not strict and any(works) and not all(works):
                yield node.lineno, "`zip` stops at the shorter side: items that lack, or are too many, go unseen."


def submission_sets_the_loop(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find loops over the agent's own items that judge each, where nothing asks which there are."""
    if any(_compares_whole(node, left, right, file) for node, _, left, right in file.compares):
        return
    for node in file.nodes:
        if not isinstance(node, ast.For) or not file.flow.is_work(node.iter):
            continue
        judged = [
            part
            for part in ast.walk(node)
            if isinstance(part, ast.Assert) or (isinstance(part, ast.Return) and isinstance(part.value, ast.Constant))
        ]
        if judged and file.decides:
            yield node.lineno, "Only the items that were handed in are judged: those that lack go unseen."


def _counts(node: ast.Compare, file: PythonFile) -> bool:
    return any(
        file.flow.kind(side) == "length" or (isinstance(side, ast.Call) and dotted(side.func) == "len")
        for side in (node.left, *node.comparators)
    )


def _compares_whole(node: ast.Compare, left: ast.expr, right: ast.expr, file: PythonFile) -> bool:
    for side in (left, right):
        whole = (
            isinstance(side, ast.Call) and (dotted(side.func) in _WHOLE or dotted(side.func).endswith(".keys"))
        ) or isinstance(side, ast.Name | ast.ListComp | ast.SetComp | ast.DictComp)
        if whole and file.flow.kind(side) in ("data", "texts", "length") and file.is_verdict(node):
            return True
    return False


RULES = (
    Rule(
        card=static_card("zip_cut_short", "zip without a count", ("BGW-119", "BGW-128", "TRACE-3")),
        python=zip_cut_short,
    ),
    Rule(
        card=static_card(
            "submission_sets_the_loop", "loops over the agent's own items", ("BGW-119", "BGW-128", "TRACE-3")
        ),
        python=submission_sets_the_loop,
    ),
)
