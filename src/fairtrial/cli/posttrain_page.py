"""What `posttrain run` and `posttrain board` print and write: a table of runs, what was found, the board, the pages."""

from __future__ import annotations

from rich.table import Table

from fairtrial import __version__
from fairtrial.board.result import Row
from fairtrial.checks.judged.visible import one_line
from fairtrial.cli.output import note, print_document, print_whole, stdout
from fairtrial.posttrain.document import CellResult, Told, document_of, exit_status
from fairtrial.posttrain.document.document import title_of
from fairtrial.posttrain.folder import write_document
from fairtrial.records import Estimate
from fairtrial.report.posttrain import write

SIGNS = {True: "●", False: "✗", None: "▢"}
RULES = ("contamination", "usage", "lookup", "identity", "edits")
MOST_LINE = 300


def show(told: Told, as_json: bool) -> int:
    """Write the document and the page beside the results, print one of them, and return the exit code."""
    document = document_of(told)
    write_document(told.results / "posttrain.json", document)
    page = write(document, told.results, f"fairtrial {__version__}")
    if as_json:
        print_document(document)
    else:
        _print(told)
    for line in told.lost:
        note(f"warning: lost to an error of the harness: {line}")
    note(f"written: {page}, and posttrain.json beside it")
    return exit_status(told)


def _print(told: Told) -> None:
    _say(title_of(told.bench))
    print_whole(_runs(told))
    for one in told.cells:
        _tell(one)
    if told.board is None:
        _say(f"no board: {told.no_board}")
        return
    _say("rank  by the score that counts")
    for row in told.board.rows:
        _say(f"{_rank(row):>4}  {row.label}  {number(row.score)}  {row.status}"
             + (f": {one_line(row.why, MOST_LINE)}" if row.status == "removed" else ""))  # fmt: skip
    for refused in told.board.refused:
        _say(f"refused: {refused.run}: {one_line(refused.why, MOST_LINE)}")


def _rank(row: Row) -> str:
    if row.rank is None:
        return "-"
    return f"{row.rank}" if row.last_rank == row.rank else f"{row.rank}–{row.last_rank}"


def _runs(told: Told) -> Table:
    table = Table(box=None, pad_edge=False)
    asked = any(one.decoys is not None for one in told.cells)
    for name in ("run", "own", *(["decoys"] if asked else []), "counts", "base", *RULES, "status"):
        table.add_column(name, justify="left" if name in ("run", "status") else "right")
    for one in told.cells:
        held = {each["rule"]: each["holds"] for each in (one.checks or {"checks": ()})["checks"]}
        signs = [SIGNS[held[rule]] if rule in held else "·" for rule in RULES]
        decoys = [number(one.decoys).split(" [")[0]] if asked else []
        table.add_row(
            one.cell.model, number(one.own), *decoys, number(one.counted), number(one.base), *signs, one.status
        )
    return table


def _tell(one: CellResult) -> None:
    if one.status == "clean" and not one.not_measured:
        return
    _say(f"{one.cell.model}: {one.status}{f', {one_line(one.why, MOST_LINE)}' if one.why else ''}")
    for each in one.document(one.folder.path.parents[4])["flags"]:
        _say(f"  ✗ {each['rule']}: {one_line(each['summary'], MOST_LINE)}")
        _say(f"    appeal: {each['appeal']}")
    for gap in one.not_measured:
        _say(f"  ▢ {gap['rule'] or 'not measured'}: {one_line('; '.join(gap['why']), MOST_LINE)}")


def number(estimate: Estimate | None) -> str:
    """Return an accuracy for a table."""
    if estimate is None or estimate.value is None:
        return "not measured"
    within = "" if estimate.low is None or estimate.high is None else (
        f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]")  # fmt: skip
    return f"{100 * estimate.value:.1f}%{within}"


def _say(line: str) -> None:
    stdout.print(line, markup=False, soft_wrap=True)
