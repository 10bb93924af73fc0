"""Make versions of Python code that behave alike and read otherwise: they find out tests that read code, not run it.

`reworded` keeps behaviour and changes the text; `with_text_of` keeps behaviour and adds the text of other code. Not
covered: tests that walk the syntax tree, or look for names; those do not pass on a reference with other names.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from fairtrial.checks.code.trees import Entry, Tree

MOST_BYTES = 1_000_000
PROSE = (".md", ".rst", ".txt", ".adoc")


def reworded(tree: Tree) -> dict[str, Entry]:
    """Return `tree` with its Python files written anew from what they mean; a file that cannot be stays as it is."""
    return {name: _reworded(entry) if _is_python(name, entry) else entry for name, entry in tree.items()}


def with_text_of(tree: Tree, other: Tree, *, new_files: bool = False) -> dict[str, Entry]:
    """Return `tree` with the Python text of `other` added to its files, where it does nothing.

    Prose (a README) is that of `other`; with `new_files` all that `tree` has not is, too: a test that looks for a new
    word or a new file tells nothing of behaviour.
    """
    found = dict(tree)
    found |= {name: one for name, one in other.items() if _is_prose(name, one) or (new_files and name not in tree)}
    for name, entry in other.items():
        if _is_python(name, entry) and (name not in tree or tree[name].kind == "file"):
            before = tree[name].data() if name in tree else b""
            found[name] = replace(entry, held=before + b"\n" + _inert(entry.data()))
    return found


def _is_prose(name: str, entry: Entry) -> bool:
    return entry.kind == "file" and name.lower().endswith(PROSE)


def _is_python(name: str, entry: Entry) -> bool:
    return name.endswith(".py") and entry.kind == "file" and entry.size <= MOST_BYTES


def _reworded(entry: Entry) -> Entry:
    try:
        return replace(entry, held=b"# written anew\n" + ast.unparse(ast.parse(entry.data())).encode() + b"\n")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return entry


def _inert(text: bytes) -> bytes:
    """Return `text` as a statement that does nothing, in as many lines as they are where that can be.

    >>> print(_inert(b"x = 1").decode())
    r'''
    x = 1
    '''
    <BLANKLINE>
    """
    for quotes in (b"'''", b'"""'):
        if quotes not in text and b"\0" not in text:
            return b"r" + quotes + b"\n" + text + b"\n" + quotes + b"\n"
    return b"".join(b"# " + line.replace(b"\0", b"") + b"\n" for line in text.splitlines())
