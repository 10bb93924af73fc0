"""The same pages, alive: browse rollouts, review blind, compare pairs. Loopback by default, always a token."""

__all__: list[str] = []
