"""Inspect Scout's transcripts in Parquet."""

from fairtrial.formats.scout.reading import looks_like, read

__all__ = ["looks_like", "read"]
