"""`fairtrial measure LEDGER`: what the tasks of a ledger are worth as training data, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.output import JsonFlag, print_document, stdout
from fairtrial.ledger import Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Options, measure
from fairtrial.measure.document import document_of

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(name="measure")
def measure_command(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    group_size: Annotated[int, typer.Option(help="Rollouts in one GRPO group.", min=2, max=4096)] = 16,
    strong: Annotated[str, typer.Option(help="Strong model; without it, the one with the highest pass rate.")] = "",
    weak: Annotated[str, typer.Option(help="Weak model; without it, the one with the lowest pass rate.")] = "",
    suspects: Annotated[bool, typer.Option(help="List tasks whose key or grader the models contradict.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Say what the tasks of LEDGER are worth: pass rates, pass@k, gradient, strong against weak."""
    observed = observe(Ledger.open(ledger), Selection(answers=suspects))
    measured = measure(observed, Options(group_size=group_size, strong=strong, weak=weak, suspects=suspects, seed=seed))
    if as_json:
        print_document(document_of(measured))
        return
    stdout.print(measured)
