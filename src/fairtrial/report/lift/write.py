"""Write the page of a lift to a folder: lift.html, lift.md, lift.json, each whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from fairtrial.records import InputError
from fairtrial.report.charts import draw_figure
from fairtrial.report.data import Report
from fairtrial.report.html import TEMPLATES, environment, style
from fairtrial.report.markdown import markdown
from fairtrial.report.write import put


def html(report: Report) -> str:
    """Return the page as one HTML file."""
    figures = [figure for section in report.sections for block in section.blocks for figure in block.figures]
    drawings = {figure.key: draw_figure(figure) for figure in figures}
    return (
        environment()
        .get_template("lift.html.j2")
        .render(report=report, drawings=drawings, style=style() + _own_style())
    )


@cache
def _own_style() -> str:
    return (TEMPLATES / "lift.css").read_text(encoding="utf-8")


def write(report: Report, document: Mapping[str, Any], folder: Path) -> dict[str, Path]:
    """Write the page and `document`, what `fairtrial lift --json` prints, into `folder`; return the paths by kind.

    Raise InputError where the folder cannot be written.
    """
    whole = orjson.dumps(dict(document), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    made = {"html": html(report).encode(), "md": markdown(report).encode(), "json": whole}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {kind: put(folder / f"lift.{kind}", data) for kind, data in made.items()}
    except OSError as error:
        raise InputError(
            f"could not write the page of the lift: {error.strerror or error}",
            path=folder,
            hint="Name another folder with --out.",
        ) from error


__all__ = ["html", "markdown", "write"]
