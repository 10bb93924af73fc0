"""The application: every area gives its routes, the door stands before them all."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from fairtrial.serve import browse, pairs, review
from fairtrial.serve.browse.kept import Kept
from fairtrial.serve.door import Door
from fairtrial.serve.pages import STATIC, report_style
from fairtrial.serve.site import Site
from fairtrial.serve.steps import Shelf
from fairtrial.serve.trouble import HANDLERS


def application(site: Site) -> Starlette:
    """Return the ASGI application of `site`."""
    routes: list[BaseRoute] = [Route("/static/report.css", report_style),
                               Mount("/static", StaticFiles(directory=STATIC)), *browse.ROUTES, *review.ROUTES,
                               *pairs.ROUTES]  # fmt: skip
    app = Starlette(routes=routes, middleware=[Middleware(Door, site=site)], exception_handlers=HANDLERS)
    app.state.site = site
    app.state.shelf = Shelf(site.ledger)
    app.state.kept = Kept(site.ledger)
    return app
