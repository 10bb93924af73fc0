"""`fairtrial rules override LEDGER`: overrule the judges of one submission and rule, signed and with a reason."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.checks.judged.visible import one_line
from fairtrial.cli.output import HOLDS, JsonFlag, print_document, stdout
from fairtrial.cli.rules_judge_page import MOST_REASON
from fairtrial.cli.rules_text import RuleName
from fairtrial.ledger import Ledger
from fairtrial.rules import read_rules
from fairtrial.rules.signing import override as record

SCHEMA = "fairtrial.override/1"


class RuledName(StrEnum):
    """What may be ruled."""

    CLEAN = "clean"
    VIOLATION = "violation"
    UNCLEAR = "unclear"


def override(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    rules: Annotated[Path, typer.Option("--rules", help="Rules file.")],
    submission: Annotated[str, typer.Option("--submission", help="Model, as its rollouts name it.")],
    rule: Annotated[RuleName, typer.Option("--rule", help="Rule that is ruled on.")],
    ruled: Annotated[RuledName, typer.Option("--ruled", help="What you rule.")],
    author: Annotated[str, typer.Option("--author", help="Your name.")],
    reason: Annotated[str, typer.Option("--reason", help="Why you rule so.")],
    as_json: JsonFlag = False,
) -> None:
    """Overrule the judges of one submission and rule, with your name and reason."""
    read = read_rules(rules)
    found = record(Ledger.open(ledger), read, submission, rule.value, ruled.value,
                   author=author, reason=reason)  # fmt: skip
    if as_json:
        print_document({"schema": SCHEMA} | found.row())
    else:
        said = f"{one_line(found.model)}, {found.rule}: {found.ruled}, by {one_line(found.by)} under {found.rules}"
        stdout.print(f"{said}\n  {one_line(found.reason, MOST_REASON)}", markup=False, soft_wrap=True)
    raise typer.Exit(HOLDS)
