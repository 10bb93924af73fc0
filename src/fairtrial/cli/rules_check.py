"""`fairtrial rules check RULES SUBMISSION`: run the checks of the rules on one submission."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.checks.judged.visible import one_line
from fairtrial.cli.output import JsonFlag, note, print_document, stdout
from fairtrial.cli.phases import Phases
from fairtrial.ledger import Ledger
from fairtrial.rules import BenchmarkRules, read_rules
from fairtrial.rules.checking import Checked, check_submission, document_of, exit_status, keep
from fairtrial.rules.submission import HandedIn, read_submission

SIGNS = {True: "●", False: "✗", None: "▢"}
WORDS = {True: "nothing found", False: "found", None: "not measured"}
MOST_LINE = 400


def check(
    rules: Annotated[Path, typer.Argument(help="Rules file.")],
    submission: Annotated[Path, typer.Argument(help="Submission file.")],
    kept: Annotated[
        Path | None, typer.Option("--keep", help="Ledger in which to keep the submission and what was found.")
    ] = None,
    within: Annotated[
        Path | None,
        typer.Option("--within", help="Folder that paths of the submission may not leave; its own if not named."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run the checks of RULES on a submission: contamination, usage, look-up, identity."""
    began = datetime.now(UTC).isoformat()
    read = read_rules(rules)
    handed_in = read_submission(submission, read, within)
    book = None if kept is None else Ledger.open(kept, create=True)
    with Phases("rules check") as phases:
        checked = check_submission(read, handed_in, lambda rule: note(f"checking {rule}"), phases)
    document = document_of(read, handed_in, checked)
    if book is not None:
        document["submission_id"] = keep(book, read, handed_in, checked, began).id
    if as_json:
        print_document(document)
    else:
        _print(read, handed_in, checked)
    if kept is not None:
        note(f"kept in {kept}; `fairtrial rules judge` lets a model rule on it")
    raise typer.Exit(exit_status(checked))


def _print(read: BenchmarkRules, handed_in: HandedIn, checked: Sequence[Checked]) -> None:
    _say(f"{one_line(handed_in.toml.model)} by {read.name}")
    if not checked:
        _say("  these rules check nothing")
    for one in checked:
        _say(f"  {SIGNS[one.holds]} {one.rule}: {WORDS[one.holds]}")
        for finding in one.findings:
            _say(f"      {one_line(finding.screening.summary, MOST_LINE)}")
        said = {finding.screening.summary for finding in one.findings}
        for why in one.not_measured:
            if f"not measured: {why}" not in said:
                _say(f"      not measured: {one_line(why, MOST_LINE)}")
    if any(one.holds is False for one in checked):
        _say("What was found is a lead: judges or a person rule on it.")


def _say(line: str) -> None:
    stdout.print(line, markup=False, soft_wrap=True)
