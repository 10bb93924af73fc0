"""Every place of a shell program where one small change can be made, and the text after it.

Left alone: the first line, comments, inside of strings and here-documents (another program's text, often). Not
covered: changes that need more than one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from fairtrial.attack.code.shell_code import meaning, parse, text_of, walk


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellSite:
    """One change to one place."""

    operator: str
    line: int
    start: int
    end: int
    """Bytes of the text that it replaces."""
    new: str
    what: str


_TESTS: Mapping[str, tuple[str, ...]] = {
    "-eq": ("-ne",), "-ne": ("-eq",), "-lt": ("-le", "-gt"), "-le": ("-lt",), "-gt": ("-ge", "-lt"), "-ge": ("-gt",),
    "-z": ("-n",), "-n": ("-z",), "-f": ("-d",), "-d": ("-f",), "-e": ("-d",), "-s": ("-e",),
    "=": ("!=",), "==": ("!=",), "!=": ("=",), "<": ("<=", ">"), ">": (">=", "<"), "<=": ("<",), ">=": (">",),
}  # fmt: skip
_JOINS: Mapping[str, str] = {"&&": "||", "||": "&&"}
_ARITHMETIC: Mapping[str, str] = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}
_REDIRECTS: Mapping[str, str] = {">": ">>", ">>": ">"}
_WHOLE = frozenset({"string", "raw_string", "heredoc_body", "comment", "regex"})
_SETTINGS = frozenset({"set", "shopt", "export", "umask"})
"""Commands without which a program mostly does the same."""
_FLAG = re.compile(r"--?[A-Za-z][\w-]*$")
_NUMBER = re.compile(r"\d+$")


def shell_sites(text: str) -> list[ShellSite]:
    """Return every change, in order of place; an empty list for what the grammar cannot read.

    >>> [site.operator for site in shell_sites("sort -r a | head -n 3")]
    ['pipeline_stage', 'removed_command', 'flag', 'pipeline_stage', 'flag', 'constant', 'constant']
    """
    root = parse(text)
    if root is None:
        return []
    found = [site for node in _reachable(root) for site in _changes(node)]
    return sorted(found, key=lambda site: (site.start, -site.end, site.operator, site.new))


def shell_mutated(text: str, site: ShellSite) -> str | None:
    """Return the text with the change made; None where it means the same or cannot be read."""
    data = text.encode()
    new = (data[: site.start] + site.new.encode() + data[site.end :]).decode("utf-8", "replace")
    found = meaning(new)
    return new if found is not None and found != meaning(text) else None


def _reachable(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.type not in _WHOLE:
            yield child
            yield from _reachable(child)


def _changes(node: Node) -> Iterator[ShellSite]:
    parent = node.parent.type if node.parent is not None else ""
    text = text_of(node)
    if text.split(" ")[0] in _SETTINGS or (parent == "command" and _is_setting(node.parent)):
        return
    if node.type == "test_operator" or (parent == "binary_expression" and text in _TESTS):
        for new in _TESTS.get(text, ()):
            yield _site("test", node, new, f"`{text}` made `{new}`")
    elif text in _JOINS and parent in ("list", "binary_expression"):
        yield _site("boolean", node, _JOINS[text], f"`{text}` made `{_JOINS[text]}`")
    elif parent == "binary_expression" and text in _ARITHMETIC:
        yield _site("arithmetic", node, _ARITHMETIC[text], f"`{text}` made `{_ARITHMETIC[text]}`")
    elif parent == "file_redirect" and text in _REDIRECTS:
        yield _site("redirect", node, _REDIRECTS[text], f"`{text}` made `{_REDIRECTS[text]}`")
    elif node.type in ("number", "word") and _NUMBER.match(text) and parent != "file_redirect":
        for value in dict.fromkeys((int(text) + 1, max(0, int(text) - 1))):
            yield _site("constant", node, str(value), f"{text} made {value}")
    elif node.type == "word" and parent == "command" and _FLAG.match(text):
        yield _site("flag", node, "", f"`{text}` dropped")
    elif node.type == "command" and parent in ("program", "do_group", "if_statement", "compound_statement", "pipeline"):
        if parent == "pipeline":
            yield from _without_stage(node)
        if parent != "pipeline" or node.prev_sibling is None:
            yield _site("removed_command", node, ":", f"`{_first_words(text)}` removed")
    elif node.type == "variable_assignment" and parent != "command" and "=" in text:
        yield _site("removed_command", node, text.partition("=")[0] + "=", f"`{_first_words(text)}` emptied")


def _is_setting(command: Node | None) -> bool:
    return command is not None and text_of(command).split(" ")[0] in _SETTINGS


def _without_stage(node: Node) -> Iterator[ShellSite]:
    """Take a stage out of a pipeline, with the bar before it (after it, for the first)."""
    before, after = node.prev_sibling, node.next_sibling
    start, end = node.start_byte, node.end_byte
    if before is not None and text_of(before).startswith("|"):
        start = before.start_byte
    elif after is not None and text_of(after).startswith("|"):
        end = after.end_byte
    yield ShellSite(operator="pipeline_stage", line=node.start_point[0] + 1, start=start, end=end, new="",
                    what=f"`{_first_words(text_of(node))}` taken out of its pipeline on line {node.start_point[0] + 1}",
                    )  # fmt: skip


def _site(operator: str, node: Node, new: str, what: str) -> ShellSite:
    line = node.start_point[0] + 1
    return ShellSite(operator=operator, line=line, start=node.start_byte, end=node.end_byte, new=new,
                     what=f"{what} on line {line}")  # fmt: skip


def _first_words(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= 30 else f"{line[:29]}…"


def has_commands(text: str) -> bool:
    """Say whether a shell program does anything.

    >>> has_commands("#!/bin/sh\\n# nothing\\n"), has_commands("echo a")
    (False, True)
    """
    root = parse(text)
    return root is not None and any(node.type == "command" for node in walk(root))
