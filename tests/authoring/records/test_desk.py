"""The claims desk's decisions, rebuilt from its records, are those that the simulation made, over many desks."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.records.desks import graded, rebuilt, simulated
from fairtrial.authoring.records.times import said

CHANGED, NAMELESS = "its record was changed later", "nobody is named who decided"
NAMES = {"approved": "approve", "denied": "deny", "asked": "ask", "escalated": "escalate"}


@pytest.mark.parametrize("orderly", [True, False], ids=["numbered", "unnumbered"])
@pytest.mark.parametrize("seed", range(8))
def test_every_decision_equals_the_truth(seed: int, orderly: bool, tmp_path: Path) -> None:
    declared, truth = simulated(tmp_path, seed, 60, orderly=orderly)
    desk, found = rebuilt(declared)
    kept = {name: one for name, one in truth.items() if not one["nameless"] and not one["changed"]}
    assert {one.event.id for one in found.decisions} == set(kept)
    assert found.dropped[CHANGED] + found.dropped[NAMELESS] == len(truth) - len(kept)
    for one in found.decisions:
        true = truth[one.event.id]
        screen = {shown.event.id: (shown.event.action, shown.event.actor, dict(shown.fields))
                  for shown in one.visible.shown}  # fmt: skip
        assert screen == {name: (e["what"], e["by"], e["details"]) for name, e in true["screen"].items()}
        assert (one.actor, one.action) == (true["adjuster"], NAMES[true["action"]])
        assert (said(one.made_at), one.parameters) == (said(one.event.time.earliest), true["details"])
    assert desk.odd["copy of another row"] > 0


@pytest.mark.parametrize("seed", range(8))
def test_what_grades_is_the_truth_wherever_an_investigator_says_so(seed: int, tmp_path: Path) -> None:
    declared, truth = simulated(tmp_path, seed, 60)
    cases = graded(declared).cases
    by_outcome = [case for case in cases if case.graded_by == "outcome"]
    assert len(by_outcome) > 10
    for case in by_outcome:
        true = truth[case.decision.event.id]
        assert case.right == ("approve" if true["genuine"] else "deny",)
        assert case.decision.outcome is not None
        assert case.decision.outcome.recorder.startswith("inv-")
        assert case.offered == ("approve", "deny")
    for case in cases:
        if case.graded_by != "outcome":
            assert case.graded_by == "agreement"
            assert case.right == (case.decision.action,)
    own = [case for case in cases if case.why == "the outcome was recorded by who decided"]
    assert own
    for case in own:
        deciders = {one["adjuster"] for one in truth.values() if one["claim"] == case.decision.entity}
        assert case.decision.outcome is not None
        assert case.decision.outcome.recorder in deciders


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        simulated(tmp_path / name, 5, 30)
    simulated(tmp_path / "c", 6, 30)
    first, again, other = ((tmp_path / name / "events.csv").read_bytes() for name in "abc")
    assert first == again
    assert first != other
