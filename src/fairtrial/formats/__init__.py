"""Other people's files <-> records: one file a format, each a `read(path, options) -> Iterator[Batch]`."""

from collections.abc import Mapping

from fairtrial.formats import (
    atif_import,
    harbor,
    inspect,
    openai_import,
    scout,
    swebench,
    table,
    terminal_bench,
    trl_import,
    verifiers,
    verl_import,
)
from fairtrial.formats.batch import Batch, Options, Reader, Skipped
from fairtrial.formats.importing import Imported, store
from fairtrial.formats.recognise import also_there, recognised

READERS: Mapping[str, Reader] = {
    "table": table.read,
    "harbor": harbor.read,
    "terminal-bench": terminal_bench.read,
    "inspect": inspect.read,
    "verifiers": verifiers.read,
    "swebench": swebench.read,
    "scout": scout.read,
    "atif": atif_import.read,
    "openai": openai_import.read,
    "trl": trl_import.read,
    "verl": verl_import.read,
}

__all__ = ["READERS", "Batch", "Imported", "Options", "Reader", "Skipped", "also_there", "recognised", "store"]
