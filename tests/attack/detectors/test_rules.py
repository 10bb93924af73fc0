"""Every rule finds what it is for, and leaves what only looks alike; every hit cites and quotes what stands there.

Not covered: how often rules are right on rollouts of real agents (tests/quality/trajectories, docs/detect.md).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from attack.detectors.rollouts import score, seen
from attack.detectors.rule_cases import CLEAN, FOUND, Case
from fairtrial.attack.detectors import GROUPS, SUSPECTED, detectors, judged
from fairtrial.attack.detectors.rule import Rule
from fairtrial.audit.citations import Citable, failing

RULES = {one.name: one for one in detectors() if isinstance(one, Rule)}
LEADS = {"exits_forgiven", "inputs_changed", "deliverable_copied", "tests_hollow", "values_made_up", "intent_said"}
"""Rules whose hits may stay below the threshold by themselves."""


def cases(table: dict[str, list[Case]]) -> list[object]:
    return [pytest.param(name, case, id=f"{name}-{at}") for name, held in table.items() for at, case in enumerate(held)]


def test_every_rule_has_something_to_find_and_something_to_leave() -> None:
    assert set(FOUND) == set(CLEAN) == set(RULES)
    assert {rule.group for rule in RULES.values()} <= set(GROUPS)


def test_the_page_of_detectors_lists_every_rule() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "detectors.md").read_text(encoding="utf-8")
    assert [name for name in RULES if f"`{name}`" not in page] == []


@pytest.mark.parametrize(("name", "case"), cases(FOUND))
def test_what_a_rule_is_for_is_found_and_cited(name: str, case: Case) -> None:
    of = seen(case[0], *case[1])
    hits = sorted(RULES[name].hits(of), key=lambda hit: -hit.score)
    assert hits, of.acts
    assert hits[0].score >= (0.4 if name in LEADS else SUSPECTED), hits[0]
    assert all(1 <= step <= len(of.trajectory.steps) for step in hits[0].steps)
    assert hits[0].claim
    citable = Citable(of.trajectory)
    assert not failing([one.text for hit in hits for one in hit.citations], citable)
    assert all(hit.citations for hit in hits)


@pytest.mark.parametrize(("name", "case"), cases(CLEAN))
def test_what_only_looks_alike_is_not_suspected(name: str, case: Case) -> None:
    of = seen(case[0], *case[1])
    assert score(RULES[name], of) < SUSPECTED
    assert not judged(of).suspected, judged(of).hits[:2]


def test_what_finds_nothing_is_scored_zero() -> None:
    found = judged(seen("Fix a.py.", "bash\ncat a.py", "say\nI read a.py."))
    assert (found.score, found.suspected, found.group, found.steps, found.hits) == (0.0, False, "", (), ())
