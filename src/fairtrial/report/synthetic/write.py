"""Write the page of a generated suite: synthetic.html, synthetic.md and synthetic.json, each whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from fairtrial.records import InputError
from fairtrial.report.charts import Drawing, draw_figure
from fairtrial.report.data import Report
from fairtrial.report.html import environment, style
from fairtrial.report.markdown import markdown
from fairtrial.report.write import put


def html(report: Report) -> str:
    """Return the page as one HTML file."""
    drawings: dict[str, tuple[Drawing, ...]] = {
        figure.key: draw_figure(figure)
        for section in report.sections
        for block in section.blocks
        for figure in block.figures
    }
    return environment().get_template("synthetic.html.j2").render(report=report, drawings=drawings, style=style())


def write(report: Report, document: Mapping[str, Any], folder: Path) -> dict[str, Path]:
    """Write the page and `document` into `folder`, made if absent; return the paths by kind. Raise InputError."""
    whole = orjson.dumps(dict(document), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    made = {"html": html(report).encode("utf-8", "replace"), "md": markdown(report).encode("utf-8", "replace"),
            "json": whole}  # fmt: skip
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {kind: put(folder / f"synthetic.{kind}", data) for kind, data in made.items()}
    except OSError as error:
        raise InputError(f"could not write the page of the suite: {error.strerror or error}", path=folder,
                         hint="Name another folder with --out.") from error  # fmt: skip
