"""Rules on checkers of special work: proofs with holes, queries compared on one database."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, program, row
from fairtrial.attack.reading.sources import Sources

_PROVERS = {"lean", "lake", "coqc", "coqchk", "isabelle", "agda", "rocq", "idris2"}
_HOLES = re.compile(
    r"sorry|admit|axiom|assumptions|postulate|believe_me|coqchk|--safe|lean4?checker|comparator", re.IGNORECASE
)
_RUNS = ("run", "call", "check_call", "check_output", "Popen", "system")


def proof_holes(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find a proof assistant whose word is taken without a look for holes and axioms."""
    for node, words in script.commands():
        if program(words) in _PROVERS and not _HOLES.search(script.text):
            yield row(node), f"`{program(words)}` accepts proofs with holes or new axioms, and nothing looks for them."


def proof_holes_in_python(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find the same in a Python grader."""
    for call, name in file.calls:
        if name.rpartition(".")[2] not in _RUNS or not call.args or _HOLES.search(file.text):
            continue
        first = next(iter(getattr(call.args[0], "elts", [])), call.args[0])
        started = str(constant(first) or "").split(" ")[0].rpartition("/")[2]
        if started in _PROVERS:
            yield call.lineno, f"`{started}` accepts proofs with holes or new axioms, and nothing looks for them."


def one_database(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a query of the agent's whose rows are compared on one database alone."""
    opened = [call for call, name in file.calls if name.rpartition(".")[2] == "connect"]
    in_loop = any(_is_repeated(call, file) for call in opened)
    for call, name in file.calls:
        asks = name.rpartition(".")[2] in ("execute", "read_sql", "read_sql_query") and call.args
        if asks and file.flow.kind(call.args[0]) == "text" and len(opened) == 1 and not in_loop:
            yield call.lineno, "The query runs on one database: another query may give the same rows there by accident."


def _is_repeated(call: ast.Call, file: PythonFile) -> bool:
    """Say whether a loop stands around a call, or its database is named by a variable."""
    node: ast.AST | None = call
    while node is not None and not isinstance(node, ast.For | ast.ListComp | ast.GeneratorExp):
        node = file.parents.get(id(node))
    return node is not None or not isinstance(constant(call.args[0] if call.args else None), str)


RULES = (
    Rule(
        card=static_card("proof_holes", "proofs accepted without a look for holes and axioms", ("BGW-135",)),
        python=proof_holes_in_python,
        shell=proof_holes,
    ),
    Rule(
        card=static_card("one_database", "queries compared on one database alone", ("BGW-136",)),
        python=one_database,
    ),
)
