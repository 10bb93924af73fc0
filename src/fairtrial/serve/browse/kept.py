"""Records that pages read whole (proofs, findings, reviews, samples, sign-offs), each kept until its table grows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.requests import Request

from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews, all_samples, all_signoffs
from fairtrial.records import Finding, Proof, Review, Sample, Signoff
from fairtrial.report.gather import read_findings, read_proofs
from fairtrial.serve.snapshot import Snapshot, Snapshots, parts_of

T = TypeVar("T")


class Kept:
    """What has been read of one ledger. Safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.snapshots = Snapshots(ledger)
        self._lock = threading.Lock()
        self._held: dict[str, tuple[tuple[str, ...], Any]] = {}

    def fresh(self, name: str, tables: tuple[str, ...], read: Callable[[], T]) -> T:
        """Return what `read` returns, read again only where one of `tables` has grown."""
        parts = parts_of(self.ledger, tables)
        with self._lock:
            held = self._held.get(name)
        if held is not None and held[0] == parts:
            found: T = held[1]
            return found
        found = read()
        with self._lock:
            self._held[name] = (parts, found)
        return found

    def proofs(self) -> tuple[Proof, ...]:
        """Return the last proof of every task."""
        return self.fresh("proofs", ("proofs",), lambda: read_proofs(self.ledger))

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings that stand, proofs before leads."""

        def read() -> tuple[Finding, ...]:
            found = read_findings(self.ledger, self.proofs())
            return tuple(sorted(found, key=lambda one: one.severity != "proof"))

        return self.fresh("findings", ("findings", "proofs", "verdicts"), read)

    def reviews(self) -> tuple[Review, ...]:
        """Return every review."""
        return self.fresh("reviews", ("reviews",), lambda: all_reviews(self.ledger))

    def samples(self) -> tuple[Sample, ...]:
        """Return every sample."""
        return self.fresh("samples", ("samples",), lambda: all_samples(self.ledger))

    def signoffs(self) -> tuple[Signoff, ...]:
        """Return every sign-off."""
        return self.fresh("signoffs", ("signoffs",), lambda: all_signoffs(self.ledger))


def kept_of(request: Request) -> Kept:
    """Return what the server has read."""
    kept: Kept = request.app.state.kept
    return kept


def snapshot_of(request: Request) -> Snapshot:
    """Return the snapshot that lists are answered from."""
    return kept_of(request).snapshots.latest()
