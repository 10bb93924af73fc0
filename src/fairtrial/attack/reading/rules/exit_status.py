"""Rules on exit statuses: that of agent code taken for the verdict; failures that are dropped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tree_sitter

from fairtrial.attack.reading.python_file import PythonFile, own_nodes
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import (
    REWARD,
    TEST_RUNNERS,
    ShellFile,
    ancestor,
    is_runner,
    program,
    redirected,
    row,
    says,
)
from fairtrial.attack.reading.sources import Sources

_READS_STATUS = re.compile(r"\$\?|PIPESTATUS")
_NEAR = 3
"""Statements between a command and the one that reads its status."""


def status_is_verdict(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find the exit status of an agent's program compared in a scope that reads nothing else of it."""
    for scope in file.scopes():
        nodes = list(own_nodes(scope))
        reads = any(
            (isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr", "output"))
            or (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "communicate")
            for node in nodes
        )
        for node in nodes:
            parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            if not reads and any(file.flow.kind(part) == "status" for part in parts) and file.is_verdict(node):
                assert isinstance(node, ast.Compare)
                yield node.lineno, "The exit status of the agent's program is the verdict: it can end with 0 at once."


def status_decides_reward(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find a command that runs agent code and whose exit status decides which reward is written."""
    if not any(True for _ in script.reward_writes()):
        return
    for node, words in script.commands():
        if is_runner(words) and runs_agent_code(words, sources) and _decides(node):
            yield row(node), f"The exit status of `{program(words)}`, which runs the agent's code, decides the reward."


def failure_is_dropped(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find the status of a test run replaced by success before it is read."""
    for node in script.nodes("list"):
        left, sign, right = node.children[0], says(node.children[1]), says(node.children[-1])
        runs = [words for command, words in script.commands() if _inside(command, left) and is_runner(words)]
        if sign != "||" or not runs:
            continue
        after = " ".join(says(sibling) for sibling in _following(node))
        if re.match(r"(true|:)$", right) and _READS_STATUS.search(after):
            yield row(node), f"`|| {right}` replaces the status that is read next by success."
        elif re.match(r"exit(\s+0)?$", right) or (
            REWARD.search(redirected(node)) and re.search(r"echo\s+[\"']?1", right)
        ):
            yield row(node), f"`|| {right}` takes a failing run for a pass."


def reward_regardless(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find a full reward that is written whatever came before."""
    for node, words in script.commands():
        if (
            words[0] == "trap"
            and REWARD.search(script.filled(says(node)))
            and re.search(r"(echo|printf)\s+[\"']?1", says(node))
        ):
            yield row(node), "The full reward is written by a trap, whatever the tests said."
    stops = script.sets("e") or any(words[0] in ("exit", "return") for _, words in script.commands())
    writes = list(script.reward_writes())
    for write in writes:
        if write.passes and not write.conditional and not stops and ancestor(write.node, "subshell") is None:
            yield write.line, "The full reward is written whatever the tests said."


def runs_agent_code(words: list[str], sources: Sources) -> bool:
    """Say whether a command runs the agent's code in its own process, as far as its words tell."""
    places = [word for word in words[1:] if not word.startswith("-")]
    if any(place == root or place.startswith(f"{root}/") for place in places for root in sources.roots):
        return True
    named = {Path(place).name for place in places}
    python = [file for file in sources.python if Path(file.name).name in named]
    runs_tests = "pytest" in words or program(words) in ("pytest", "py.test", "unittest") or "unittest" in words
    if runs_tests:
        python = [file for file in sources.python if file.decides]
    if any("module" in file.flow.names.values() for file in python):
        return True
    return bool(TEST_RUNNERS.match(program(words))) and not runs_tests and program(words) not in ("uv", "uvx")


def _decides(command: tree_sitter.Node) -> bool:
    """Say whether a reward is written depending on this command's status."""
    node: tree_sitter.Node | None = command
    while node is not None and node.parent is not None:
        around = node.parent
        if around.type == "if_statement":
            is_condition = node == around.children[1]
            if is_condition and REWARD.search(says(around)):
                return True
        if around.type == "list" and node == around.children[0] and REWARD.search(redirected(around)):
            return True
        if any(_READS_STATUS.search(says(sibling)) for sibling in _following(node)[:1]):
            return True
        if around.type in ("program", "function_definition", "command_substitution", "subshell"):
            return False
        node = around
    return False


def _following(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    found: list[tree_sitter.Node] = []
    after = node.next_named_sibling
    while after is not None and len(found) < _NEAR:
        if after.type != "comment":
            found.append(after)
        after = after.next_named_sibling
    return found


def _inside(node: tree_sitter.Node, outer: tree_sitter.Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


RULES = (
    Rule(
        card=static_card(
            "exit_status_is_verdict",
            "exit statuses of agent code that are taken for the verdict",
            ("BGW-102", "BGW-126", "TRACE-8"),
        ),
        python=status_is_verdict,
        shell=status_decides_reward,
    ),
    Rule(
        card=static_card("failure_dropped", "`|| true` and `|| exit 0` behind a test run", ("BGW-126", "TRACE-5")),
        shell=failure_is_dropped,
    ),
    Rule(
        card=static_card("reward_regardless", "a full reward that nothing decides", ("BGW-125", "BGW-126")),
        shell=reward_regardless,
    ),
)
