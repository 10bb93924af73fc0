"""Hand in the reference's program written another way: comments dropped, laid out anew, its local names changed.

Certified without being told: the byte code is the same, names of locals aside. Where the prompt speaks of comments,
layout or names, a failure is a lead.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_code import Function, byte_code, functions, parse
from fairtrial.attack.text.program import OfPrograms, handed_in
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, right
from fairtrial.records import Severity

CARD = Card(
    id="program_rewritten", family="equivalent", surface="text", classes=("BGW-120",),
    submits="the reference's program without comments, laid out anew, with a comment more, with other local names",
    sound="passes it",
    proof="a proof: the byte code is the same, names of locals aside; a lead where the prompt speaks of style",
)  # fmt: skip
_WHY = "It compiles to the same byte code, names of locals aside."
_STYLE = re.compile(r"\b(comments?|docstrings?|indent\w*|pep ?8|format(ted|ting)|style|variable names?|named|naming|"
                    r"lines? of code|characters)\b", re.IGNORECASE)  # fmt: skip
_SPECIAL = frozenset({"locals", "vars", "eval", "exec", "dir", "globals"})


def _make(case: TextCase, source: str) -> Iterator[TextSubmission]:
    tree = parse(source)
    if tree is None:
        return
    severity: Severity = "lead" if _STYLE.search(case.prompt_text) else "proof"
    why = _WHY if severity == "proof" else f"{_WHY} The prompt speaks of style or names."
    laid_out = ast.unparse(tree) + "\n"
    forms = {
        "laid_out_anew": (laid_out, "without comments and laid out anew"),
        "comment_added": (f"# A remark.\n{source}", "with a comment more"),
        "blank_lines": (f"\n\n{source.rstrip()}\n\n\n", "with blank lines around it"),
        "locals_renamed": (renamed_locals(source), "with other names for its local variables"),
    }
    for name, (text, what) in forms.items():
        if text is not None and text != source:
            yield right(name, handed_in(case, text), f"the reference's program {what}", why=why, severity=severity)


def renamed_locals(source: str) -> str | None:
    """Return the program with its functions' local variables renamed; None where there are none, or it is not safe.

    >>> renamed_locals("def f(a):\\n    total = a + 1\\n    return total")
    'def f(a):\\n    local_1 = a + 1\\n    return local_1\\n'
    """
    tree = parse(source)
    if tree is None:
        return None
    changed = False
    for function in list(functions(tree)):
        new_names = {old: f"local_{number}" for number, old in enumerate(_locals(function), 1)}
        taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if not new_names or taken & set(new_names.values()):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in new_names:
                node.id = new_names[node.id]
                changed = True
    text = ast.unparse(tree) + "\n"
    return text if changed and _globals(text) == _globals(source) else None


def _globals(source: str) -> set[str] | None:
    """Return every name that the compiler takes for a global or an attribute; None for what does not compile."""
    if byte_code(source) is None:
        return None
    waiting, found = [compile(source, "<program>", "exec", dont_inherit=True)], set()
    while waiting:
        code = waiting.pop()
        found |= set(code.co_names)
        waiting += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return found


def _locals(function: Function) -> list[str]:
    """Return the plain local variables, in order; none where something else than plain code could see their names."""
    scopes = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.Global | ast.Nonlocal
    odd = ast.Import | ast.ImportFrom | ast.ExceptHandler | ast.Match
    inside = [node for statement in function.body for node in ast.walk(statement)]
    names = [node for node in inside if isinstance(node, ast.Name)]
    if any(isinstance(node, scopes | odd) for node in inside) or any(node.id in _SPECIAL for node in names):
        return []
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return list(
        dict.fromkeys(node.id for node in names if isinstance(node.ctx, ast.Store) and node.id not in arguments)
    )


PROGRAM_REWRITTEN = TextRule(card=CARD, make=OfPrograms(_make))
