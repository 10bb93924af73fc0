"""Small suites for the report's tests: measured from simulated rollouts, so that every figure fits every other."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

from fairtrial.ledger import Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Measurement, Options, measure
from fairtrial.records import CheckResult, Finding, Proof, Rollout, Verdict
from fairtrial.report import Context, Source

SUITE = "desk@0123456789ab"
TASKS = ("refund-simple", "refund-partial", "bugfix-rounding", "bugfix-offbyone", "report-csv", "incident-log")
RATES = {"scripted:weak": (0.6, 0.2, 0.0, 0.4, 0.9, 0.0), "scripted:strong": (1.0, 0.8, 0.5, 0.3, 1.0, 0.0)}
HOSTILE = "<script>alert('x')</script>|`*_[a](b)\x1b[31m\u202e" + "long-name_" * 8


def fill(ledger: Ledger, *, spend: bool = True, hostile: bool = False) -> None:
    """Append 8 attempts of two policies at six tasks; two of them ungraded, one pass at a limit."""
    source, rollouts, verdicts = random.Random(7), [], []
    for model, rates in RATES.items():
        for task, rate in zip(TASKS, rates, strict=True):
            for attempt in range(8):
                name = f"{task}{HOSTILE}" if hostile else task
                passed = source.random() < rate
                broken = task == "report-csv" and attempt == 7
                rollout = Rollout(
                    task=name,
                    model=model + (HOSTILE if hostile else ""),
                    attempt=attempt,
                    suite=SUITE,
                    agent="scripted",
                    stop="turn_limit" if attempt == 0 else "finished",
                    output_tokens=source.randint(300, 900) if spend else None,
                    cost_usd=source.uniform(0.01, 0.05) if spend else None,
                    recorded_at="2026-11-29T12:00:00Z",
                )
                rollouts.append(rollout)
                verdicts.append(_verdict(rollout, passed, broken))
    ledger.append("rollouts", rollouts)
    ledger.append("verdicts", verdicts)
    ledger.append("proofs", proofs(hostile=hostile))
    ledger.append("findings", findings(hostile=hostile))


def _verdict(rollout: Rollout, passed: bool, broken: bool) -> Verdict:
    if broken:
        return Verdict(rollout=rollout.id, outcome="ungraded", reason="grader_timeout", grader="g")
    checks = (CheckResult("test_starts", "passed"), CheckResult("test_result", "passed" if passed else "failed"))
    return Verdict(
        rollout=rollout.id, outcome="passed" if passed else "failed", score=float(passed), grader="g", checks=checks
    )


def proofs(*, hostile: bool = False) -> tuple[Proof, ...]:
    """Return four proven, one refuted and one inconclusive grader."""
    statuses = ("proven", "proven", "refuted", "proven", "inconclusive", "proven")
    return tuple(
        Proof(
            task=f"{task}{HOSTILE}" if hostile else task,
            status=status,
            suite=SUITE,
            task_hash=f"sha256:{task}",
            path=f"/suites/desk/{task}",
            sandbox="bwrap",
            required=("null", "reference"),
            gradings=14,
            measured=("null", "reference", "reference_repeat", "reference_concurrent", "defect:a", "defect:b"),
            not_measured=(("reference", "the reference timed out in 3 of 3 gradings"),)
            if status == "inconclusive"
            else (),
            recorded_at="2026-11-29T12:00:00Z",
        )
        for task, status in zip(TASKS, statuses, strict=True)
    )


def findings(*, hostile: bool = False) -> tuple[Finding, ...]:
    """Return one proof and one lead."""
    task = f"bugfix-rounding{HOSTILE}" if hostile else "bugfix-rounding"
    return (
        Finding(
            task=task,
            probe="hack:patch-tests",
            family="hack",
            severity="proof",
            suite=SUITE,
            task_hash="sha256:bugfix-rounding",
            claim="A hack passes: it rewrites `conftest.py` and scores 1.0.",
            command="fairtrial prove /suites/desk/bugfix-rounding",
            evidence='{"score": 1.0, "exit_code": 0}',
        ),
        Finding(
            task="report-csv",
            probe="static:skip",
            family="static",
            severity="lead",
            suite=SUITE,
            claim="The grader skips rows that it cannot parse.",
            command="fairtrial lint /suites/desk/report-csv",
        ),
    )


@cache
def measured() -> Measurement:
    """Return the measurement of the small suite, made once a process."""

    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.open(Path(folder) / "ledger", create=True)
        fill(ledger)
        return measure(observe(ledger, Selection()), Options(replicates=200))


def context(**changes: object) -> Context:
    """Return a fixed context, with some fields changed."""
    fields: dict[str, object] = {
        "suite": SUITE,
        "tool": "fairtrial 0.0.0",
        "measured_at": "2026-11-29",
        "ledger": "ledger",
        "suite_path": "/suites/desk",
        "sandboxes": ("bwrap",),
        "isolated": True,
        "scripted": tuple(RATES),
        "commands": ("fairtrial report ledger --out out",),
        "sources": (Source("rollouts", "rollouts/part-*.parquet", "sha256:" + "ab" * 32, 96),),
        "versions": (("numpy", "0"),),
    }
    return Context(**(fields | changes))  # type: ignore[arg-type]
