"""Attacks: a ledger that an earlier version wrote reads as it did then (`make_golden.py` says what is in it)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fairtrial.ledger import Ledger, connect
from fairtrial.records import Rollout

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def ledger() -> Ledger:
    return Ledger.open(GOLDEN)


def test_outcomes_read_as_they_did(ledger: Ledger) -> None:
    rows = connect(ledger).execute(
        "select task, attempt, outcome, reason, score, expected, grader from outcomes order by task desc, attempt"
    )
    assert rows.fetchall() == [
        ("refund", 0, "passed", "", 1.0, None, "g1"),
        ("refund", 1, "failed", "", 0.0, "41", "g2"),
        ("memo", 0, "ungraded", "grader_timeout", None, None, "g1"),
        ("memo", 1, "ungraded", "conflict", None, None, "g1"),
        ("memo", 2, "ungraded", "not_graded", None, None, None),
    ]


COLUMNS_SINCE = ("sandbox",)
"""Columns that the golden ledger was written without: null."""


def test_every_field_of_a_rollout_reads_as_it_did(ledger: Ledger) -> None:
    relation = connect(ledger).sql("select * from rollouts where task = 'refund' order by attempt")
    rows = relation.to_arrow_table().to_pylist()
    first = Rollout(
        task="refund", model="strong", attempt=0, suite="golden@0123456789ab", agent="loop", effort="high",
        trajectory="sha256:a89683ce0c1575a2e9ee45afc109dc1fcc18d625990f72b5547f55b2365de2cf", input_tokens=1200,
        output_tokens=300, cost_usd=0.25, stop="finished", recorded_at="2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    assert rows[0] == {name: first.row()[name] for name in rows[0]} | dict.fromkeys(COLUMNS_SINCE)
    assert (rows[1]["answer"], rows[1]["cluster"], rows[1]["steps"]) == ("42", "c1", 7)


def test_checks_findings_proofs_reviews_and_blobs_read_as_they_did(ledger: Ledger) -> None:
    connection = connect(ledger)
    assert connection.execute("select task, name, status from checks order by name desc").fetchall() == [
        ("refund", "order exists", "passed"), ("refund", "mail sent", "broken"),
    ]  # fmt: skip
    assert connection.execute("select probe, severity, claim from findings").fetchall() == [
        ("null", "proof", "null passes")
    ]
    assert connection.execute("select status, required, not_measured from proofs").fetchall() == [
        ("refuted", ["null"], [{"probe": "leak", "why": "no model"}])
    ]
    assert connection.execute("select satisfied, failure_tags, hack from reviews").fetchall() == [
        (True, ["late"], None)
    ]
    address = connection.execute("select trajectory from rollouts where trajectory <> ''").fetchall()[0][0]
    assert ledger.get_blob(address) == b'{"schema_version":"ATIF-v1.8"}'


def test_it_can_be_appended_to(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN, tmp_path / "l")
    ledger = Ledger.open(tmp_path / "l")
    ledger.append("rollouts", [Rollout(task="new", model="m")])
    assert connect(ledger).execute("select count(*) from outcomes").fetchall() == [(6,)]
