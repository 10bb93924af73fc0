"""`fairtrial import PATH --format … --to LEDGER`: read other people's results into a ledger."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from fairtrial.cli.output import BAD_INPUT, DOES_NOT_HOLD, HOLDS, JsonFlag, note, print_document, stderr
from fairtrial.formats import READERS, Imported, Options, also_there, recognised, store
from fairtrial.ledger import Ledger
from fairtrial.records import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_MOST_SHOWN = 20
_FORMATS = ", ".join(READERS)


@app.command("import")
def import_(
    path: Annotated[Path, typer.Argument(help="File or folder to read.")],
    to: Annotated[Path, typer.Option("--to", help="Ledger folder; made if it is not there.")],
    format_: Annotated[str, typer.Option("--format", help=f"One of {_FORMATS}, or auto.")] = "auto",
    columns: Annotated[str, typer.Option(help="Names of a table's columns, ours=theirs,… such as task=problem.")] = "",
    as_recorded: Annotated[
        bool, typer.Option("--as-recorded", help="Keep verdicts that the source recorded although grading broke.")
    ] = False,
    suite: Annotated[str, typer.Option(help="Suite of rollouts that name none.")] = "",
    model: Annotated[str, typer.Option(help="Model of rollouts that name none.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Read results into a ledger; a wrong row is skipped with its line and the reason, and the rest is imported."""
    if not path.exists():
        raise InputError("there is no such file or folder", path=path)
    options = Options(columns=_mapping(columns), as_recorded=as_recorded, suite=suite, model=model)
    name = recognised(path) if format_ == "auto" else format_
    also = also_there(path, name) if format_ == "auto" else []
    if format_ == "auto":
        note(f"{path} looks like {name}")
    for other in also:
        note(f"{path} holds files of {other} too, which are not read; --format {other} reads them")
    if name not in READERS:
        raise InputError(f"`{name}` is not a format", field="--format", hint=f"Formats are: {_FORMATS}, auto.")
    with _bar() as bar:
        task = bar.add_task("rollouts", total=None)
        batches = READERS[name](path, options)
        first = next(batches, None)  # what cannot be read at all leaves no empty ledger behind
        rest = chain([first] if first else [], batches)
        imported = store(rest, Ledger.open(to, create=True), lambda rows, done: _show(bar, task, rows, done))
    _tell(imported, to, {"format": name, "also": also}, as_json)
    if imported.understood == 0:
        note(f"error: {path}: nothing could be imported")
        raise typer.Exit(BAD_INPUT)
    raise typer.Exit(DOES_NOT_HOLD if imported.skipped else HOLDS)


def _mapping(text: str) -> dict[str, str]:
    """Read `ours=theirs,…`."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    wrong = [ours for ours, sign, theirs in pairs if not (ours.strip() and sign and theirs.strip())]
    if wrong:
        raise InputError(f"`{wrong[0]}` is not ours=theirs", field="--columns", hint="--columns task=problem,passed=ok")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def _bar() -> Progress:
    """Return a progress bar that shows on a terminal only."""
    parts = (TextColumn("importing"), BarColumn(), MofNCompleteColumn(), TextColumn("rollouts"), TimeElapsedColumn())
    return Progress(*parts, console=stderr, transient=True, disable=not stderr.is_terminal)


def _show(bar: Progress, task: object, rows: int, done: float | None) -> None:
    bar.update(task, completed=rows, total=None if not done else int(rows / done))  # type: ignore[arg-type]


def _tell(imported: Imported, ledger: Path, told: dict[str, Any], as_json: bool) -> None:
    """Print the document, or the same in words."""
    if as_json:
        print_document(imported.document() | told)
        return
    typer.echo(f"{imported.rollouts:,} rollouts and {imported.verdicts:,} verdicts added to {ledger}")
    if imported.ungraded:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(imported.reasons.items()))
        typer.echo(f"{imported.ungraded:,} of them ungraded: {reasons}")
    if imported.duplicates:
        typer.echo(f"{imported.duplicates:,} rows said nothing new")
    if imported.conflicts:
        typer.echo(f"{imported.conflicts:,} rollouts have verdicts that disagree: ungraded (conflict)")
    for told_of in imported.notes[:_MOST_SHOWN]:
        note(told_of)
    if len(imported.notes) > _MOST_SHOWN:
        note(f"… and {len(imported.notes) - _MOST_SHOWN:,} more such notes; --json lists all")
    for skip in imported.skipped[:_MOST_SHOWN]:
        typer.echo(f"skipped {skip.where}: {skip.why}", err=True)
    if len(imported.skipped) > _MOST_SHOWN:
        note(f"… and {len(imported.skipped) - _MOST_SHOWN:,} more rows skipped; --json lists all")
