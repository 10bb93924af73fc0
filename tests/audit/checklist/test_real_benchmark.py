"""A benchmark whose faults are known: 29 of the 50 airline tasks of tau-bench were listed among later fixes.

Inspectors who find what was fixed, on samples of many seeds: the interval holds the 58%, and no sample says sound.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.audit.checklist import Population, TaskRef, decide, drawn, find_checklist, standing_answers
from fairtrial.records import Inspection

REPLAYED = Path(__file__).resolve().parents[4] / "shared" / "data" / "tau_bench_airline_gpt4o" / "regrade.jsonl"
REVIEW = find_checklist("review")


@pytest.mark.parametrize("n", [10, 25, 50])
def test_samples_of_many_seeds_hold_the_share_that_is_known(n: int) -> None:
    if not REPLAYED.is_file():
        pytest.skip(f"{REPLAYED} is not here")
    rows = [json.loads(line) for line in REPLAYED.read_text(encoding="utf-8").splitlines()]
    faulty = {str(row["task_id"]) for row in rows if row["listed_in_tau3_fixes"]}
    airline = Population(
        suite="airline", tasks=tuple(sorted(TaskRef(name) for name in {str(r["task_id"]) for r in rows}))
    )
    assert (len(faulty), len(airline.tasks)) == (29, 50)
    said = [Inspection(checklist=REVIEW.identity, item=item.id, reviewer="ada", suite="airline", task=task.name,
                       answer="fails" if item.id == "reference-is-right" and task.name in faulty else "holds")
            for task in airline.tasks for item in REVIEW.about("task")]  # fmt: skip
    answered, _ = standing_answers(said, REVIEW, airline)
    found = [decide(REVIEW, airline, drawn(airline.tasks, n, seed), answered) for seed in range(60)]
    covered = [one.share.low is not None and one.share.high is not None and one.share.low <= 0.58 <= one.share.high
               for one in found]  # fmt: skip
    assert sum(covered) >= 0.95 * len(found) - 1
    decisions = [one.decision for one in found]
    assert "sound" not in decisions
    assert decisions.count("flawed") >= {10: 40, 25: 59, 50: 60}[n]
