"""What probes of programs in text share: the reference's source, its first function, and how a program is handed in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from fairtrial.attack.code.hollow_code import has_work
from fairtrial.attack.code.python_code import Function, parse
from fairtrial.attack.text.gold import Gold, unfenced
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import NO_ANSWER, Make

Program = Callable[[TextCase, str], Iterable[TextSubmission]]


def of_programs(make: Program) -> Make:
    """Return a rule's function that asks `make` only for cases whose gold completion is a Python program with work."""

    def made(case: TextCase, gold: Gold) -> Iterable[TextSubmission]:
        if gold is NO_ANSWER or gold.kind != "program" or not does_work(gold.text):
            return ()
        return make(case, gold.text)

    return made


def does_work(source: str) -> bool:
    """Say whether there is anything in a program that could be left out."""
    return has_work(source)


def handed_in(case: TextCase, source: str) -> str:
    """Return `source` as the gold completion is written: in its code fence, if it stands in one."""
    reference = case.reference_text
    inner = unfenced(reference)
    if inner == reference:
        return source
    head, _, tail = reference.rpartition(inner)
    return f"{head}{source.rstrip()}\n{tail}"


def public_functions(source: str) -> list[Function]:
    """Return the functions that a grader may call: those at the top level, the private ones left out.

    >>> [one.name for one in public_functions("def _a(): ...\\ndef b(): ...")]
    ['b']
    """
    tree = parse(source)
    found = [one for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)] if tree else []
    return [one for one in found if not one.name.startswith("_")] or found
