"""A buffered writer for what runs for hours: a record is safe on disk a second after it was added, or at `flush`.

    with Writer(ledger) as writer:
        writer.add(rollout, verdict)

Leaving the block writes the rest, also when an error or Ctrl-C leaves it. A kill loses at most the last second. Blobs
are written at once, before any record that names them. Safe to use from several threads.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from fairtrial.ledger.store import Appender, Ledger, Record, rows_of
from fairtrial.records import Finding, LedgerError, Proof, Review, Rollout, Verdict

_ORDER = ("verdicts", "findings", "proofs", "reviews", "rollouts")
"""Rollouts last: a rollout that can be seen, and that `--resume` skips, has its verdict."""


class Writer:
    """Collects records and appends them together, every `records` of them and every `seconds`."""

    def __init__(self, ledger: Ledger, *, records: int = 512, seconds: float = 1.0) -> None:
        self._appender = Appender(ledger)
        self._most = records
        self._seconds = seconds
        self._lock = threading.RLock()
        self._waiting: dict[str, list[Record]] = {table: [] for table in _ORDER}
        self._count = 0
        self._timer: threading.Timer | None = None
        self._failure: LedgerError | None = None

    def holds(self, table: str, name: str) -> bool:
        """Say whether `table` held the id before, or was given it by this writer and has flushed it."""
        with self._lock:
            return name in self._appender.held(table)

    def put_blob(self, data: bytes) -> str:
        """Store `data` now and return its content address."""
        return self._appender.ledger.put_blob(data)

    def add(self, rollout: Rollout, *verdicts: Verdict) -> None:
        """Take a rollout and its verdicts. Raise LedgerError if an earlier one could not be written."""
        with self._lock:
            self._waiting["verdicts"].extend(verdicts)
            self._take("rollouts", (rollout,))

    def add_findings(self, findings: Sequence[Finding]) -> None:
        """Take findings."""
        self._take("findings", findings)

    def add_proofs(self, proofs: Sequence[Proof]) -> None:
        """Take proofs."""
        self._take("proofs", proofs)

    def add_reviews(self, reviews: Sequence[Review]) -> None:
        """Take reviews."""
        self._take("reviews", reviews)

    def _take(self, table: str, records: Sequence[Record]) -> None:
        with self._lock:
            self._raise_failure()
            self._waiting[table].extend(records)
            self._count += len(records)
            if self._count >= self._most:
                self.flush()
            elif self._timer is None and self._count:
                self._timer = threading.Timer(self._seconds, self._flush_in_time)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Write what waits; on return it is safe on disk. What could not be written still waits."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            for table in _ORDER:
                if self._waiting[table]:
                    self._appender.add(table, rows_of(table, [record.row() for record in self._waiting[table]]))
                    self._waiting[table] = []
            self._count = 0

    def _flush_in_time(self) -> None:
        """Flush from the timer's thread; an error waits for the next call of a thread that can handle it."""
        try:
            self.flush()
        except LedgerError as error:
            self._failure = error

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()
