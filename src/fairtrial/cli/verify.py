"""`fairtrial verify CERTIFICATE SUITE…`: does a certificate still say what is so?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairtrial import __version__
from fairtrial.cli.options import Seed
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.prove.certificate import Verification, VerifiedTask, plan, read_certificate, verify
from fairtrial.records import SandboxError
from fairtrial.run import LocalEngine
from fairtrial.sandbox import Sandbox, find
from fairtrial.tasks import load_suite

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

WORDS = {True: "● holds", False: "◆ does not hold", None: "▢ not measured"}
EXITS = {True: HOLDS, False: DOES_NOT_HOLD, None: NOT_MEASURED}


@app.command()
def verify_(
    certificate: Annotated[Path, typer.Argument(help="What `fairtrial prove --certificate FILE` wrote.")],
    suites: Annotated[list[Path], typer.Argument(metavar="SUITE...", help="The folders that were proven.")],
    sample: Annotated[int, typer.Option("--sample", min=0, help="Probes of each task to try again.")] = 5,
    seed: Seed = 0,
    as_json: JsonFlag = False,
) -> None:
    """Check the hashes of CERTIFICATE against SUITE, and grade a sample of its probes afresh."""
    read = read_certificate(certificate)
    where = _sandbox_of(read.certificate.circumstances.sandbox, certificate)
    loaded = [load_suite(path) for path in suites]
    chosen = plan(read, loaded, where, tool=__version__, sample=sample, seed=seed)
    workers = max(chosen.options.concurrency, os.cpu_count() or 1)
    with Ticker("verify", chosen.count) as ticker, LocalEngine(workers) as engine:
        found = verify(chosen, where, engine, ticker.tick)
    if as_json:
        print_document(found.document() | {"certificate": str(certificate)})
    else:
        _print(found)
    raise typer.Exit(EXITS[found.holds])


def _sandbox_of(name: str, certificate: Path) -> Sandbox:
    """Return the sandbox that a certificate names. Raise SandboxError where it does not work here."""
    sandbox = find(name)
    capability = sandbox.capability()
    if not capability.available:
        raise SandboxError(f"it was proven in the sandbox `{name}`, which does not work here: {capability.why}",
                           path=certificate, field="circumstances.sandbox")  # fmt: skip
    return sandbox


def _print(found: Verification) -> None:
    """Print a line a task, then what moved, then each outcome that differs, wavered or could not be measured."""
    if found.is_edited:
        stdout.print("◆ the certificate was edited after it was written: its content no longer has its hash\n")
    table = Table("task", "", "hashes", "tried again", "agree", box=None, padding=(0, 2, 0, 0))
    for task in found.tasks:
        gone = [name for name, word in task.hashes.items() if word == "moved"]
        agreeing = sum(rerun.agrees is True for rerun in task.reruns)
        table.add_row(task.task, WORDS[task.holds], f"moved: {', '.join(gone)}" if gone else "same",
                      str(len(task.reruns)), str(agreeing))  # fmt: skip
    stdout.print(table)
    for task in found.tasks:
        _print_differences(task)
    if found.uncovered:
        stdout.print(f"\n◆ the certificate says nothing of: {', '.join(found.uncovered)}", markup=False)
    for name, (then, now) in found.host.items():
        stdout.print(f"\n△ host  {name}: {then or 'unknown'} when recorded, {now or 'unknown'} here", markup=False)
    stdout.print(f"\n{WORDS[found.holds]}", markup=False)


def _print_differences(task: VerifiedTask) -> None:
    if task.why:
        stdout.print(f"\n◆ {task.task}: {task.why}", markup=False)
    for one in task.void:
        stdout.print(f"\n▢ void  {task.task}: {one.reviewer} ({one.role}) on the {one.part}: said of {one.was}, "
                     f"and now it is {one.now or 'gone'}", markup=False, soft_wrap=True)  # fmt: skip
    for rerun in task.reruns:
        if rerun.agrees is True and not rerun.note:
            continue
        label = rerun.recorded.probe + ("" if rerun.recorded.runner == "ours" else f" [{rerun.recorded.runner}]")
        mark = {True: "△ agrees", False: "◆ differs", None: "▢ not measured"}[rerun.agrees]
        stdout.print(f"\n{mark}  {task.task}: {label}: {rerun.note}", markup=False)
        stdout.print(f"  $ {rerun.recorded.command}", markup=False, style="dim", soft_wrap=True)
