"""The half of `fairtrial export` that writes for others' viewers: Scout, Inspect, Docent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from fairtrial.audit.shown import Meant, export_view
from fairtrial.cli.output import note, print_document
from fairtrial.cli.progress import Ticker
from fairtrial.ledger import Ledger
from fairtrial.report.words import plural

_SHOWN = 9
"""Files that are named on the terminal."""


def export_for_viewer(ledger: Ledger, format_: str, meant: Meant, out: Path, as_json: bool) -> None:
    """Write the files and say what was written, what was left out and what was withheld."""
    with Ticker("rollouts written", 0) as ticker:
        document = export_view(ledger, format_, meant, out, ticker.tick)
    if as_json:
        print_document({**document, "out": str(out)})
    else:
        _tell(document, out)


def _tell(document: dict[str, Any], out: Path) -> None:
    typer.echo(f"{plural(document['written'], 'rollout')} for {document['format']} in {out}")
    for file in document["files"][:_SHOWN]:
        typer.echo(f"  {file['path']}  {plural(file['rows'], 'row')}: {file['what']}")
    if more := document["files"][_SHOWN:]:
        typer.echo(f"  and {plural(len(more), 'file')} more; export.json names all")
    for title, name in (("left out", "left_out"), ("of them", "counts"), ("withheld", "withheld")):
        if document[name]:
            told = ", ".join(f"{why.replace('_', ' ')} {count:,}" for why, count in document[name].items())
            typer.echo(f"{title}: {told}")
    for line in document["notes"]:
        note(f"note: {line}")
