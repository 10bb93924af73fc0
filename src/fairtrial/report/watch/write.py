"""Write the page of a watched run to a folder: watch.html, watch.md and watch.json, each whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairtrial.records import InputError
from fairtrial.report.data import Report
from fairtrial.report.markdown import markdown
from fairtrial.report.watch.html import html
from fairtrial.report.write import put
from fairtrial.train.watch import Watched, of_runs
from fairtrial.train.watch.document import to_json


def write(report: Report, runs: Sequence[Watched], folder: Path) -> dict[str, Path]:
    """Write the files into `folder`, made if absent; return their paths by kind. Raise InputError on failure."""
    made = {"html": html(report).encode("utf-8", errors="replace"),
            "md": markdown(report).encode("utf-8", errors="replace"), "json": to_json(of_runs(runs))}  # fmt: skip
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {kind: put(folder / f"watch.{kind}", data) for kind, data in made.items()}
    except OSError as error:
        raise InputError(f"could not write the page of the run: {error.strerror or error}", path=folder,
                         hint="Name another folder with --out.") from error  # fmt: skip
