"""The same pages, alive: browse rollouts, review blind, compare pairs. Loopback by default, always a token."""

from fairtrial.serve.app import application
from fairtrial.serve.site import Reader, Role, Site, readers_named

__all__ = ["Reader", "Role", "Site", "application", "readers_named"]
