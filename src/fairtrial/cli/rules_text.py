"""`fairtrial rules text RULES`: what the rules say to the agent, or to the judge of one rule."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.output import HOLDS, JsonFlag, print_document, stdout
from fairtrial.rules import BenchmarkRules, read_rules
from fairtrial.rules.command import commands_of
from fairtrial.rules.prompts import judge_instructions
from fairtrial.rules.schema import RULES
from fairtrial.rules.text import rules_text

SCHEMA = "fairtrial.rules_text/1"
NONCE = "NONCE"
"""Stands for the word that is drawn anew for every asking of a judge."""


class RuleName(StrEnum):
    """The rules that are checked, ruled and overruled."""

    CONTAMINATION = "contamination"
    USAGE = "usage"
    LOOKUP = "lookup"
    IDENTITY = "identity"
    EDITS = "edits"


def text(
    rules: Annotated[Path, typer.Argument(help="Rules file.")],
    judge: Annotated[
        RuleName | None, typer.Option("--judge", help="Print what the judge of this rule is told.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Print what RULES says to the agent, or to a judge, and the one decontamination command for both."""
    read = read_rules(rules)
    if as_json:
        print_document(_document(read))
    elif judge is None:
        stdout.out(rules_text(read), end="", highlight=False)
    else:
        stdout.out(judge_instructions(read, judge.value, NONCE), highlight=False)
    raise typer.Exit(HOLDS)


def _document(read: BenchmarkRules) -> dict[str, object]:
    toml = read.toml
    return {
        "schema": SCHEMA,
        "rules": read.name,
        "hash": read.hash,
        "text": rules_text(read),
        "commands": list(commands_of(read)),
        "judges": {rule: judge_instructions(read, rule, NONCE) for rule in RULES if rule in toml.benchmark.checked},
        "tracks": [track.model_dump() for track in read.tracks],
        "judges_runs": toml.judges.runs,
        "penalty": toml.penalty.flagged,
    }
