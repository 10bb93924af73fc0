"""Write `golden/`, the ledger of version 1 that every later version must still read. Run once per ledger version.

    .venv/bin/python tests/ledger/make_golden.py

It is committed and never written again: a change here makes a second golden ledger beside the first.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from fairtrial.ledger import Ledger
from fairtrial.records import CheckResult, Finding, Proof, Review, Rollout, Verdict

FOLDER = Path(__file__).parent / "golden"


def rollout(task: str, attempt: int, **more: object) -> Rollout:
    """Return a rollout of the golden suite."""
    return Rollout(
        task=task, model="strong", attempt=attempt, suite="golden@0123456789ab", agent="loop", effort="high",
        recorded_at="2026-01-01T00:00:00+00:00", **more,
    )  # type: ignore[arg-type]  # fmt: skip


def main() -> None:
    """Write the ledger."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    ledger = Ledger.open(FOLDER, create=True)
    address = ledger.put_blob(b'{"schema_version":"ATIF-v1.8"}')
    passed = rollout(
        "refund", 0, trajectory=address, input_tokens=1200, output_tokens=300, cost_usd=0.25, stop="finished"
    )
    failed = rollout("refund", 1, answer="42", domain="support", family="refunds", cluster="c1", steps=7)
    broken = rollout("memo", 0, seed=3, step=100, group="g1", split="held_out")
    disputed, silent = rollout("memo", 1), rollout("memo", 2, origin="known")
    checks = (CheckResult("order exists", "passed"), CheckResult("mail sent", "broken", "no mail server"))
    early, late = "2026-01-01T00:01:00+00:00", "2026-01-02T00:00:00+00:00"
    ledger.append("rollouts", [passed, failed, broken])
    ledger.append("rollouts", [disputed, silent])
    ledger.append("verdicts", [
        Verdict(rollout=passed.id, outcome="passed", score=1.0, grader="g1", checks=checks, recorded_at=early),
        Verdict(rollout=failed.id, outcome="passed", score=1.0, grader="g1", recorded_at=early),
        Verdict(rollout=failed.id, outcome="failed", score=0.0, grader="g2", expected="41", recorded_at=late),
        Verdict(rollout=broken.id, outcome="ungraded", reason="grader_timeout", grader="g1", recorded_at=early),
        Verdict(rollout=disputed.id, outcome="passed", score=1.0, grader="g1", recorded_at=early),
        Verdict(rollout=disputed.id, outcome="failed", score=0.0, grader="g1", recorded_at=late),
    ])  # fmt: skip
    ledger.append(
        "findings", [Finding(task="memo", probe="null", family="null", severity="proof", claim="null passes")]
    )
    ledger.append(
        "proofs", [Proof(task="memo", status="refuted", required=("null",), not_measured=(("leak", "no model"),))]
    )
    ledger.append("reviews", [Review(rollout=passed.id, reviewer="r1", satisfied=True, failure_tags=("late",))])


if __name__ == "__main__":
    main()
