"""Attacks: ids depend on content alone: not on key order, time, process or hash seed, nor on fields beside it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.ledger import TABLES
from fairtrial.records import (
    CheckResult,
    Draw,
    Finding,
    Inspection,
    Preference,
    Proof,
    Review,
    Rollout,
    Ruling,
    Sample,
    Screening,
    Signoff,
    Stratum,
    Submission,
    Verdict,
    Withdrawal,
    canonical_json,
    digest,
    record_id,
)

ROLLOUT = Rollout(task="t", model="m")
RECORDS: dict[str, Any] = {
    "rollouts": ROLLOUT,
    "verdicts": Verdict(rollout=ROLLOUT.id, outcome="passed", checks=(CheckResult("c", "passed", "fine"),)),
    "findings": Finding(task="t", probe="p", family="f", severity="lead", claim="c"),
    "proofs": Proof(task="t", status="proven", not_measured=(("p", "why"),)),
    "reviews": Review(rollout=ROLLOUT.id, reviewer="r"),
    "samples": Sample(
        seed=1,
        by=("verdict",),
        strata=(Stratum(name="passed", population=2, sampled=1),),
        rows=(Draw(rollout=ROLLOUT.id, stratum="passed", probability=0.5),),
    ),
    "preferences": Preference(first="a", second="b", preferred="tie", reviewer="r"),
    "signoffs": Signoff(suite="s", task="t", task_hash="h", part="grader", holds=None, reviewer="r"),
    "submissions": Submission(model="m"),
    "screenings": Screening(kind="scan", subject="s", subject_hash="h", holds=None, summary="said"),
    "rulings": Ruling(model="m", rule="usage", ruled="clean", kind="judge", by="j", reason="r", rules="b@1#h"),
    "withdrawals": Withdrawal(model="m", rollouts=("a",), reason="r", author="ada"),
    "inspections": Inspection(checklist="c@1", item="i", answer="holds", reviewer="r"),
}
WHO_MAY_THINK_AGAIN = {"reviews", "preferences", "signoffs", "inspections", "submissions", "screenings", "rulings",
                       "withdrawals"}  # fmt: skip
OTHER = {str: "other", int: 77, float: 0.77, bool: True, type(None): "other", tuple: ("other",)}


@given(st.dictionaries(st.text(), st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.text())))
def test_canonical_json_does_not_depend_on_the_order_of_keys(content: dict[str, Any]) -> None:
    backwards = dict(reversed(list(content.items())))
    assert canonical_json(content) == canonical_json(backwards)
    assert record_id("x/1", content) == record_id("x/1", backwards)


def test_kinds_and_versions_never_share_an_id() -> None:
    ids = {record_id(kind, {"a": 1}) for kind in ("rollout/1", "rollout/2", "verdict/1")}
    assert len(ids) == 3
    assert all(len(name) == 32 and set(name) <= set("0123456789abcdef") for name in ids)


def test_an_id_is_the_same_in_another_process() -> None:
    program = "from fairtrial.records import Rollout; print(Rollout(task='t', model='m').id)"
    done = subprocess.run([sys.executable, "-R", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ROLLOUT.id


def test_ids_are_those_of_version_1() -> None:
    """An id that changes would make every ledger import its rollouts anew: then it is a new version."""
    assert ROLLOUT.id == "d362d2a96000d807cfacdf0d2ffff306"
    assert RECORDS["verdicts"].id == "19a33686219006f1771bc29bafee9dd5"
    assert RECORDS["findings"].id == "fa10ce6b62666fe25c9d28dad4d55c33"
    assert RECORDS["reviews"].id == "3c6b7b97d9998354c8f8429e26cb1241"


@pytest.mark.parametrize("table", ["rollouts", "verdicts", "findings", "proofs"])
def test_identity_is_exactly_the_fields_that_are_said_to_be_it(table: str) -> None:
    record = RECORDS[table]
    identity = {*type(record).IDENTITY} | ({"checks"} if table == "verdicts" else set())
    for field in fields(record):
        value = getattr(record, field.name)
        other = (CheckResult("d", "failed"),) if field.name == "checks" else OTHER[type(value)]
        changed = replace(record, **{field.name: other})
        assert (changed.id != record.id) == (field.name in identity), field.name


def test_the_message_of_a_check_is_not_what_was_said() -> None:
    verdict = RECORDS["verdicts"]
    assert replace(verdict, checks=(CheckResult("c", "passed", "other words"),)).id == verdict.id
    assert replace(verdict, checks=(CheckResult("c", "failed", "fine"),)).id != verdict.id


def test_no_time_is_part_of_an_id_but_of_what_a_reviewer_says() -> None:
    """A reviewer may change their mind; a grader that says the same again says nothing new."""
    for table, record in RECORDS.items():
        later = replace(record, recorded_at="2026-01-01T00:00:00+00:00")
        assert (later.id == record.id) == (table not in WHO_MAY_THINK_AGAIN), table


def test_records_are_frozen() -> None:
    for record in RECORDS.values():
        with pytest.raises((FrozenInstanceError, AttributeError)):
            record.recorded_at = "now"


@pytest.mark.parametrize("table", list(RECORDS))
def test_every_column_of_the_ledger_is_a_field_and_every_field_a_column(table: str) -> None:
    record = RECORDS[table]
    assert {field.name for field in fields(record)} | {"id"} == set(TABLES[table].names)
    assert set(TABLES[table].names) <= set(record.row())


def test_a_digest_is_sha256_in_full() -> None:
    assert digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
