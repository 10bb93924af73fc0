"""Rules on trouble that becomes a pass: handlers, defaults, missing files and empty lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import (
    PythonFile,
    constant,
    dotted,
    gives_verdict,
    is_fail,
    is_pass,
    is_verdict_name,
    own_nodes,
)
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import REWARD, ShellFile, ancestor, row, says
from fairtrial.attack.reading.sources import Sources


def exception_passes(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find handlers that return success, or set a result to it."""
    for attempt in (node for node in file.nodes if isinstance(node, ast.Try)):
        if _expects_trouble(attempt.body):
            continue
        for handler in attempt.handlers:
            for node in (part for statement in handler.body for part in ast.walk(statement)):
                if isinstance(node, ast.Return) and is_pass(node.value):
                    yield node.lineno, "An exception counts as a pass."
                if isinstance(node, ast.Assign) and is_pass(node.value) and is_verdict_name(dotted(node.targets[0])):
                    yield node.lineno, "An exception sets the result to a pass."


def uncounted(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find exceptions that leave no failure behind: other handlers note one, or a status is set that nobody counts."""
    counts_failed = any(constant(side) in ("failed", "fail") for _n, _o, *sides in file.compares for side in sides)
    counts_passed = any(
        constant(side) in ("passed", "pass", "ok") for _n, _o, *sides in file.compares for side in sides
    )
    for attempt in (node for node in file.nodes if isinstance(node, ast.Try)):
        noting = [h for h in attempt.handlers if "Assertion" in ast.dump(h.type or h) and gives_verdict(h.body)]
        for handler in attempt.handlers:
            last = handler.body[-1]
            if noting and handler not in noting and isinstance(last, ast.Pass | ast.Continue):
                yield last.lineno, "An exception other than a failed assertion leaves no failure behind."
            value = constant(last.value) if isinstance(last, ast.Assign) else None
            if value in ("skipped", "error", "broken", "unknown") and counts_failed and not counts_passed:
                yield last.lineno, f"An exception makes the status `{value}`, and only failures are counted."
    for held in (node for node in file.nodes if isinstance(node, ast.With)):
        hides = any("suppress" in dotted(getattr(item.context_expr, "func", item.context_expr)) for item in held.items)
        if hides and any(isinstance(node, ast.Assert) for node in ast.walk(held)):
            yield held.lineno, "Whatever is suppressed here is not a failure: the check ends unseen."


def exception_passes_or_vanishes(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find exceptions that become a pass, or nothing."""
    yield from exception_passes(file, sources)
    yield from uncounted(file, sources)


def default_is_wanted(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find look-ups whose default is the very value that is wanted."""
    for node, operator, left, right in file.compares:
        for side, other in ((left, right), (right, left)):
            looked_up = isinstance(side, ast.Call) and dotted(side.func).rpartition(".")[2] in ("get", "getattr", "pop")
            if (
                not isinstance(operator, ast.Eq)
                or not looked_up
                or not isinstance(side, ast.Call)
                or len(side.args) < 2
            ):
                continue
            if ast.dump(side.args[-1]) == ast.dump(other):
                yield node.lineno, "Where there is nothing, the wanted value is put in its place."


def missing_or_defaulted(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find work that is absent and passes."""
    yield from missing_passes(file, sources)
    yield from default_is_wanted(file, sources)


def default_passes(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find results that begin as a pass and stay so where a handler does nothing."""
    for scope in file.scopes():
        nodes = list(own_nodes(scope))
        begun = {
            dotted(node.targets[0]): node.lineno
            for node in nodes
            if isinstance(node, ast.Assign) and is_pass(node.value) and is_verdict_name(dotted(node.targets[0]))
        }
        for attempt in (node for node in nodes if isinstance(node, ast.Try)):
            inside = {
                dotted(node.targets[0])
                for node in ast.walk(attempt)
                if isinstance(node, ast.Assign) and is_fail(node.value)
            }
            idle = [
                h for h in attempt.handlers if all(isinstance(s, ast.Pass | ast.Continue | ast.Expr) for s in h.body)
            ]
            names = [name for name in inside if begun.get(name, attempt.lineno) < attempt.lineno]
            if idle and names:
                yield idle[0].lineno, f"`{names[0]}` began as a pass, and an exception leaves it so."


def missing_passes(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find branches that return success where the agent's work is absent or empty."""
    for node in file.nodes:
        if (
            not isinstance(node, ast.If)
            or not isinstance(node.body[-1], ast.Return)
            or not is_pass(node.body[-1].value)
        ):
            continue
        if any(_is_absence(part, file) for part in ast.walk(node.test)):
            yield node.body[-1].lineno, "Work that is not there counts as a pass."


def missing_exits(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find scripts that end well, and without a verdict, where the agent's file is not there."""
    for node, words in script.commands():
        if words[0] != "exit" or words[1:] not in ([], ["0"]):
            continue
        around = ancestor(node, "if_statement", "list")
        if around is None:
            continue
        text = script.filled(says(around))
        tests_agent = any(f"{root}/" in text for root in sources.roots) and (
            "-f" in text or "-e" in text or "-s" in text
        )
        written = any(write.line < row(node) and not write.conditional for write in script.reward_writes())
        if tests_agent and not REWARD.search(text) and not written:
            yield row(node), "Where the file is not there, the script ends without a verdict: an old one would stand."


def no_cases_pass(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find `all(...)` over the agent's own items, and a count of failures, that hold where there is nothing."""
    for call, name in file.calls:
        if name != "all" or len(call.args) != 1 or not isinstance(call.args[0], ast.GeneratorExp | ast.ListComp):
            continue
        items, asked = call.args[0].generators[0].iter, call.args[0].elt
        if isinstance(asked, ast.Call) and dotted(asked.func) == "isinstance":
            continue  # a guard against odd data, beside the checks
        if file.flow.is_work(items) and file.is_verdict(call) and not _asks_for_items(file, items):
            yield call.lineno, "`all()` of nothing is true: an empty submission passes this."


def _expects_trouble(body: list[ast.stmt]) -> bool:
    """Say whether the tried statements fail by themselves where no exception comes (a test that one is raised)."""
    last = body[-1]
    if isinstance(last, ast.Raise) or (isinstance(last, ast.Return) and is_fail(last.value)):
        return True
    if isinstance(last, ast.Assert):
        return is_fail(last.test)
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and dotted(last.value.func).endswith("fail")


def _is_absence(node: ast.AST, file: PythonFile) -> bool:
    """Say whether `node` holds where work is missing: `not x.exists()`, `not answer`, `x is None`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return file.flow.kind(node.operand) in ("exists", "text", "texts", "data", "file")
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is):
        return (
            isinstance(node.comparators[0], ast.Constant)
            and node.comparators[0].value is None
            and file.flow.is_work(node.left)
        )
    return False


def _asks_for_items(file: PythonFile, items: ast.expr) -> bool:
    """Say whether the file elsewhere compares, counts or requires the agent's items."""
    names = {part.id for part in ast.walk(items) if isinstance(part, ast.Name)}
    for node, _, left, right in file.compares:
        if not file.is_verdict(node):
            continue
        for side in (left, right):
            whole = isinstance(side, ast.Call) and dotted(side.func) in (
                "len",
                "set",
                "sorted",
                "list",
                "tuple",
                "dict",
            )
            if whole and any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(side)):
                return True
    ands = (node for node in file.nodes if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And))
    asserted = (node.test for node in file.nodes if isinstance(node, ast.Assert))
    bare = [*(value for node in ands for value in node.values), *asserted]
    return any(ast.dump(value) == ast.dump(items) for value in bare)


RULES = (
    Rule(
        card=static_card("exception_passes", "handlers that turn an exception into a pass", ("BGW-126", "TRACE-5")),
        python=exception_passes_or_vanishes,
    ),
    Rule(
        card=static_card("default_passes", "results that begin as a pass", ("BGW-125", "BGW-126", "TRACE-5")),
        python=default_passes,
    ),
    Rule(
        card=static_card("missing_passes", "work that is not there and passes", ("BGW-125", "BGW-126")),
        python=missing_or_defaulted,
        shell=missing_exits,
    ),
    Rule(
        card=static_card("all_of_nothing", "`all()` over the agent's own items", ("BGW-119", "BGW-125")),
        python=no_cases_pass,
    ),
)
