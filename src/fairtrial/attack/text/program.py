"""What probes of programs in text share: the reference's source, its first function, and how a program is handed in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fairtrial.attack.code.hollow_code import has_work
from fairtrial.attack.code.python_code import Function, parse
from fairtrial.attack.text.gold import Gold, unfenced
from fairtrial.attack.text.protocol import TextCase, TextSubmission

Program = Callable[[TextCase, str], Iterable[TextSubmission]]


@dataclass(frozen=True, slots=True)
class OfPrograms:
    """A rule's function that asks `make` only for cases whose gold completion is a Python program with work in it."""

    make: Program

    def __call__(self, case: TextCase, gold: Gold) -> Iterable[TextSubmission]:
        """Return what `make` makes of the program."""
        return self.make(case, gold.text) if gold.kind == "program" and has_work(gold.text) else ()


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
