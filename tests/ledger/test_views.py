"""Attacks: `outcomes` says of any heap of verdicts, repeats included, what the rule says read out in Python."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.ledger import Ledger, connect, rows_of
from fairtrial.records import CheckResult, Rollout, Verdict

ROLLOUTS = [Rollout(task="t", model="m", attempt=n) for n in range(40)]

_verdicts = st.builds(
    lambda rollout, grader, outcome, score, time, checks: Verdict(
        rollout=rollout.id, grader=grader, outcome=outcome, reason="why" if outcome == "ungraded" else "",
        score=None if outcome == "ungraded" else score, recorded_at=time, checks=checks,
    ),
    st.sampled_from(ROLLOUTS), st.sampled_from(["g1", "g2", ""]), st.sampled_from(["passed", "failed", "ungraded"]),
    st.sampled_from([None, 0.0, 0.5, 1.0]), st.sampled_from(["", "2026-01-01", "2026-01-02"]),
    st.sampled_from([(), (CheckResult("c", "passed"),), (CheckResult("c", "failed"), CheckResult("d", "broken"))]),
)  # fmt: skip


def expected_outcome(said: list[Verdict]) -> tuple[Any, ...]:
    """Return (outcome, reason, score, grader) by the rule in the module's words."""
    if not said:
        return ("ungraded", "not_graded", None, None)
    told = {grader: max(v.recorded_at for v in said if v.grader == grader) for grader in {v.grader for v in said}}
    last = max(told, key=lambda grader: (told[grader], grader))
    counted = [v for v in said if v.grader == last]
    if len({v.outcome for v in counted}) > 1 or len({v.score for v in counted if v.score is not None}) > 1:
        return ("ungraded", "conflict", None, last)
    chosen = max(counted, key=lambda v: (v.recorded_at, v.id))
    score = next((v.score for v in counted if v.score is not None), None)
    return (chosen.outcome, chosen.reason, score, last)


def ledger_of(folder: Path, parts: list[list[Verdict]], rollouts: list[Rollout]) -> Ledger:
    """Write the parts as they are, ids held already included: what two writers at once leave behind."""
    ledger = Ledger.open(folder, create=True)
    for part in parts:
        ledger.write_part("verdicts", rows_of("verdicts", [v.row() for v in part]))
    ledger.write_part("rollouts", rows_of("rollouts", [r.row() for r in rollouts]))
    return ledger


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.lists(_verdicts, min_size=1, max_size=60), max_size=3), st.lists(st.sampled_from(ROLLOUTS), max_size=3)
)
def test_outcomes_follow_the_rule_over_any_verdicts(parts: list[list[Verdict]], again: list[Rollout]) -> None:
    first: dict[str, Verdict] = {}
    for verdict in (verdict for part in parts for verdict in part):  # an id counts once, as it was first recorded
        held = first.get(verdict.id)
        first[verdict.id] = min((v for v in (held, verdict) if v is not None), key=lambda v: v.recorded_at)
    with tempfile.TemporaryDirectory() as folder:
        connection = connect(ledger_of(Path(folder) / "l", parts, [*ROLLOUTS, *again]))
        rows = connection.execute("select id, outcome, reason, score, grader from outcomes").fetchall()
        counted = connection.execute("select count(*), count(distinct id) from verdicts").fetchall()
        checked = connection.execute("select rollout, name, status from checks order by all").fetchall()
        chosen = dict(connection.execute("select id, verdict from outcomes").fetchall())
    said = {r.id: [v for v in first.values() if v.rollout == r.id] for r in ROLLOUTS}
    assert {row[0]: row[1:] for row in rows} == {r.id: expected_outcome(said[r.id]) for r in ROLLOUTS}
    assert len(rows) == len(ROLLOUTS), "a rollout that stands twice is seen once"
    assert counted == [(len(first), len(first))]
    assert checked == sorted((v.rollout, c.name, c.status) for v in first.values() if chosen[v.rollout] == v.id
                             for c in v.checks)  # fmt: skip


def test_a_verdict_without_its_rollout_is_not_an_outcome(tmp_path: Path) -> None:
    ledger = ledger_of(tmp_path / "l", [[Verdict(rollout="0" * 32, outcome="passed")]], ROLLOUTS[:1])
    assert connect(ledger).execute("select reason from outcomes").fetchall() == [("not_graded",)]


def test_one_disputed_rollout_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    one, two = (Verdict(rollout=ROLLOUTS[0].id, outcome=o, grader="g") for o in ("passed", "failed"))  # type: ignore[arg-type]
    sure = Verdict(rollout=ROLLOUTS[1].id, outcome="passed", grader="g", score=1.0)
    rows = connect(ledger_of(tmp_path / "l", [[one, sure], [two]], ROLLOUTS[:2]))
    assert rows.execute("select attempt, outcome, reason, verdict from outcomes order by 1").fetchall() == [
        (0, "ungraded", "conflict", None), (1, "passed", "", sure.id),
    ]  # fmt: skip


def test_scores_that_differ_are_a_conflict_though_both_pass(tmp_path: Path) -> None:
    said = [Verdict(rollout=ROLLOUTS[0].id, outcome="failed", grader="g", score=score) for score in (0.25, 0.5)]
    rows = connect(ledger_of(tmp_path / "l", [said], ROLLOUTS[:1]))
    assert rows.execute("select reason from outcomes").fetchall() == [("conflict",)]


def test_outcomes_keep_every_column_of_rollouts_in_order(tmp_path: Path) -> None:
    connection = connect(Ledger.open(tmp_path / "l", create=True))
    rollouts = [column[0] for column in connection.execute("select * from rollouts").description]
    outcomes = [column[0] for column in connection.execute("select * from outcomes").description]
    assert outcomes == [*rollouts, "outcome", "reason", "score", "expected", "verdict", "grader"]
