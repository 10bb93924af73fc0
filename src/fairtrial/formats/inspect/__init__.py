"""Inspect AI's `.eval` logs: samples as rollouts, scores as verdicts."""

from fairtrial.formats.inspect.reading import looks_like, read

__all__ = ["looks_like", "read"]
