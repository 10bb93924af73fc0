"""`fairtrial rules withdraw LEDGER`: results that no longer count, signed and with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.checks.judged.visible import one_line
from fairtrial.cli.output import HOLDS, JsonFlag, print_document, stdout
from fairtrial.cli.rules_judge_page import MOST_REASON
from fairtrial.ledger import Ledger
from fairtrial.rules.signing import withdraw as record

SCHEMA = "fairtrial.withdrawal/1"


def withdraw(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    submission: Annotated[str, typer.Option("--submission", help="Model, as its rollouts name it.")],
    author: Annotated[str, typer.Option("--author", help="Your name.")],
    reason: Annotated[str, typer.Option("--reason", help="Why they no longer count.")],
    task: Annotated[list[str] | None, typer.Option("--task", help="Only of this task; may be repeated.")] = None,
    attempt: Annotated[
        list[int] | None, typer.Option("--attempt", help="Only attempts of this number; may be repeated.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Withdraw results of a model, with your name and reason: reruns replace them, or the row goes."""
    found = record(Ledger.open(ledger), submission, task or (), attempt or (), author=author, reason=reason)
    if as_json:
        print_document({"schema": SCHEMA} | found.row())
    else:
        results = f"{len(found.rollouts):,} result{'' if len(found.rollouts) == 1 else 's'}"
        stdout.print(f"{one_line(found.model)}: {results} withdrawn by {one_line(found.author)}\n"
                     f"  {one_line(found.reason, MOST_REASON)}\n"
                     "  Reruns take their place; without them the row goes.", markup=False, soft_wrap=True)  # fmt: skip
    raise typer.Exit(HOLDS)
