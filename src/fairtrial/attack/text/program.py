"""What probes of programs in text share: the reference's source, its first function, and how a program is handed in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fairtrial.attack.code.hollow_code import has_work
from fairtrial.attack.code.python_code import Function, acts_on_import, parse
from fairtrial.attack.text.gold import Gold, unfenced
from fairtrial.attack.text.protocol import TextCase, TextSubmission

Program = Callable[[TextCase, str], Iterable[TextSubmission]]


@dataclass(frozen=True, slots=True)
class OfPrograms:
    """A rule's function that asks `make` only for cases whose gold completion is a Python program with work in it."""

    make: Program

    def __call__(self, case: TextCase, gold: Gold) -> Iterable[TextSubmission]:
        """Return what `make` makes of the program."""
        return self.make(case, gold.text) if gold.kind == "program" and does_work(gold.text) else ()


def does_work(source: str) -> bool:
    """Say whether there is anything in a program that could be left out: in its functions, or in a script itself.

    >>> does_work("print(int(input()) + 1)"), does_work("print('hello')")
    (True, False)
    """
    return has_work(source) or (is_script(source) and _computes(source))


def is_script(source: str) -> bool:
    """Say whether a program does its work when it is started, rather than when it is called."""
    tree = parse(source)
    return tree is not None and acts_on_import(tree)


def _computes(source: str) -> bool:
    tree = parse(source)
    work = ast.For | ast.While | ast.BinOp | ast.Compare | ast.comprehension
    return tree is not None and any(isinstance(node, work) for node in ast.walk(tree))


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
