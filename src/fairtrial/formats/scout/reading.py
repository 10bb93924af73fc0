"""Inspect Scout's transcripts in Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairtrial.formats.batch import Batch, Options
from fairtrial.records import FormatError


def looks_like(path: Path) -> bool:
    """Say whether a file or folder is of this format, from names and first bytes."""
    return False


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield what is at `path`."""
    raise FormatError("not read yet", path=path)
