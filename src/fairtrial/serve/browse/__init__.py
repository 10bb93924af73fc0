"""Browse: overview, tasks, a task with its rollouts, a trajectory, findings. For owners; for others once it opens."""

from starlette.routing import BaseRoute

ROUTES: tuple[BaseRoute, ...] = ()

__all__ = ["ROUTES"]
