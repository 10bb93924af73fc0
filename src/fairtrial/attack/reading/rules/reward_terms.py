"""Rules on reward functions of text: terms that never read the reference, length, fallbacks, empty references."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import Function, PythonFile, dotted, is_pass, number, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.sources import Sources

_REWARD = re.compile(r"reward|score|grade|correct|verif|evaluat", re.IGNORECASE)
_REFERENCE = re.compile(
    r"^(expected|gold|truth|ground_truth|references?|targets?|label|answers?|solutions?|key)(_\w+)?$"
)
_TAG = re.compile(r"<[A-Za-z_][\w-]*>.*\(.*\).*<")


def reference_unread(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find reward functions that are given a reference and never read it."""
    for function in _rewards(file, sources):
        arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        given = [argument.arg for argument in arguments if _REFERENCE.match(argument.arg)]
        read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        unread = [name for name in given if name not in read and (function.name, name) not in file.flow.names]
        if unread and len(unread) == len(given):
            yield (
                function.lineno,
                f"`{function.name}` never reads `{unread[0]}`: it pays whether the answer is right or not.",
            )


def reply_unread(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find reward functions that never read the reply."""
    for function in _rewards(file, sources):
        carried = {name for scope, name in file.flow.names if scope == function.name}
        arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        given = [argument.arg for argument in arguments if argument.arg in carried]
        read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        if given and not read & set(given) and not _is_abstract(function):
            yield function.lineno, f"`{function.name}` never reads `{given[0]}`: every reply earns the same."


def presence_pays(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find a reward for a reply that is there at all."""
    for function in _rewards(file, sources):
        for node in ast.walk(function):
            if isinstance(node, ast.IfExp):
                paid, test = number(node.body), node.test
            elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return):
                paid, test = number(node.body[-1].value), node.test
            else:
                continue
            bare = isinstance(test, ast.Name | ast.Call) and file.flow.kind(test) in ("text", "texts", "data", "length")
            if paid is not None and paid > 0 and bare:
                yield node.lineno, "A reply earns something for being there."


def out_of_range(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find rewards above 1 and rewards that are no number."""
    for function in _rewards(file, sources):
        for node in ast.walk(function):
            if not isinstance(node, ast.Return) or node.value is None:
                continue
            for part in [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]:
                amount = number(part)
                if amount is not None and amount > 1:
                    yield node.lineno, f"A reward of {amount:g}: outside 0 to 1, one case outweighs others."
                if isinstance(part, ast.Call) and dotted(part.func) == "float" and "nan" in list(strings(part)):
                    yield node.lineno, "A reward that is not a number spoils every mean it enters."


def length_pays(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find length of the reply that pays."""
    for function in _rewards(file, sources):
        for node in ast.walk(function):
            grows = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult)
            if isinstance(node, ast.BinOp) and grows and file.flow.kind(node.left) == "length" and number(node.right):
                yield node.lineno, "Length pays: filler earns what an answer does."
            pays = isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.AugAssign)
            if not isinstance(node, ast.If) or not pays or not isinstance(node.test, ast.Compare):
                continue
            longer = isinstance(node.test.ops[0], ast.Gt | ast.GtE) and file.flow.kind(node.test.left) == "length"
            limit = number(node.test.comparators[0])
            if longer and limit is not None and limit > 1 and not _denies(node.body[-1]):
                yield node.lineno, "Length pays: filler earns what an answer does."


def whole_text_instead(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find the whole reply graded where no answer was found in it."""
    if sources.is_folder:
        return
    for node in file.nodes:
        if not isinstance(node, ast.IfExp) or not isinstance(node.orelse, ast.Name | ast.Call):
            continue
        picks = any(isinstance(part, ast.Call) and dotted(part.func).endswith(".group") for part in ast.walk(node.body))
        if picks and file.flow.kind(node.orelse) == "text":
            yield node.lineno, "Where no answer is found, the whole reply is graded as one."


def first_tag(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find the first tag of a reply taken for its answer."""
    if sources.is_folder:
        return
    for call, name in file.calls:
        text = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else ""
        searches = name in ("re.search", "regex.search") and len(call.args) > 1
        if searches and isinstance(text, str) and _TAG.search(text) and file.flow.is_work(call.args[1]):
            yield call.lineno, "The first tag counts: one that is named in prose before the answer decides."


def empty_reference(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find rewards for a case whose reference is empty."""
    for function in _rewards(file, sources):
        for node in ast.walk(function):
            denied = (
                isinstance(node, ast.If) and isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            )
            if isinstance(node, ast.If) and denied and isinstance(node.test, ast.UnaryOp):
                about = dotted(node.test.operand)
                if _REFERENCE.match(about) and isinstance(node.body[-1], ast.Return) and is_pass(node.body[-1].value):
                    yield node.lineno, "Where the reference is empty, anything passes."


def _rewards(file: PythonFile, sources: Sources) -> Iterator[Function]:
    """Yield functions of a text grader that give a reward for a reply."""
    if not sources.is_folder:
        carried = {scope for scope, _ in file.flow.names}
        yield from (
            f for f in file.functions() if f.name in carried and (_REWARD.search(f.name) or "return" in ast.unparse(f))
        )


def _is_abstract(function: Function) -> bool:
    return isinstance(function.body[-1], ast.Raise | ast.Pass | ast.Expr)


def _denies(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Return | ast.AugAssign) else None
    amount = number(value)
    return amount is None or amount <= 0


RULES = (
    Rule(
        card=static_card("reply_unread", "reward functions that never read the reply", ("BGW-125",), "text"),
        python=reply_unread,
    ),
    Rule(
        card=static_card("presence_pays", "rewards for a reply that is there at all", ("BGW-122", "BGW-125"), "text"),
        python=presence_pays,
    ),
    Rule(
        card=static_card(
            "out_of_range", "rewards above 1, and rewards that are no number", ("BGW-126", "BGW-128"), "text"
        ),
        python=out_of_range,
    ),
    Rule(
        card=static_card("reference_unread", "terms that never read the reference", ("BGW-122", "BGW-125"), "text"),
        python=reference_unread,
    ),
    Rule(
        card=static_card("length_pays", "length that pays", ("BGW-107", "BGW-122"), "text"),
        python=length_pays,
    ),
    Rule(
        card=static_card("whole_text_instead", "the whole reply graded where no answer is found", ("BGW-123",), "text"),
        python=whole_text_instead,
    ),
    Rule(
        card=static_card("first_tag", "the first tag taken for the answer", ("BGW-120", "BGW-123"), "text"),
        python=first_tag,
    ),
    Rule(
        card=static_card("empty_reference", "empty references that pass anything", ("BGW-125",), "text"),
        python=empty_reference,
    ),
)
