"""`fairtrial board LEDGER… --rules RULES.toml`: rank models on equal terms, with the rule breakers out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.board.changes import Changes, changes
from fairtrial.board.document import document_of
from fairtrial.board.make import make_board
from fairtrial.board.result import Board, Options
from fairtrial.board.runs import read_records
from fairtrial.board.versions import Version, keep_version, numbers, read_version
from fairtrial.cli.board_page import change_lines, page
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole
from fairtrial.records import InputError
from fairtrial.report.board import Limits, write_pages
from fairtrial.report.words import plural
from fairtrial.rules.schema import read_rules

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def board(
    ledgers: Annotated[list[Path], typer.Argument(metavar="LEDGER...", help="Ledger folders.")],
    rules: Annotated[Path, typer.Option("--rules", help="The benchmark's rules.toml.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the pages, and for the versions of the board.")
    ] = None,
    since: Annotated[
        int | None,
        typer.Option("--since", min=1, help="Say what changed since this version; the last but one if not named."),
    ] = None,
    trajectories: Annotated[
        int, typer.Option("--trajectories", min=0, help="Most rollouts of a row whose steps get a page.")
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the bootstrap behind the ranks.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Rank the models of every LEDGER on equal terms; runs that differ are refused by name, rule breakers penalised."""
    if since is not None and out is None:
        raise InputError("names a version, and no folder that keeps versions", field="--since", hint="Add --out DIR.")
    if out is not None and (out / "ledger.json").exists():
        raise InputError("is a ledger, and pages do not belong in one", path=out, field="--out",
                         hint="Name a folder of its own.")  # fmt: skip
    read = read_rules(rules)
    made = make_board(read_records(ledgers), read, Options(seed=seed))
    document = document_of(made)
    changed: Changes | None = None
    if out is not None:
        version, changed = _versions(out, document, rules, since)
        document = document | {"version": version.number, "changes": changed.document() if changed else None}
        left_out = write_pages(made, out, version, changed, ledgers, Limits(trajectories=trajectories))
        for line in left_out:
            note(f"note: {line}")
    if as_json:
        print_document(document)
    else:
        print_whole(page(made))
        for line in change_lines(changed) if changed else ():
            note(line)
    if out is not None:
        note(f"written: {out / 'index.html'}, version {document['version']}")
    raise typer.Exit(_exit_code(made))


def _versions(out: Path, document: dict[str, Any], rules: Path, since: int | None) -> tuple[Version, Changes | None]:
    """Keep this board where it is new, and compare it with the version before it, or with `since`."""
    earlier = read_version(out, since) if since is not None else None
    version, _ = keep_version(out, document, rules.read_bytes())
    if earlier is None:
        before = [number for number in numbers(out) if number < version.number]
        earlier = read_version(out, before[-1]) if before else None
    return version, changes(earlier, version) if earlier else None


def _exit_code(made: Board) -> int:
    if made.refused:
        told = plural(len(made.refused), "run is refused", "runs are refused")
        note(f"error: {told}" + ("" if made.rows else ", and no other is there"))
        return DOES_NOT_HOLD
    if not any(row.rank is not None for row in made.rows):
        note("error: no row has a score")
        return NOT_MEASURED
    return HOLDS
