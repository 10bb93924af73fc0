"""Pair review: two rollouts of one task side by side, blind, in either order."""

from starlette.routing import BaseRoute

ROUTES: tuple[BaseRoute, ...] = ()

__all__ = ["ROUTES"]
