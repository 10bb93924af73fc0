"""Rules on answers within the agent's reach: expected values in the workspace, tests of visible cases alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant, dotted, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, program, row
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
    """Find programs of the agent's that are tried on nothing but inputs that stand in the instruction."""
    runs = {
        function.name
        for function in file.functions()
        if any(isinstance(n, ast.Call) and file.flow.kind(n) == "process" for n in ast.walk(function))
    }
    inputs: list[tuple[int, str]] = []
    for call, name in file.calls:
        if name in runs and call.args:
            values = [constant(part) for part in call.args]
            if not all(isinstance(value, str | int | float) for value in values):
                return
            inputs += [(call.lineno, str(value)) for value in values if not file.flow.is_agent_path(str(value))]
    if (
        len(inputs) >= _FEWEST
        and sources.instruction
        and all(_stands_in(value, sources.instruction) for _, value in inputs)
    ):
        yield inputs[0][0], f"All {len(inputs)} inputs stand in the instruction: a table of the examples passes."


def _stands_in(value: str, instruction: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", instruction) is not None


def in_process_cases_alone(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find functions of the agent's that are called with nothing but inputs that stand in the instruction."""
    inputs: list[tuple[int, str]] = []
    for call, name in file.calls:
        of_agent = file.flow.names.get(("", name.partition(".")[0])) == "module"
        if of_agent and dotted(call.func):
            values = [constant(part) for part in call.args]
            if not values or not all(isinstance(value, str | int | float) for value in values):
                return
            inputs += [(call.lineno, str(value)) for value in values]
    if (
        len(inputs) >= _FEWEST
        and sources.instruction
        and all(_stands_in(value, sources.instruction) for _, value in inputs)
    ):
        yield inputs[0][0], f"All {len(inputs)} inputs stand in the instruction: a table of the examples passes."


def _visible(file: PythonFile, sources: Sources) -> Iterator[Found]:
    yield from visible_cases_alone(file, sources)
    yield from in_process_cases_alone(file, sources)


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
        python=_visible,
    ),
)
