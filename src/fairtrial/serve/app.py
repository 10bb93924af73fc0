"""The application: every area gives its routes, the door stands before them all."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from fairtrial.serve import browse, pairs, review
from fairtrial.serve.door import Door
from fairtrial.serve.pages import STATIC
from fairtrial.serve.site import Site


def application(site: Site) -> Starlette:
    """Return the ASGI application of `site`."""
    routes: list[BaseRoute] = [Mount("/static", StaticFiles(directory=STATIC)), *browse.ROUTES, *review.ROUTES,
                               *pairs.ROUTES]  # fmt: skip
    app = Starlette(routes=routes, middleware=[Middleware(Door, site=site)])
    app.state.site = site
    return app
