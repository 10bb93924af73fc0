"""Templates to answers: the report's own macros, filters and style, and beside them the templates of the live pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse

from fairtrial.report.html import environment as report_environment
from fairtrial.serve.site import Reader, Site

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"


@cache
def environment() -> Environment:
    """Return the report's templates' environment, with the live pages' templates found first."""
    loaders = [FileSystemLoader(TEMPLATES), report_environment().loader]
    return report_environment().overlay(loader=ChoiceLoader([loader for loader in loaders if loader is not None]))


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return `template` rendered for the reader of `request`; everything in `values` is escaped."""
    text = environment().get_template(template).render(reader=reader_of(request), path=request.url.path, **values)
    return HTMLResponse(text, status_code=status)


def reader_of(request: Request) -> Reader:
    """Return who asks; the door has let them in."""
    reader: Reader = request.state.reader
    return reader


def site_of(request: Request) -> Site:
    """Return the site that is asked."""
    site: Site = request.app.state.site
    return site
