"""Lists by key: every page in order and no row twice, against a plain sort; pages stand while rollouts are added."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.ledger import Ledger
from fairtrial.records import Finding, Rollout, Verdict
from fairtrial.records.verdict import Outcome
from fairtrial.serve.listing import ORDERS, Filter, rollouts, tasks
from fairtrial.serve.snapshot import Snapshot, Snapshots, taken

COUNT = 37


def records(count: int, first: int = 0) -> tuple[list[Rollout], list[Verdict], list[Finding]]:
    made = [
        Rollout(task=f"t{at % 5}", suite="s@1" if at % 2 else "s@2", model=f"m{at % 3}", attempt=at,
                steps=at % 4 or None, cost_usd=None if at % 3 else at / 10,
                recorded_at=f"2026-01-{1 + at % 9:02d}T00:00:00+00:00")
        for at in range(first, first + count)
    ]  # fmt: skip
    outcomes: tuple[Outcome, ...] = ("passed", "failed", "ungraded")
    said = [
        Verdict(rollout=one.id, outcome=outcomes[at % 3], reason="grader_timeout" * (at % 3 == 2))
        for at, one in enumerate(made)
    ]
    told = [Finding(task=one.task, suite=one.suite, rollout=one.id, probe="p", family="f", claim=str(at),
                    severity="proof" if at % 2 else "lead") for at, one in enumerate(made[:7])]  # fmt: skip
    return made, said, told


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    ledger = Ledger.open(tmp_path_factory.mktemp("listing") / "ledger", create=True)
    for table, rows in zip(("rollouts", "verdicts", "findings"), records(COUNT), strict=True):
        ledger.append(table, rows)
    return taken(ledger)


def walked(snapshot: Snapshot, asked: Filter, most: int) -> list[str]:
    """Walk all pages forward, then all the way back, and return the ids in order."""
    page, forward = rollouts(snapshot, asked, most=most), []
    while True:
        assert page.first == (len(forward) + 1 if page.rows else 0)
        forward += [row["id"] for row in page.rows]
        if not page.later:
            break
        page = rollouts(snapshot, asked, after=page.later, most=most)
    back = [row["id"] for row in page.rows]
    while page.earlier:
        page = rollouts(snapshot, asked, before=page.earlier, most=most)
        back = [row["id"] for row in page.rows] + back
    assert back == forward
    return forward


@settings(max_examples=25)
@given(st.sampled_from(ORDERS), st.sampled_from(["", "passed", "ungraded"]), st.sampled_from(["", "m1"]),
       st.sampled_from(["", "any", "proof", "none"]), st.integers(1, 40))  # fmt: skip
def test_pages_are_a_plain_sort_cut_in_pieces(
    snapshot: Snapshot, order: str, verdict: str, model: str, finding: str, most: int
) -> None:
    made, said, told = records(COUNT)
    outcomes = {one.rollout: one.outcome for one in said}
    proofs = {one.rollout for one in told if one.severity == "proof"}
    found = {one.rollout for one in told}
    kept = [one for one in made if (not verdict or outcomes[one.id] == verdict) and (not model or one.model == model)
            and (finding != "any" or one.id in found) and (finding != "proof" or one.id in proofs)
            and (finding != "none" or one.id not in found)]  # fmt: skip
    kept.sort(key=lambda one: (one.suite, one.task, one.agent, one.model, one.effort, one.attempt, one.id))
    if order != "task":
        key = {"newest": lambda one: one.recorded_at, "longest": lambda one: -1 if one.steps is None else one.steps,
               "dearest": lambda one: -1.0 if one.cost_usd is None else one.cost_usd}[order]  # fmt: skip
        kept.sort(key=key, reverse=True)
    asked = Filter(order=order, verdict=verdict, model=model, finding=finding)
    assert walked(snapshot, asked, most) == [one.id for one in kept]
    assert rollouts(snapshot, asked).total == len(kept)


def test_an_address_says_the_filter_and_what_it_does_not_know_is_left_out() -> None:
    asked = Filter.of({"task": "a&b", "order": "sideways", "verdict": "passed'--", "after": "x"})
    assert asked == Filter(task="a&b", verdict="passed'--")
    assert asked.address(after="id") == "task=a%26b&verdict=passed%27--&after=id"
    assert Filter().address() == ""


def test_words_of_an_address_are_values_and_never_sql(snapshot: Snapshot) -> None:
    assert rollouts(snapshot, Filter(task="x' or 1=1 --")).total == 0
    assert rollouts(snapshot, Filter(), after="'; drop table rows; --").total == COUNT
    assert tasks(snapshot, words="%'; --").total == 0


def test_tasks_count_each_rollout_once_and_findings_of_their_own(snapshot: Snapshot) -> None:
    found = tasks(snapshot)
    assert sum(row["rollouts"] for row in found.rows) == COUNT
    assert all(row["passed"] + row["failed"] + row["ungraded"] == row["rollouts"] for row in found.rows)
    by_rate = tasks(snapshot, order="pass rate").rows
    rates = [row["passed"] / (row["passed"] + row["failed"]) for row in by_rate if row["passed"] + row["failed"]]
    assert rates == sorted(rates)


def test_a_page_stands_while_rollouts_are_added(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    ledger.append("rollouts", records(10)[0])
    before = rollouts(taken(ledger), Filter(), most=4)
    ledger.append("rollouts", [Rollout(task="a first", model="m")])
    after = rollouts(taken(ledger), Filter(), after=before.later, most=4)
    assert {row["id"] for row in after.rows}.isdisjoint(row["id"] for row in before.rows)
    assert after.first == 6


def test_what_is_appended_is_seen_at_once_in_a_small_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.serve.snapshot._CHECK_SECONDS", 0.0)
    monkeypatch.setattr("fairtrial.serve.snapshot._WAIT_SECONDS", 30.0)
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    snapshots = Snapshots(ledger)
    assert rollouts(snapshots.latest(), Filter()).total == 0
    ledger.append("rollouts", records(3)[0])
    assert rollouts(snapshots.latest(), Filter()).total == 3
    held = snapshots.latest()
    assert snapshots.latest() is held
    snapshots.close()


def test_while_a_new_snapshot_is_made_the_old_one_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.serve.snapshot._CHECK_SECONDS", 0.0)
    monkeypatch.setattr("fairtrial.serve.snapshot._WAIT_SECONDS", 0.0)
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    snapshots = Snapshots(ledger)
    old = snapshots.latest()
    ledger.append("rollouts", records(3)[0])
    assert snapshots.latest() is old
    monkeypatch.setattr("fairtrial.serve.snapshot._WAIT_SECONDS", 30.0)
    assert rollouts(snapshots.latest(), Filter()).total == 3
    snapshots.close()
