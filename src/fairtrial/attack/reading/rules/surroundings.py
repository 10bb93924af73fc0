"""Rules on what a grader takes from its surroundings: PATH, the import path, optimisation switches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, imports_from_here, program, row, says
from fairtrial.attack.reading.sources import Sources

_FIXED = re.compile(r"^(export\s+)?PATH=[\"']?/")


def path_not_fixed(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find a test.sh that starts programs by name and leaves PATH as it finds it."""
    if not script.name.endswith("test.sh"):
        return
    if any(_FIXED.match(says(node)) for node in script.nodes("variable_assignment")):
        return
    for node, words in script.commands():
        if words[0] == "env" and any(word.startswith("PATH=") or word in ("-i", "-") for word in words):
            return
        named = program(words)
        if named in (
            "python",
            "python3",
            "pytest",
            "node",
            "bash",
            "sh",
            "npm",
            "cargo",
            "go",
            "uv",
            "uvx",
            "diff",
            "cmp",
            "jq",
        ) and "/" not in next((word for word in words if word.endswith(named)), ""):
            yield (
                row(node),
                f"`{named}` is looked up in PATH as it is found: a program of the agent's may come first.",
            )
            return


def python_not_alone(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find `python -m`, `-c` or a here-document that runs with the agent's folder first on its import path."""
    moved = any(words[0] == "cd" and words[1:2] in (["/tests"], ["/"], ["/tmp"]) for _, words in script.commands())
    for node, words in script.commands():
        if imports_from_here(words) and not moved and "PYTHONSAFEPATH" not in script.text:
            yield row(node), "Python imports from the working folder first, where the agent's files lie."


def asserts_off(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find bare asserts under `python -O`."""
    asserting = any(isinstance(node, ast.Assert) for file in sources.python for node in file.nodes)
    for node, words in script.commands():
        text = says(node)
        if asserting and program(words).startswith("python") and re.search(r"\s-O{1,2}(\s|$)|PYTHONOPTIMIZE=", text):
            yield row(node), "`python -O` leaves every assert out."


RULES = (
    Rule(
        card=static_card(
            "path_not_fixed", "programs looked up in a PATH that nobody set", ("BGW-110", "BGW-130", "TRACE-8")
        ),
        shell=path_not_fixed,
    ),
    Rule(
        card=static_card(
            "python_not_alone", "Python that imports from the agent's folder", ("BGW-108", "BGW-110", "TRACE-8")
        ),
        shell=python_not_alone,
    ),
    Rule(
        card=static_card("asserts_off", "bare asserts under `python -O`", ("BGW-125",)),
        shell=asserts_off,
    ),
)
