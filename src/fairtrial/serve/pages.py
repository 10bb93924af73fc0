"""Templates to answers: the report's own macros, filters and style, and beside them the templates of the live pages."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fairtrial.audit.taxonomy import words
from fairtrial.records import Citation
from fairtrial.report.charts import Drawing
from fairtrial.report.html import environment as report_environment
from fairtrial.report.html import style
from fairtrial.report.numbers import count
from fairtrial.report.words import visible
from fairtrial.serve.evidence import linked, pretty, seconds_words
from fairtrial.serve.sight import ways
from fairtrial.serve.site import Reader, Site
from fairtrial.serve.steps.hostile import shown
from fairtrial.serve.steps.shelf import Shelf

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"
_WIDTH = re.compile(r'style="max-width:([\d.]+)px"')


@cache
def environment() -> Environment:
    """Return the report's templates' environment, with the live pages' templates found first."""
    loaders = [FileSystemLoader(TEMPLATES), report_environment().loader]
    made = report_environment().overlay(loader=ChoiceLoader([loader for loader in loaders if loader is not None]))
    made.filters = report_environment().filters | {
        "shown": shown, "linked": linked, "visible": visible, "pretty": pretty, "seconds": seconds_words,
        "count": count, "words": words, "citation": Citation.read,
    }  # fmt: skip
    return made


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return `template` rendered for the reader of `request`; everything in `values` is escaped."""
    reader = reader_of(request)
    text = (
        environment().get_template(template).render(reader=reader, ways=ways(reader), path=request.url.path, **values)
    )
    return HTMLResponse(text, status_code=status)


def reader_of(request: Request) -> Reader:
    """Return who asks; the door has let them in."""
    reader: Reader = request.state.reader
    return reader


def site_of(request: Request) -> Site:
    """Return the site that is asked."""
    site: Site = request.app.state.site
    return site


def shelf_of(request: Request) -> Shelf:
    """Return where trajectories are read from."""
    shelf: Shelf = request.app.state.shelf
    return shelf


def by_attribute(drawing: Drawing) -> Drawing:
    """Return the drawing with its width as an attribute: the policy of live pages lets no inline style act."""
    return replace(drawing, svg=_WIDTH.sub(r'width="\1"', drawing.svg, count=1))


def report_style(_: Request) -> Response:
    """Return the report's own style sheet: the live pages look as the report does."""
    return Response(style(), media_type="text/css")
