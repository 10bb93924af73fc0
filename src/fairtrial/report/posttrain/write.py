"""Write the page of a post-training benchmark beside its results: one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fairtrial.records import InputError
from fairtrial.report.html import TEMPLATES, environment, style
from fairtrial.report.posttrain.evidence import flags_shown
from fairtrial.report.posttrain.page import page_of
from fairtrial.report.write import put

NAME = "posttrain.html"


def html(document: Mapping[str, Any], tool: str = "fairtrial") -> str:
    """Return the page of a document `fairtrial.posttrain/1`."""
    template = environment().get_template("posttrain.html.j2")
    return template.render(report=page_of(document, tool), flags=flags_shown(document), drawings={},
                           style=style() + _own_style())  # fmt: skip


@cache
def _own_style() -> str:
    return "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("contamination.css", "posttrain.css"))


def write(document: Mapping[str, Any], folder: Path, tool: str = "fairtrial") -> Path:
    """Write the page into `folder` and return its path. Raise InputError where it cannot be written."""
    try:
        return put(folder / NAME, html(document, tool).encode())
    except OSError as error:
        raise InputError(f"could not write the page: {error.strerror or error}", path=folder / NAME) from error
