"""`fairtrial prove PATH…`: prove graders on candidates whose score is known."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairtrial import __version__
from fairtrial.cli.options import (
    ALL_RUNNERS,
    Concurrency,
    PassAt,
    Repeats,
    RunnerNames,
    SandboxName,
    Seed,
    named_runners,
)
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.grade import PASS_AT
from fairtrial.ledger import Ledger, Writer
from fairtrial.prove import ProvenTask, ProveOptions, case_of, probes_wanted, prove, trials_wanted
from fairtrial.records import InputError
from fairtrial.run import LocalEngine, Tried
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, load_suite

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

MARKS = {"proven": "● proven", "refuted": "◆ refuted", "inconclusive": "▢ inconclusive"}


@app.command()
def prove_(
    paths: Annotated[list[Path], typer.Argument(help="Task folders, or folders of them.")],
    repeats: Repeats = 3,
    concurrency: Concurrency = 4,
    sandbox: SandboxName = "",
    only: Annotated[str, typer.Option(help="One probe by its label, such as reference or defect:NAME.")] = "",
    pass_at: PassAt = PASS_AT,
    known_only: Annotated[
        bool, typer.Option("--known-only", help="Ask no probe; grade known candidates alone.")
    ] = False,
    mutants: Annotated[int, typer.Option("--mutants", min=1, help="Most submissions of one probe.")] = 24,
    runners: RunnerNames = ALL_RUNNERS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Grade again what the cache knows.")] = False,
    ledger: Annotated[Path | None, typer.Option(help="Ledger that keeps the proofs and findings.")] = None,
    seed: Seed = 0,
    as_json: JsonFlag = False,
) -> None:
    """Grade nothing, the reference and every declared candidate, repeatedly and at once, and say what that proves."""
    options = ProveOptions(
        repeats=repeats, concurrency=concurrency, only=only, pass_at=pass_at, seed=seed, known_only=known_only,
        mutants=mutants, runners=named_runners(runners), fresh=fresh or bool(only),
    )  # fmt: skip
    where = choose(sandbox)
    book = Ledger.open(ledger, create=True) if ledger is not None else None
    proven: list[ProvenTask] = []
    for path in paths:
        proven += prove_suite(load_suite(path), where, options, book)
    if as_json:
        print_document({"schema": "fairtrial.proof/1", "sandbox": where.name, "isolated": where.capability().isolated,
                        "tasks": [task.document() for task in proven]})  # fmt: skip
    else:
        print_proofs(proven)
    raise typer.Exit(exit_code(proven))


def prove_suite(suite: Suite, sandbox: Sandbox, options: ProveOptions, ledger: Ledger | None) -> list[ProvenTask]:
    """Prove `suite` with progress on stderr, and keep proofs, findings and known rollouts in `ledger`."""
    cases = [case_of(task, suite.keys[task.name], sandbox, options) for task in suite.tasks]
    _refuse_unknown_probe(options.only, {known.label for case in cases for known in case.known})
    with (
        Writer(ledger) if ledger is not None else nullcontext() as writer,
        Ticker("prove", trials_wanted(cases, options)) as ticker,
        LocalEngine(max(options.concurrency, os.cpu_count() or 1)) as engine,
    ):

        def on_tried(one: Tried) -> None:
            if writer is not None:
                one.keep(writer)
            ticker.tick()

        proven = prove(suite, sandbox, engine, options, tool=__version__, on_tried=on_tried, on_more=ticker.expect)
    if ledger is not None:
        ledger.append("findings", [finding for task in proven for finding in task.findings])
        ledger.append("proofs", [task.proof for task in proven])
    return proven


def exit_code(proven: list[ProvenTask]) -> int:
    """Return 1 where any grader is refuted, else 3 where any is inconclusive, else 0."""
    statuses = {task.proof.status for task in proven}
    return DOES_NOT_HOLD if "refuted" in statuses else NOT_MEASURED if "inconclusive" in statuses else HOLDS


def print_proofs(proven: list[ProvenTask]) -> None:
    """Print a line a task, then each finding with its command, then what was not measured."""
    table = Table("task", "status", "gradings", "proofs", "leads", box=None, padding=(0, 2, 0, 0))
    for task in proven:
        proofs = sum(finding.severity == "proof" for finding in task.findings)
        table.add_row(task.proof.task, MARKS[task.proof.status], str(task.proof.gradings), str(proofs),
                      str(len(task.findings) - proofs))  # fmt: skip
    stdout.print(table)
    for task in proven:
        for finding in task.findings:
            mark = "◆ proof" if finding.severity == "proof" else "△ lead"
            stdout.print(f"\n{mark}  {finding.task}: {finding.claim}", markup=False)
            stdout.print(f"  $ {finding.command}", markup=False, style="dim", soft_wrap=True)
        for why, probes in _lacking(task).items():
            stdout.print(f"\n▢ not measured  {task.proof.task}: {', '.join(probes)}", markup=False)
            stdout.print(f"  {why}", markup=False, style="dim")


def _lacking(task: ProvenTask) -> dict[str, list[str]]:
    """Return why -> the required probes that were not measured for it."""
    lacking: dict[str, list[str]] = {}
    for probe, why in task.proof.not_measured:
        if probe.split(":")[0] in task.proof.required:
            lacking.setdefault(why, []).append(probe)
    return lacking


def _refuse_unknown_probe(only: str, labels: set[str]) -> None:
    repeats = {f"wrong_repeat:{label.split(':', 1)[1]}" for label in labels if label.startswith(("defect:", "hack:"))}
    known = labels | repeats | {"reference_repeat", "reference_concurrent", "wrong_repeat:null"}
    if only and only not in known and not probes_wanted(only):
        hint = f"It knows: {', '.join(sorted(known))}; and the probes that `fairtrial attack --list` names."
        raise InputError(f"there is no probe `{only}` here", field="--only", hint=hint)
