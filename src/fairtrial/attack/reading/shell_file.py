"""A shell source of a grader, parsed by tree-sitter's bash grammar.

Nothing is executed and nothing expanded, but for variables that the script sets once to a literal. Small questions
that several rules ask of a script are answered here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from fairtrial.checks.process.shell_syntax import parsed

REWARD = re.compile(r"reward\.(txt|json)\b|/reward\b", re.IGNORECASE)
"""A path of a reward file, as Harbor names it."""
INTERPRETERS = re.compile(r"^(.*/)?(python[\d.]*|node|deno|bun|ruby|perl|bash|sh|Rscript|java|php|lua)$")
TEST_RUNNERS = re.compile(
    r"^(.*/)?(pytest|py\.test|unittest|nose2|tox|uv|uvx|cargo|go|npm|npx|yarn|pnpm|jest|mocha|vitest|"
    r"make|ctest|mvn|gradle|rspec|phpunit|bats)$"
)
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_COMPUTED = re.compile(r"\$\(|`")
_FUNCTION = "function_definition"
_CONDITIONAL = (
    "if_statement",
    "elif_clause",
    "else_clause",
    "case_item",
    "for_statement",
    "while_statement",
    "list",
    "c_style_for_statement",
    _FUNCTION,
)


@dataclass(frozen=True, kw_only=True)
class ShellFile:
    """One script."""

    name: str
    """As hits show it."""
    text: str
    root: tree_sitter.Node
    decides: bool = True

    def line(self, number: int) -> str:
        """Return a source line without its indentation."""
        lines = self.text.split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    @functools.cached_property
    def variables(self) -> dict[str, str]:
        """Return the variables that are set to one literal, and never to anything else."""
        values: dict[str, set[str]] = {}
        for node in self.nodes("variable_assignment"):
            name, _, value = says(node).partition("=")
            values.setdefault(name.rstrip("+"), set()).add(value.strip("\"'"))
        return {name: value for name, (value, *others) in values.items() if not others and not _COMPUTED.search(value)}

    def nodes(self, *kinds: str) -> Iterator[tree_sitter.Node]:
        """Yield every node of these kinds, in the order of the text."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if node.type in kinds:
                yield node
            waiting.extend(reversed(node.children))

    def words(self, command: tree_sitter.Node) -> list[str]:
        """Return the words of a command, known variables filled in, outer quotes taken off."""
        parts = [
            child
            for child in command.children
            if child.type not in ("variable_assignment", "comment") and not child.type.endswith("_redirect")
        ]
        return [self.filled(says(part)).strip("\"'") for part in parts]

    def filled(self, text: str) -> str:
        """Return `text` with variables that the script sets to a literal filled in."""
        for _ in range(4):
            text = _VARIABLE.sub(lambda match: self.variables.get(match[1], match[0]), text)
        return text

    def commands(self) -> Iterator[tuple[tree_sitter.Node, list[str]]]:
        """Yield every simple command with its words."""
        return ((node, self.words(node)) for node in self.nodes("command"))

    def reward_writes(self) -> Iterator[RewardWrite]:
        """Yield every redirection to a reward file, in the order of the text."""
        for node in self.nodes("file_redirect"):
            words = [self.filled(says(child)) for child in node.children]
            sign = next((word for word in words if word.startswith((">", "&>"))), "")
            if sign and REWARD.search(words[-1]) and node.parent is not None:
                yield RewardWrite(
                    line=row(node),
                    appends=sign == ">>",
                    node=node.parent,
                    what=self.filled(says(node.parent).partition(">")[0]).strip(),
                )

    def sets(self, option: str) -> bool:
        """Say whether the script turns this option on (`pipefail`, `e`)."""
        for _, words in self.commands():
            if words[:1] == ["set"]:
                flags = "".join(word[1:] for word in words[1:] if word.startswith("-"))
                if option in words[1:] or (len(option) == 1 and option in flags):
                    return True
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardWrite:
    """A command whose output goes to a reward file."""

    line: int
    appends: bool
    node: tree_sitter.Node
    what: str
    """The command: `echo 1`."""

    @property
    def passes(self) -> bool:
        """Say whether it writes a literal full reward."""
        return bool(
            re.search(
                r"(echo|printf)\s+(-\w+\s+)*[\"']?(%s\S*\s+)?[\"']?1(\.0+)?(\\n)?[\"']?$"
                r"|\"?reward\\?\"?\s*:\s*1(\.0+)?\s*\}",
                self.what,
            )
        )

    @property
    def conditional(self) -> bool:
        """Say whether anything decides that it runs."""
        of_list = any(child.type == "list" for child in self.node.children)  # `a && b > file` redirects the whole list
        return of_list or ancestor(self.node, *_CONDITIONAL) is not None


def parse_shell(name: str, text: str, *, decides: bool = True) -> ShellFile:
    """Parse a script; one that is malformed is parsed as far as it can be."""
    return ShellFile(name=name, text=text, root=parsed(text), decides=decides)


def says(node: tree_sitter.Node) -> str:
    """Return the text of a node."""
    return (node.text or b"").decode(errors="replace")


def row(node: tree_sitter.Node) -> int:
    """Return the line of a node, from 1."""
    return int(node.start_point[0]) + 1


def redirected(node: tree_sitter.Node) -> str:
    """Return the text of a node with the redirections behind it, which the grammar puts around the whole list."""
    around = node.parent
    return says(around) if around is not None and around.type == "redirected_statement" else says(node)


def ancestor(node: tree_sitter.Node, *kinds: str) -> tree_sitter.Node | None:
    """Return the nearest node of these kinds around `node`."""
    above = node.parent
    while above is not None and above.type not in kinds:
        above = above.parent
    return above


def program(words: list[str]) -> str:
    """Return what a command really starts, past `env`, `timeout`, `exec`, `nice`, `sudo` and their options.

    >>> program(["timeout", "-k", "5", "60", "python3", "-I", "x.py"]), program(["FOO=1"])
    ('python3', '')
    """
    for word in words:
        skipped = word in (
            "env",
            "timeout",
            "exec",
            "nice",
            "sudo",
            "time",
            "command",
            "nohup",
            "setsid",
            "stdbuf",
            "xargs",
        )
        if not skipped and not word.startswith("-") and "=" not in word and not re.fullmatch(r"[\d.]+[smhd]?", word):
            return word.rpartition("/")[2]
    return ""


def imports_from_here(words: list[str]) -> bool:
    """Say whether a command is Python with the working folder first on its import path: `-m`, `-c`, a here-document.

    >>> [imports_from_here(line.split()) for line in ("python3 -m x", "python3", "python3 -I -m x", "python3 /a.py")]
    [True, True, False, False]
    """
    start = next((n for n, word in enumerate(words) if re.match(r"(.*/)?python[\d.]*$", word)), None)
    if start is None or any(re.match(r"-\w*[IPV]\w*$|--version$", word) for word in words[start + 1 :]):
        return False
    given = words[start + 1 :]
    return bool({"-m", "-c", "-"} & set(given)) or all(word.startswith("-") for word in given)


def is_runner(words: list[str]) -> bool:
    """Say whether a command runs tests or a program, rather than a small tool.

    >>> is_runner(["pytest", "-q"]), is_runner(["grep", "x"])
    (True, False)
    """
    name = program(words)
    return bool(INTERPRETERS.match(name) or TEST_RUNNERS.match(name))
