"""Other people's files <-> records: one file a format, each a `read(path, options) -> Iterator[Batch]`."""

from collections.abc import Mapping
from pathlib import Path

from fairtrial.formats import table
from fairtrial.formats.batch import Batch, Options, Reader, Skipped
from fairtrial.formats.importing import Imported, store

READERS: Mapping[str, Reader] = {
    "table": table.read,
}


def recognised(path: Path) -> str:
    """Return the name of the format that `path` looks like."""
    return "table"


__all__ = ["READERS", "Batch", "Imported", "Options", "Reader", "Skipped", "recognised", "store"]
