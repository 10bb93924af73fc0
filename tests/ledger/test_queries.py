"""From a ledger to arrays: what counts, how models are told apart, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairtrial.ledger import Ledger
from fairtrial.ledger.observed import FAILED, PASSED, UNGRADED, Observed
from fairtrial.ledger.queries import Selection, observe
from fairtrial.records import CheckResult, FairtrialError, InputError, Rollout, Verdict

Row = tuple[dict[str, Any], dict[str, Any] | None]
"""Fields of a rollout, and of its verdict if it has one."""


def ledger_of(folder: Path, rows: list[Row]) -> Ledger:
    ledger = Ledger.open(folder, create=True)
    rollouts = [Rollout(**({"task": "a", "model": "m"} | rollout)) for rollout, _ in rows]
    verdicts = [Verdict(rollout=r.id, **v) for r, (_, v) in zip(rollouts, rows, strict=True) if v is not None]
    ledger.append("verdicts", verdicts)
    ledger.append("rollouts", rollouts)
    return ledger


def attempts(passed: int, failed: int, **fields: Any) -> list[Row]:
    outcomes = ["passed"] * passed + ["failed"] * failed
    return [(fields | {"attempt": i}, {"outcome": outcome}) for i, outcome in enumerate(outcomes)]


def counted(observed: Observed, subject: int, outcome: int) -> int:
    cells = observed.cells
    return int(cells.count[(cells.subject == subject) & (cells.outcome == outcome)].sum())


def test_known_candidates_do_not_count(tmp_path: Path) -> None:
    rows = [*attempts(2, 1), ({"attempt": 9, "origin": "known"}, {"outcome": "passed"})]
    assert counted(observe(ledger_of(tmp_path / "l", rows)), 0, PASSED) == 2


def test_no_verdict_and_two_verdicts_that_disagree_are_ungraded(tmp_path: Path) -> None:
    ledger = ledger_of(
        tmp_path / "l", [*attempts(1, 0), ({"attempt": 5}, None), ({"attempt": 6}, {"outcome": "passed"})]
    )
    told = Rollout(task="a", model="m", attempt=6)
    ledger.append("verdicts", [Verdict(rollout=told.id, outcome="failed")])
    observed = observe(ledger)
    assert counted(observed, 0, UNGRADED) == 2
    reasons = {observed.reasons[i] for i in observed.cells.reason[observed.cells.outcome == UNGRADED]}
    assert reasons == {"not_graded", "conflict"}


def test_efforts_and_scaffolds_are_never_pooled(tmp_path: Path) -> None:
    rows = attempts(1, 0, model="m", effort="high") + attempts(1, 0, model="m", effort="low")
    rows += (
        attempts(1, 0, model="n", agent="x")
        + attempts(0, 1, model="n", agent="y")
        + attempts(1, 0, model="o", agent="x")
    )
    labels = {subject.label for subject in observe(ledger_of(tmp_path / "l", rows)).subjects}
    assert labels == {"m@high", "m@low", "x/n", "y/n", "o"}


def test_pass_at_decides_by_score_and_leaves_the_ungraded(tmp_path: Path) -> None:
    rows: list[Row] = [
        ({"attempt": 0}, {"outcome": "failed", "score": 0.6}),
        ({"attempt": 1}, {"outcome": "failed", "score": 0.4}),
        ({"attempt": 2}, {"outcome": "ungraded", "reason": "grader_timeout"}),
        ({"attempt": 3}, {"outcome": "passed"}),
    ]
    observed = observe(ledger_of(tmp_path / "l", rows), Selection(pass_at=0.5))
    assert [counted(observed, 0, outcome) for outcome in (PASSED, FAILED, UNGRADED)] == [2, 1, 1]


def test_one_task_under_two_suites_is_refused_by_name_and_can_be_chosen(tmp_path: Path) -> None:
    ledger = ledger_of(tmp_path / "l", attempts(1, 0, suite="one@1") + attempts(0, 2, suite="two@2"))
    with pytest.raises(InputError, match=r"task `a` is under two suites: `one@1` and `two@2`") as raised:
        observe(ledger)
    assert "--suite" in str(raised.value)
    assert counted(observe(ledger, Selection(suite="two")), 0, FAILED) == 2
    assert counted(observe(ledger, Selection(suite="one@1")), 0, PASSED) == 1


def test_one_task_of_two_contents_is_refused(tmp_path: Path) -> None:
    rows = attempts(1, 0, task_hash="sha256:1", model="m") + attempts(1, 0, task_hash="sha256:2", model="n")
    with pytest.raises(InputError, match="two contents"):
        observe(ledger_of(tmp_path / "l", rows))


@pytest.mark.parametrize(
    "selection",
    [Selection(suite="none"), Selection(tasks=("none",)), Selection(models=("none",))],
    ids=["suite", "task", "model"],
)
def test_a_selection_of_what_is_not_there_names_what_is(selection: Selection, tmp_path: Path) -> None:
    ledger = ledger_of(tmp_path / "l", attempts(1, 0, suite="here", task="there", model="them"))
    with pytest.raises(InputError) as raised:
        observe(ledger, selection)
    assert any(name in str(raised.value) for name in ("here", "there", "them"))


def test_an_empty_ledger_cannot_be_measured(tmp_path: Path) -> None:
    with pytest.raises(FairtrialError) as raised:
        observe(Ledger.open(tmp_path / "l", create=True))
    assert raised.value.exit_code == 3


def test_quotes_in_names_are_only_names(tmp_path: Path) -> None:
    ledger = ledger_of(tmp_path / "l", attempts(1, 0, task="it's", suite="o'suite"))
    assert observe(ledger, Selection(tasks=("it's",), suite="o'suite")).tasks == ("it's",)


def test_clusters_group_tasks_and_the_rest_stand_alone(tmp_path: Path) -> None:
    rows = attempts(1, 0, task="a", cluster="x") + attempts(1, 0, task="b", cluster="x") + attempts(1, 0, task="c")
    rows += attempts(1, 0, task="d")
    assert len(np.unique(observe(ledger_of(tmp_path / "l", rows)).cluster)) == 3


def test_an_attempt_recorded_twice_is_told_and_both_count(tmp_path: Path) -> None:
    for name, shift in (("small", 0), ("large", 100)):
        rows = attempts(2, 1)
        rows = [(fields | {"attempt": fields["attempt"] + shift}, verdict) for fields, verdict in rows]
        rows.append(({"attempt": shift, "answer": "other"}, {"outcome": "failed"}))
        observed = observe(ledger_of(tmp_path / name, rows))
        assert observed.repeated_attempts == 1
        assert int(observed.cells.count.sum()) == 4


def test_trainings_by_several_seeds_may_number_their_attempts_alike(tmp_path: Path) -> None:
    rows = [
        (fields | {"seed": seed, "answer": str(seed)}, verdict)
        for seed in range(3)
        for fields, verdict in attempts(2, 1)
    ]
    assert observe(ledger_of(tmp_path / "seeds", rows)).repeated_attempts == 0
    rows.append(({"attempt": 0, "seed": 1, "answer": "other"}, {"outcome": "failed"}))
    assert observe(ledger_of(tmp_path / "again", rows)).repeated_attempts == 1


def test_spend_sums_what_is_recorded(tmp_path: Path) -> None:
    rows: list[Row] = [
        ({"attempt": i, "output_tokens": 10 * i, "cost_usd": 0.5 if i else None}, {"outcome": "passed"})
        for i in range(3)
    ]
    spend = observe(ledger_of(tmp_path / "l", rows)).cells.spend.sum(axis=0)
    assert spend.tolist() == [0, 0, 0, 3, 30, 500, 2, 1.0, 0.5]


def test_checks_are_counted_and_contradictions_found(tmp_path: Path) -> None:
    def checks(*statuses: Any) -> tuple[CheckResult, ...]:
        return tuple(CheckResult(f"c{i}", status) for i, status in enumerate(statuses))

    rows: list[Row] = [
        ({"attempt": 0}, {"outcome": "passed", "checks": checks("passed", "failed")}),
        ({"attempt": 1}, {"outcome": "failed", "checks": checks("passed", "passed")}),
        ({"attempt": 2}, {"outcome": "failed", "checks": checks("failed", "broken")}),
        ({"attempt": 3}, {"outcome": "ungraded", "reason": "killed", "checks": checks("failed", "failed")}),
    ]
    found = observe(ledger_of(tmp_path / "l", rows)).checks
    assert found is not None
    assert dict(zip(found.name, zip(found.passed.tolist(), found.n.tolist(), strict=True), strict=True)) == {
        "c0": (2, 3),
        "c1": (1, 2),
    }
    assert (found.verdicts, found.passed_with_failed_check, found.failed_with_all_passed) == (3, 1, 1)


def test_answers_need_a_key_and_a_verdict(tmp_path: Path) -> None:
    rows: list[Row] = [
        ({"attempt": 0, "answer": "B"}, {"outcome": "failed", "expected": "A"}),
        ({"attempt": 1, "answer": "A"}, {"outcome": "passed", "expected": "A"}),
        ({"attempt": 2, "answer": "C"}, {"outcome": "failed"}),
        ({"attempt": 3, "answer": "D"}, None),
    ]
    ledger = ledger_of(tmp_path / "l", rows)
    found = observe(ledger).answers
    assert found is not None
    assert sorted(zip(found.answer, found.expected, found.passed.tolist(), strict=True)) == [
        ("A", "A", 1),
        ("B", "A", 0),
    ]
    assert observe(ledger, Selection(answers=False)).answers is None


def test_the_order_is_told_by_step_and_time_or_not_at_all(tmp_path: Path) -> None:
    rows = [
        (fields | {"recorded_at": f"2025-01-0{3 - fields['attempt']}"}, verdict) for fields, verdict in attempts(1, 2)
    ]
    order = observe(ledger_of(tmp_path / "timed", rows)).order
    assert order is not None
    assert order.outcome.tolist() == [FAILED, FAILED, PASSED]
    stepped = [(fields | {"step": 3 - fields["attempt"]}, verdict) for fields, verdict in attempts(1, 2)]
    order = observe(ledger_of(tmp_path / "stepped", stepped)).order
    assert order is not None
    assert order.outcome.tolist() == [FAILED, FAILED, PASSED]
    assert observe(ledger_of(tmp_path / "neither", attempts(1, 2))).order is None
