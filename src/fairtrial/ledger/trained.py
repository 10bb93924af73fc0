"""The checkpoints that a ledger knows, as records; every one ever kept."""

from __future__ import annotations

from fairtrial.ledger.recorded import read_all
from fairtrial.ledger.store import Ledger
from fairtrial.records import Checkpoint


def all_checkpoints(ledger: Ledger) -> tuple[Checkpoint, ...]:
    """Return every checkpoint, in the order in which they were recorded."""
    return read_all(ledger, "checkpoints", Checkpoint)
