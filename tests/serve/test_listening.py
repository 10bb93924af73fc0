"""What the first page needs is read before it is asked for; a ledger that cannot be read stops no server."""

from __future__ import annotations

from pathlib import Path

from tests.serve.holding import made
from tests.serve.review.setting import site_of, somebody

from fairtrial.serve import application
from fairtrial.serve.listening import warm


def test_the_first_page_finds_the_snapshot_made(tmp_path: Path) -> None:
    app = application(site_of(made(tmp_path / "ledger", long=3).ledger, 1, somebody()))
    warm(app)
    first = app.state.kept.snapshots.latest()
    assert app.state.kept.snapshots.latest() is first
    assert app.state.kept.findings() is app.state.kept.findings()


def test_a_damaged_ledger_is_told_by_its_pages(tmp_path: Path) -> None:
    ledger = made(tmp_path / "ledger", long=3).ledger
    next(iter(ledger.parts("rollouts"))).write_bytes(b"no parquet")
    warm(application(site_of(ledger, 1, somebody())))
