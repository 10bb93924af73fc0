"""Pair review: two rollouts of one task side by side, blind, in either order."""

from fairtrial.serve.pairs.routes import ROUTES

__all__ = ["ROUTES"]
