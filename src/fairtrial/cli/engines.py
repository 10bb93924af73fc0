"""From the word of --engine to an engine that is entered: this machine, a cluster, or one of the user's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass

from fairtrial.run import Engine, find_engine


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineWords:
    """What the command line says of where jobs are done."""

    name: str = "local"
    address: str = ""
    """Of a cluster; empty for RAY_ADDRESS, then for one that is started here."""

    @contextmanager
    def opened(self, workers: int | None) -> Iterator[Engine]:
        """Lend the engine, with so many workers (None: one a core). Raise InputError where there is none."""
        made = find_engine(self.name, workers=workers, address=self.address, from_person=True)
        if self.name == "local":
            with made:
                yield made
            return
        # A cluster's library prints on stdout when it likes, and there --json puts one document and nothing else.
        with redirect_stdout(sys.stderr), made:
            yield made
