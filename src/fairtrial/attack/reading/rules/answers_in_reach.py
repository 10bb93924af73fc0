"""Rules on answers within the agent's reach: expected values in the workspace, tests of visible cases alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, ancestor, is_runner, program, row
from fairtrial.attack.reading.sources import Sources

_ANSWER = re.compile(
    r"(^|[/_.-])(expected|answers?|gold(en)?|solutions?|truth|ground_truth|oracle|answer_key)([/_.-]|$)", re.IGNORECASE
)
_FEWEST = 2


def expected_in_workspace(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find expected values that are read from a file in the agent's folder."""
    seeded = {name.rpartition("/")[2] for name in sources.workspace}
    for call, name in file.calls:
        if name.rpartition(".")[2] not in ("open", "Path", "read_text", "load", "read_csv"):
            continue
        for text in strings(call):
            last = text.rpartition("/")[2]
            if file.flow.is_agent_path(text) and _ANSWER.search(last) and last in seeded:
                yield call.lineno, f"`{text}` holds what is expected, where the agent can read and write it."


def compared_in_workspace(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find diff, cmp and copies of expected files in the agent's folder."""
    for node, words in script.commands():
        if program(words) not in ("diff", "cmp", "comm"):
            continue
        for word in words[1:]:
            below = any(word.startswith(f"{root}/") for root in sources.roots) or not word.startswith(
                ("/", "-", "<", "$")
            )
            if below and _ANSWER.search(word.rpartition("/")[2]):
                yield row(node), f"`{word}` holds what is expected, where the agent can read and write it."


def visible_cases_alone(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find work of the agent's that is tried on nothing but inputs that stand in the instruction."""
    runs = {
        function.name
        for function in file.functions()
        if any(isinstance(n, ast.Call) and file.flow.kind(n) == "process" for n in ast.walk(function))
    }
    inputs: list[tuple[int, str]] = []
    for call, name in file.calls:
        of_agent = file.flow.names.get(("", name.partition(".")[0])) == "module"
        if call.args and (name in runs or of_agent):
            values = [value for part in call.args for value in _literals(part, file)]
            if not values:
                return
            inputs += [(call.lineno, value) for value in values if not file.flow.is_agent_path(value)]
    shown = bool(sources.instruction) and all(_stands_in(value, sources.instruction) for _, value in inputs)
    if len(inputs) >= _FEWEST and shown:
        yield inputs[0][0], f"All {len(inputs)} inputs stand in the instruction: a table of the examples passes."


def visible_cases_in_shell(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find the same in a script: arguments of the agent's program, where it is started in `$(…)`."""
    inputs: list[tuple[int, str]] = []
    for node, words in script.commands():
        places = [n for n, word in enumerate(words) if any(word.startswith(f"{root}/") for root in sources.roots)]
        if ancestor(node, "command_substitution") is None or not places or not is_runner(words):
            continue
        given = words[places[0] + 1 :]
        if not given or any("$" in word for word in given):
            return
        inputs += [(row(node), word) for word in given]
    if len(inputs) >= _FEWEST and sources.instruction and all(_stands_in(v, sources.instruction) for _, v in inputs):
        yield inputs[0][0], f"All {len(inputs)} inputs stand in the instruction: a table of the examples passes."


def _literals(node: ast.expr, file: PythonFile) -> list[str]:
    """Return the inputs that an argument stands for: itself, or the first of each case of a table in a loop."""
    if isinstance(constant(node), str | int | float):
        return [str(constant(node))]
    if not isinstance(node, ast.Name):
        return []
    for loop in (n for n in file.nodes if isinstance(n, ast.For | ast.comprehension)):
        targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
        if not isinstance(targets[0], ast.Name) or targets[0].id != node.id:
            continue
        table = loop.iter.func.value if _is_items(loop.iter) else loop.iter  # type: ignore[attr-defined]
        held = file.value_of(table)
        cases = held.keys if isinstance(held, ast.Dict) else getattr(held, "elts", [])
        firsts = [case.elts[0] if isinstance(case, ast.Tuple | ast.List) and case.elts else case for case in cases]
        return [str(constant(first)) for first in firsts if isinstance(first, ast.Constant)]
    return []


def _is_items(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "keys")


def _stands_in(value: str, instruction: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", instruction) is not None


RULES = (
    Rule(
        card=static_card(
            "expected_in_workspace", "expected values in the agent's folder", ("BGW-114", "BGW-116", "TRACE-6")
        ),
        python=expected_in_workspace,
        shell=compared_in_workspace,
    ),
    Rule(
        card=static_card(
            "visible_cases_alone", "tests of nothing but the visible examples", ("BGW-104", "BGW-119", "TRACE-2")
        ),
        python=visible_cases_alone,
        shell=visible_cases_in_shell,
    ),
)
