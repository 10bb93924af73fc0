"""Attacks: an import that stops halfway keeps what it did, and run again ends as one that never stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.formats import Batch, Skipped, store
from fairtrial.formats.batch import batch_of
from fairtrial.ledger import Ledger, connect
from fairtrial.records import LedgerError, Rollout, Verdict


def batches(stop_before: int = 9) -> Iterator[Batch]:
    """Yield four batches of three rollouts, the last of each without a verdict; fall before batch `stop_before`."""
    for number in range(4):
        if number == stop_before:
            raise KeyboardInterrupt
        rollouts = [Rollout(task="t", model="m", attempt=3 * number + n, trajectory=f"sha256:{n}") for n in range(3)]
        attempts = [(r, None if n == 2 else Verdict(rollout=r.id, outcome="passed")) for n, r in enumerate(rollouts)]
        yield batch_of(attempts, [Skipped(f"f:{number}", "why")], [b"steps %d" % number], (number + 1) / 4)


def content(ledger: Ledger) -> list[tuple[object, ...]]:
    return connect(ledger).execute("select id, outcome, reason from outcomes order by id").fetchall()


def test_an_import_that_stopped_and_ran_again_is_one_that_never_stopped(tmp_path: Path) -> None:
    stopped, whole = (Ledger.open(tmp_path / name, create=True) for name in ("stopped", "whole"))
    told: list[tuple[int, float | None]] = []
    with pytest.raises(KeyboardInterrupt):
        store(batches(stop_before=2), stopped, lambda rows, done: told.append((rows, done)))
    assert len(content(stopped)) == 6, "what was read before is kept"
    assert told == [(3, 0.25), (6, 0.5)]
    again = store(batches(), stopped, lambda *_: None)
    assert (again.rollouts, again.verdicts, again.duplicates, again.ungraded) == (6, 4, 6, 2)
    store(batches(), whole, lambda *_: None)
    assert content(stopped) == content(whole)
    assert len(list((stopped.path / "blobs").glob("*/*"))) == 4


def test_rollouts_without_a_verdict_are_counted_as_not_graded(tmp_path: Path) -> None:
    imported = store(batches(), Ledger.open(tmp_path / "l", create=True), lambda *_: None)
    assert (imported.rollouts, imported.verdicts, imported.reasons) == (12, 8, {"not_graded": 4})
    assert [skip.where for skip in imported.skipped] == ["f:0", "f:1", "f:2", "f:3"]


def test_a_ledger_that_cannot_be_written_stops_the_import_with_its_error(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "l", create=True)
    (ledger.path / ".tmp").rmdir()
    (ledger.path / ".tmp").write_text("in the way")
    with pytest.raises(LedgerError, match="could not write"):
        store(batches(), ledger, lambda *_: None)
    assert content(ledger) == []
