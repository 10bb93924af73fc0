"""Probe: the reference's Python with its functions in another order, which a task may declare to be free.

Only runs of plain functions are turned round: no decorators, no defaults or annotations that are worked out, no name
twice. A proof where proof.toml declares `free = ["statement_order"]`, else a lead.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_code import Function, parse
from fairtrial.attack.code.rewritings import looks_at_itself
from fairtrial.attack.code.sources import hand_in, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

FREEDOM = "statement_order"

_CARD = Card(
    id="statement_order",
    family="equivalent",
    surface="workspace",
    submits="the reference's Python with independent functions in another order",
    sound="passes it",
    proof='A proof where the task declares `free = ["statement_order"]`, else a lead.',
    classes=("BGW-120",),
)


@dataclass(frozen=True, slots=True)
class StatementOrder:
    """Turn runs of functions round."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission, of all programs at once."""
        texts = {source.inside: text for source in sources(target, "python")
                 if not looks_at_itself(source.after) and (text := turned(source.after)) is not None}  # fmt: skip
        if not texts:
            return
        is_free = FREEDOM in target.key.free
        why = ("The task declares that the order of statements is free." if is_free
               else "Functions do not run where they stand; the task says nothing of their order.")  # fmt: skip
        what = f"{' and '.join(texts)} with independent functions in another order"
        yield Submission(name="functions", agent=hand_in(target, "functions", texts), expects="passes", what=what,
                         severity="proof" if is_free else "lead", why=why)  # fmt: skip


def turned(text: str) -> str | None:
    """Return the program with each run of plain functions in reverse; None where there is no run of two.

    >>> print(turned("def f(): return 1\\ndef g(): return 2"))
    def g():
        return 2
    <BLANKLINE>
    def f():
        return 1
    <BLANKLINE>
    """
    tree = parse(text)
    if tree is None:
        return None
    body: list[ast.stmt] = []
    for is_run, run in itertools.groupby(tree.body, key=_is_plain):
        statements = list(run)
        names = [one.name for one in statements if isinstance(one, Function)]
        body += statements[::-1] if is_run and len(set(names)) == len(names) else statements
    if body == tree.body:
        return None
    tree.body = body
    return ast.unparse(tree) + "\n"


def _is_plain(statement: ast.stmt) -> bool:
    if not isinstance(statement, Function) or statement.decorator_list or statement.returns is not None:
        return False
    given = statement.args
    annotated = [one.annotation for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    defaults = [one for one in (*given.defaults, *given.kw_defaults) if one is not None]
    return not any(annotated) and all(isinstance(one, ast.Constant) for one in defaults)
