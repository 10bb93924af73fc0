"""A hollow artifact made of the grader's own words: every string literal of its files, in each deliverable.

What searches the deliverable for what it wants to see passes it. Literals of Python are read from its syntax, of shell
between quotes; other files of the tests are not read.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, deliverables, some
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="grader_literals",
    family="hack",
    surface="workspace",
    submits="all string literals of the grader's Python and shell files, as text, as JSON keys and values, as a column",
    sound="fails it",
    proof="the instruction asks for the file by name, and the literals are not its content; else a lead",
    classes=("BGW-106", "BGW-107", "BGW-138", "TRACE-2"),
)
MOST_LITERALS = 2_000
LONGEST = 2_000
_LAID = {"values": "each as a key and its value", "list": "as a list", "lines": "one a line",
         "words": "their words as bullets", "one-line": "their words on one line"}  # fmt: skip
_QUOTED = re.compile(r"'([^'\n]+)'|\"((?:[^\"\\\n]|\\.)+)\"")
_WORD = re.compile(r"[A-Za-z0-9][\w .,:/@-]*")
_GROUPING = re.compile(r"\(\?[:=!<]|[\\^$()\[\]{}*+?|]+")


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the grader's words in place of the work."""
    literals = literals_of([step.tests for step in target.key.steps])
    if not literals:
        return
    for one in some(deliverables(target)):
        for name, content in _fillings(one, literals):
            if content.split() != one.content.split():
                yield Proposal(name=f"{one.inside.lstrip('/')}:{name}", files={one.inside: content},
                               severity="proof" if one.demanded else "lead",
                               what=f"the grader's {len(literals)} string literals as {one.name}, {_LAID[name]}",
                               why="It is a list of words, and not the work.")  # fmt: skip


def literals_of(folders: list[Path]) -> list[str]:
    """Return the distinct string literals of the graders in `folders`, in order."""
    found: dict[str, None] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".sh", ".bash") and path.is_file() and not path.is_symlink():
                text = path.read_text(encoding="utf-8", errors="replace")
                found |= dict.fromkeys(_of_python(text) if path.suffix == ".py" else _of_shell(text))
    return list(found)[:MOST_LITERALS]


def _of_python(text: str) -> list[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return _of_shell(text)
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [value for value in values if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST]


def _of_shell(text: str) -> list[str]:
    """Return what stands between quotes.

    >>> _of_shell("grep -q 'went back' \\"$1\\"")
    ['went back', '$1']
    """
    return [first or second for first, second in _QUOTED.findall(text) if len(first or second) <= LONGEST]


def _fillings(one: Deliverable, literals: list[str]) -> Iterator[tuple[str, bytes]]:
    form = one.document.form if one.document is not None else "text"
    plain = [" ".join(word for word in _GROUPING.split(literal) if word.strip()) for literal in literals]
    if form in ("json", "jsonl"):
        yield "values", (json.dumps({literal: literal for literal in literals}) + "\n").encode()
        yield "list", (json.dumps(literals) + "\n").encode()
    if form != "sqlite":
        yield "lines", ("\n".join(literals) + "\n").encode(errors="replace")
        yield "words", ("\n".join(f"- {word}" for word in plain if _WORD.search(word)) + "\n").encode(errors="replace")
        yield "one-line", (" ".join(plain) + "\n").encode(errors="replace")


PROBE = ArtifactProbe(card=CARD, propose=propose)
