"""HTML of a watched run: one self-contained file by the report's templates."""

from __future__ import annotations

from fairtrial.report.charts import Drawing, draw_figure
from fairtrial.report.data import Report
from fairtrial.report.html import environment, style


def html(report: Report) -> str:
    """Return the page as one HTML file."""
    return environment().get_template("watch.html.j2").render(report=report, drawings=drawings(report), style=style())


def drawings(report: Report) -> dict[str, tuple[Drawing, ...]]:
    """Return the drawings of every figure, by its key."""
    return {figure.key: draw_figure(figure) for section in report.sections for block in section.blocks
            for figure in block.figures}  # fmt: skip
