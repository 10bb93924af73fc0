"""`fairtrial report LEDGER --out DIR`: write the report of a ledger as HTML, Markdown and JSON, and print it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.output import JsonFlag, note, print_document, stdout
from fairtrial.ledger import Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Options, measure
from fairtrial.report import build, write
from fairtrial.report.audited import read_audited
from fairtrial.report.gather import has_rollouts, nothing_measured, read_context, read_findings, read_proofs
from fairtrial.report.terminal import WIDEST, terminal
from fairtrial.report.trained import read_trained

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(name="report")
def report_command(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    out: Annotated[Path, typer.Option(help="Folder for report.html, report.md and report.json.")],
    model: Annotated[
        str, typer.Option(help="The model the data is for; without it, the one with most tasks in its band.")
    ] = "",
    title: Annotated[str, typer.Option(help="Title of the page; without it, the name of the suite.")] = "",
    group_size: Annotated[int, typer.Option(help="Rollouts in one GRPO group.", min=2, max=4096)] = 16,
    strong: Annotated[str, typer.Option(help="Strong model; without it, the highest pass rate.")] = "",
    weak: Annotated[str, typer.Option(help="Weak model; without it, the lowest pass rate.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Measure LEDGER and write its report; what was not measured stands beside what was."""
    held = Ledger.open(ledger)
    options = Options(group_size=group_size, strong=strong, weak=weak, seed=seed)
    measured = (
        measure(observe(held, Selection()), options) if has_rollouts(held) else nothing_measured(group_size, seed)
    )
    proofs = read_proofs(held)
    context = read_context(held, proofs, title=title, model=model, commands=_commands(ledger, out, model, options))
    report = build(measured, proofs, read_findings(held, proofs), context, read_audited(held, proofs),
                   read_trained(held, seed))  # fmt: skip
    paths = write(report, out)
    if as_json:
        print_document({"schema": report.schema, "paths": {kind: str(path) for kind, path in paths.items()}}
                       | {name: part for name, part in report.document().items() if name != "schema"})  # fmt: skip
        return
    stdout.print(terminal(report), width=min(stdout.width, WIDEST))
    note(f"\nwritten: {', '.join(str(path) for path in paths.values())}")


def _commands(ledger: Path, out: Path, model: str, options: Options) -> list[str]:
    """Return the commands that make the report and its figures again."""
    figures = ["--group-size", str(options.group_size), "--seed", str(options.seed)]
    figures += [word for name, label in (("--strong", options.strong), ("--weak", options.weak)) if label
                for word in (name, label)]  # fmt: skip
    chosen = ["--model", model] if model else []
    return [
        shlex.join(["fairtrial", "report", str(ledger), "--out", str(out), *chosen, *figures]),
        shlex.join(["fairtrial", "measure", str(ledger), *figures, "--suspects", "--json"]),
    ]
