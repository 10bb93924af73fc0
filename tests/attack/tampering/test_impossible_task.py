"""Expected values are flipped, not names or paths; the reference tells which of them are compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.attack.tampering.tiny_tasks import Tiny, passed, target_of

from fairtrial.attack import find
from fairtrial.attack.tampering.expectations import expectations, flipped
from fairtrial.attack.tampering.impossible_task import impossible
from fairtrial.sandbox import Bubblewrap

pytestmark = pytest.mark.skipif(not Bubblewrap().capability().available, reason="bubblewrap does not work here")

TEST = "#!/bin/bash\nmkdir -p /logs/verifier\npython3 -I /tests/check.py\n"
CHECK = """import json
WANT = {{"north": "41.25", "south": "17.50"}}
try:
    got = json.load(open("/app/totals.json"))
except OSError:
    got = {{}}
good = {condition}
open("/logs/verifier/reward.txt", "w").write("1" if good else "0")
"""
SOLVE = """echo '{"north": "41.25", "south": "17.50"}' > /app/totals.json\n"""


def tiny(condition: str) -> Tiny:
    return Tiny(test=TEST, tests={"check.py": CHECK.format(condition=condition)}, solve=SOLVE)


def test_a_value_that_nothing_compares_is_a_lead(tmp_path: Path) -> None:
    target = target_of(tmp_path, tiny("set(got) == set(WANT)"))
    assert passed(target, find("impossible_task")) == {("reference:check.py:2", "ours")}
    assert impossible(target.key, target, Bubblewrap()) is None


def test_a_grader_that_compares_rejects_the_reference_once_a_value_is_flipped(tmp_path: Path) -> None:
    target = target_of(tmp_path, tiny("got == WANT"))
    assert passed(target, find("impossible_task")) == set()
    key = impossible(target.key, target, Bubblewrap())
    assert key is not None
    assert key.grader_hash != target.key.grader_hash
    changed = (key.steps[-1].tests / "check.py").read_text()
    assert changed != (target.key.steps[-1].tests / "check.py").read_text()
    assert "41.26" in changed or "17.51" in changed


def test_only_what_the_deliverable_holds_and_the_grader_compares_is_sure(tmp_path: Path) -> None:
    target = target_of(tmp_path, tiny("got == WANT and __name__ == '__main__'"))
    sure = {one.old for one in expectations(target) if one.strength == 3}
    assert sure <= {'"41.25"', '"17.50"'}
    assert sure


@pytest.mark.parametrize("value", [0, 9, -1, 1.5, True, "a", "9.99", "Z", "north-9"])
def test_a_flipped_value_differs_and_keeps_its_type(value: object) -> None:
    assert flipped(value) != value
    assert type(flipped(value)) is type(value)
