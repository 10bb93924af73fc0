"""Put what a reader gives into a ledger: every record once, verdicts before the rollouts they speak of.

A rollout that can be seen in the ledger thus has its verdict, and an import that was stopped is finished by running
it again. Covers writing and counting; reading is the formats' own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairtrial.formats.batch import Batch, Skipped
from fairtrial.ledger import Appender, Ledger, connect
from fairtrial.ledger.ids import Mask

SCHEMA = "fairtrial.import/1"


@dataclass(slots=True)
class Imported:
    """What an import did."""

    rollouts: int = 0
    """Rollouts that the ledger did not hold before."""
    verdicts: int = 0
    """Verdicts that the ledger did not hold before."""
    ungraded: int = 0
    """How many of those are ungraded, rollouts without a verdict included."""
    duplicates: int = 0
    """Rows that said nothing new."""
    conflicts: int = 0
    """Rollouts of this file on which verdicts of one grader disagree; they count as ungraded(conflict)."""
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)
    """Why verdicts are ungraded, and how often."""

    @property
    def understood(self) -> int:
        """Return how many rows and verdicts could be taken, new or not; 0 means that nothing was."""
        return self.rollouts + self.verdicts + self.duplicates

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        return {
            "schema": SCHEMA, "rollouts": self.rollouts, "verdicts": self.verdicts, "ungraded": self.ungraded,
            "duplicates": self.duplicates, "conflicts": self.conflicts, "ungraded_reasons": self.reasons,
            "skipped": [{"where": skip.where, "why": skip.why} for skip in self.skipped],
            "notes": self.notes,
        }  # fmt: skip


def store(batches: Iterable[Batch], ledger: Ledger, progress: Callable[[int, float | None], None]) -> Imported:
    """Append `batches` to `ledger`; call `progress` with the rows read and the share done after each.

    One batch is written by a thread while the next one is read: Parquet and fsync leave the interpreter free.
    """
    imported, appender = Imported(), Appender(ledger)
    again: list[str] = []
    rows = 0
    with ThreadPoolExecutor(max_workers=1) as writer:
        writing: Future[list[str]] | None = None
        for batch in batches:
            again += writing.result() if writing else []
            writing = writer.submit(_append, imported, appender, batch)
            rows += batch.rollouts.num_rows
            progress(rows, batch.done)
        again += writing.result() if writing else []
    imported.conflicts = _conflicts(ledger, again)
    return imported


def _append(imported: Imported, appender: Appender, batch: Batch) -> list[str]:
    """Write one batch; return the rollouts that were held already and of which something new was said."""
    appender.ledger.put_blobs(batch.blobs)
    new_verdicts = appender.add("verdicts", batch.verdicts)
    new_rollouts = appender.add("rollouts", batch.rollouts)
    imported.skipped.extend(batch.skipped)
    imported.notes.extend(batch.notes)
    return _count(imported, batch, new_rollouts, new_verdicts)


def _count(imported: Imported, batch: Batch, new_rollouts: Mask, new_verdicts: Mask) -> list[str]:
    """Count what is new; return the rollouts that were held already and of which something new was said."""
    told = batch.verdicts.filter(pa.array(new_verdicts))
    ungraded = told.column("reason").filter(pc.equal(told.column("outcome"), "ungraded"))
    spoken, spoken_anew = (np.zeros(len(new_rollouts), dtype=np.bool_) for _ in range(2))
    spoken[batch.rows_of_verdicts()] = True
    spoken_anew[batch.rows_of_verdicts()[new_verdicts]] = True
    imported.rollouts += int(new_rollouts.sum())
    imported.verdicts += told.num_rows
    imported.duplicates += int((~new_rollouts & ~spoken_anew).sum())
    _count_ungraded(imported, ungraded, int((new_rollouts & ~spoken).sum()))
    again = batch.rollouts.column("id").filter(pa.array(~new_rollouts & spoken_anew))
    return list(again.to_pylist())


def _count_ungraded(imported: Imported, reasons: pa.ChunkedArray, not_graded: int) -> None:
    found = {entry["values"]: int(entry["counts"]) for entry in pc.value_counts(reasons).to_pylist()}
    if not_graded:
        found["not_graded"] = found.get("not_graded", 0) + not_graded
    for reason, count in found.items():
        imported.ungraded += count
        imported.reasons[reason] = imported.reasons.get(reason, 0) + count


def _conflicts(ledger: Ledger, rollouts: list[str]) -> int:
    """Count which of `rollouts` the ledger now calls ungraded(conflict)."""
    if not rollouts:
        return 0
    connection = connect(ledger)
    connection.register("named", pa.table({"id": pa.array(sorted(set(rollouts)), pa.string())}))
    found = connection.execute(
        "select count(*) from outcomes join named using (id) where reason = 'conflict'"
    ).fetchone()
    return int(found[0]) if found else 0
