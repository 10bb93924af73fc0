"""Review: the queue, one rollout and its decision, disagreements, agreement. Blind until the sample is closed."""

from starlette.routing import BaseRoute

ROUTES: tuple[BaseRoute, ...] = ()

__all__ = ["ROUTES"]
