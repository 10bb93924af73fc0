"""`fairtrial watch RUN`: outages, broken graders, hacks and collapse of a training run, as it goes on or later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.output import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_MEASURED,
    JsonFlag,
    note,
    print_document,
    print_whole,
    stdout,
)
from fairtrial.cli.watch_page import page
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.report.watch import page_of, write
from fairtrial.report.words import visible
from fairtrial.serve.watching import serve_watch
from fairtrial.train.watch import Watched, is_log, of_runs, watch_ledger, watch_log

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def watch(
    run: Annotated[Path, typer.Argument(help="Folder of `fairtrial train --out`, of one seed, or a ledger.")],
    model: Annotated[str, typer.Option(help="Of a ledger: rollouts of this model alone.")] = "",
    serve: Annotated[bool, typer.Option("--serve", help="Serve a page that follows the run, until Ctrl-C.")] = False,
    port: Annotated[int, typer.Option(help="Port of --serve; 0 takes one that is free.", min=0, max=65_535)] = 8322,
    out: Annotated[Path | None, typer.Option(help="Folder that takes watch.html, watch.md and watch.json.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Watch the training run RUN: say which of its steps are fit for a claim, and why others are not."""
    if serve and (as_json or out):
        raise InputError(
            "serves a page, and prints or writes none", field="--serve", hint="Leave --json and --out out."
        )

    def read() -> tuple[Watched, ...]:
        return _read(run, model)

    runs = read()
    if serve:
        where = visible(str(run))
        serve_watch(read, run, port, lambda link: stdout.print(f"{where} is watched at {link}", markup=False,
                                                               soft_wrap=True))  # fmt: skip
        note("stopped")
        return
    if out is not None:
        for path in write(page_of(runs, f"{run}"), runs, out).values():
            note(f"wrote {path}")
    if as_json:
        print_document(of_runs(runs))
    else:
        print_whole(page(runs))
    raise typer.Exit(_exit_code(runs))


def _read(run: Path, model: str) -> tuple[Watched, ...]:
    if is_log(run):
        if model:
            raise InputError("is for ledgers; a run's folder holds one model", field="--model")
        return watch_log(run)
    if (run / "ledger.json").exists() or not run.is_dir():
        return watch_ledger(Ledger.open(run), model)
    return watch_log(run)


def _exit_code(runs: tuple[Watched, ...]) -> int:
    if not any(step.attempts for one in runs for step in one.steps):
        note("error: no step sampled anything, so nothing could be watched")
        return NOT_MEASURED
    is_above = any(one.against_line == "above" for one in runs)
    return DOES_NOT_HOLD if is_above or any(alarm.is_grave for one in runs for alarm in one.alarms) else HOLDS
