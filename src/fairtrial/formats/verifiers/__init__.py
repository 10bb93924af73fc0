"""verifiers' results: v1 `traces.jsonl` and v0 `results.jsonl`."""

from fairtrial.formats.verifiers.reading import looks_like, read

__all__ = ["looks_like", "read"]
