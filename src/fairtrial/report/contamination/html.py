"""HTML of a scan's page: one self-contained file by the report's templates. Rows are hostile, and all are escaped."""

from __future__ import annotations

from functools import cache

from fairtrial.report.contamination.data import ScanPage
from fairtrial.report.html import TEMPLATES, environment, style


def html(page: ScanPage) -> str:
    """Return the page as one HTML file."""
    template = environment().get_template("contamination.html.j2")
    return template.render(page=page, report=page.report, drawings={}, style=style() + _own_style())


@cache
def _own_style() -> str:
    return (TEMPLATES / "contamination.css").read_text(encoding="utf-8")
