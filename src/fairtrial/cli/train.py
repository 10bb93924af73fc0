"""`fairtrial train RECIPE.toml --out DIR`: train what a recipe says, and evaluate what it fixed before training."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.cli.options import Unisolated
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, JsonFlag, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.train.running.run import Run, RunOptions, run_recipe

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def train(
    recipe: Annotated[Path, typer.Argument(help="The recipe, a TOML file.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the run; made, or resumed.")],
    ledger: Annotated[
        Path | None, typer.Option(help="Ledger of evaluations and checkpoints [default: DIR/ledger].")
    ] = None,
    seed: Annotated[list[int] | None, typer.Option(help="Only this seed of the recipe; may be repeated.")] = None,
    at_once: Annotated[int, typer.Option(min=1, help="How many seeds train side by side.")] = 1,
    resume: Annotated[bool, typer.Option(help="Go on with a run that DIR holds, from its last checkpoints.")] = True,
    go_on: Annotated[
        bool, typer.Option("--go-on", help="Go on past the step at which the watch paused the run.")
    ] = False,
    evaluate_step: Annotated[
        int | None, typer.Option(min=0, help="Train nothing; evaluate this step. Exploratory unless it was planned.")
    ] = None,
    grader: Annotated[
        str, typer.Option(metavar="MODULE:FUNCTION", help="A function of yours that pays in place of `grade`.")
    ] = "",
    allow_unisolated: Unisolated = False,
    as_json: JsonFlag = False,
) -> None:
    """Train the model that RECIPE describes, each seed in turn, and evaluate the checkpoints that it fixed."""
    options = RunOptions(ledger=ledger, seeds=tuple(seed or ()), at_once=at_once, resume=resume, go_on=go_on,
                         explore=evaluate_step, grader=grader,
                         allow_unisolated=allow_unisolated)  # fmt: skip
    with Ticker("train", 0) as ticker:

        def heard(of: int, document: dict[str, Any]) -> None:
            if "step" in document:
                ticker.tick(_said(of, document))
            if "note" in document:
                note(f"note: seed {of}: {document['note']}")

        done = run_recipe(recipe, out, options, heard, ticker.expect)
    for line in done.notes:
        note(f"note: {line}")
    for end in done.failed:
        note(f"error: seed {end.seed}: {end.error}")
    if as_json:
        print_document(_document(done))
    else:
        _print(done)
    if done.failed:
        raise typer.Exit(max(end.exit_code for end in done.failed))
    raise typer.Exit(DOES_NOT_HOLD if done.paused else HOLDS)


def _said(seed: int, document: dict[str, Any]) -> str:
    """Return what is shown of a step: the pass rate where attempts were graded, else the loss."""
    rate, loss = document["pass_rate"], document["loss"]
    if rate is not None:
        return f"seed {seed} pass rate {rate:.0%}"
    return f"seed {seed}" + (f" loss {loss:.3f}" if loss is not None else "")


def _print(done: Run) -> None:
    for end in done.seeds:
        how = "did not end" if end.error else f"paused: {end.paused}" if end.paused else "whole"
        stdout.print(f"seed {end.seed}: {end.steps} steps, {how}; {end.attempts_added} attempts added", markup=False)
    stdout.print(f"ledger {done.ledger}", markup=False)


def _document(done: Run) -> dict[str, Any]:
    recipe = done.resolved.recipe
    return {
        "schema": "fairtrial.train/1",
        "model": recipe.name,
        "base": recipe.base_name,
        "recipe": done.resolved.hash,
        "ledger": str(done.ledger),
        "notes": list(done.notes),
        "seeds": [
            {"seed": end.seed, "steps": end.steps, "whole": end.whole, "paused": end.paused,
             "attempts_added": end.attempts_added, "error": end.error}
            for end in done.seeds
        ],
    }  # fmt: skip
