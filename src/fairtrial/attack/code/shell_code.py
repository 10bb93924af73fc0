"""Read shell without running it: a syntax tree by tree-sitter's Bash grammar, and what of the text is run.

Never raises on any text; a text that the grammar cannot read whole has no tree here. Not covered: dialects other than
Bash and what POSIX shares with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from fairtrial.checks.process.shell_syntax import parsed

MOST_DEEP = 200


def parse(text: str) -> Node | None:
    """Return the root of the syntax tree, or None where the grammar finds an error or nesting is too deep to walk.

    >>> parse("echo hello | sort") is None, parse("if then fi (") is None
    (False, True)
    """
    root = parsed(text)
    if root.has_error:
        return None
    level = [root]
    for _ in range(MOST_DEEP):
        level = [child for node in level for child in node.children]
        if not level:
            return root
    return None


def walk(node: Node) -> Iterator[Node]:
    """Yield every node below `node`, in order of place; `node` first."""
    yield node
    for child in node.children:
        yield from walk(child)


def meaning(text: str) -> object | None:
    """Return what is run, without comments, blank lines and indentation; None where there is no tree.

    >>> meaning("echo  a # why\\n") == meaning("# first\\necho a\\n")
    True
    >>> meaning("echo 'a  b'") == meaning("echo 'a b'"), meaning("echo a\\necho b") == meaning("echo a echo b")
    (False, False)
    """
    root = parse(text)
    return None if root is None else _meaning(root)


_WHOLE = frozenset({"string", "raw_string", "ansi_c_string", "translated_string", "heredoc_body", "regex", "word",
                    "expansion", "concatenation"})  # fmt: skip
"""Nodes in which white space counts."""


def _meaning(node: Node) -> object:
    if not node.children or node.type in _WHOLE:
        return node.type, text_of(node)
    kept = [child for child in node.children if child.type != "comment" and text_of(child).strip()]
    return node.type, tuple(_meaning(child) for child in kept)


def text_of(node: Node) -> str:
    """Return the text that a node covers."""
    return (node.text or b"").decode("utf-8", "replace")
