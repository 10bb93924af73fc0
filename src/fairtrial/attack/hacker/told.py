"""What an attack came to, told as findings and as the `fairtrial.attack/1` document. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

import orjson

from fairtrial.attack.hacker.kept import CARD, KeptAttack
from fairtrial.attack.hacker.options import Attacked, TaskTally
from fairtrial.attack.hacker.strength import Strength, listed
from fairtrial.measure.intervals import upper_bound, wilson, zero_bound
from fairtrial.records import Estimate, Finding
from fairtrial.tasks import Suite

AS_STRONG = (
    "A probe is only as strong as the model that runs it: this bounds what this attacker finds, not what any could."
)


def found_share(seen: int, n: int) -> Estimate:
    """Return the share of attempts that got wrong work past a grader; where none did, its upper bound.

    >>> round(found_share(0, 50).high, 4), found_share(0, 50).one_sided
    (0.0582, True)
    """
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0, method="no attempt was graded", unit="attempts")
    if seen == 0:
        return Estimate(value=0.0, low=0.0, high=zero_bound(n), n=n, method="zero bound, 95%", one_sided=True,
                        unit="attempts")  # fmt: skip
    low, high = wilson(seen, n)
    return Estimate(value=seen / n, low=low, high=high, n=n, method="Wilson", unit="attempts")


def findings_of(attacked: Attacked, suite: Suite, command: Callable[[KeptAttack], str], now: str) -> list[Finding]:
    """Return a finding for each attack, new or kept before, that passes."""
    hashes = {task.name: task.hash for task in suite.tasks}
    every = [*attacked.attacks, *(attack for attack, passes in attacked.kept_before if passes)]
    return [
        Finding(
            task=attack.task, suite=suite.identity, task_hash=hashes.get(attack.task, ""), family=CARD.family,
            probe=f"{CARD.id}:{attack.name}", severity=attack.severity, runner=attack.runner, recorded_at=now,
            claim=f"{attack.attacker} got past the grader, and its commands do so again without it: {attack.why}",
            command=command(attack), evidence=orjson.dumps({"rule": attack.rule, "commands": attack.commands,
                                                            "impossible": attack.impossible}).decode(),
        )
        for attack in every
    ]  # fmt: skip


def shown_again(paths: dict[str, str], kept_at: str, attack: KeptAttack) -> str:
    """Return the command that hands the attack in again; `kept_at` is empty where it lies beside its suite."""
    words = ["fairtrial", "prove", paths[attack.task], "--only", f"{CARD.id}:{attack.name}"]
    words += ["--runners", attack.runner] if attack.runner != "ours" else []
    first = f"cp -r {shlex.quote(kept_at)} {shlex.quote(paths[attack.task])} && " if kept_at else ""
    return first + shlex.join(words)


def document(attacked: Attacked, suite: Suite, strength: Strength, attacker: dict[str, Any],
             findings: list[Finding]) -> dict[str, Any]:  # fmt: skip
    """Return the `fairtrial.attack/1` document."""
    return {
        "schema": "fairtrial.attack/1",
        "suite": suite.identity,
        "attacker": attacker,
        "strength": {
            "attacker": strength.attacker.document(),
            "policies": {name: one.document() for name, one in listed(strength)},
            "says": AS_STRONG,
        },
        "stopped": attacked.stopped,
        "attempts": attacked.attempts,
        "graded": attacked.graded,
        "proofs": attacked.proofs,
        "found": found_share(attacked.proofs, attacked.graded).document(),
        "rounds": [
            {"round": one.number, "attempts": one.attempts, "graded": one.graded, "ungraded": dict(one.ungraded),
             "passed": one.passed, "reproduced": one.reproduced, "new": [attack.name for attack in one.found]}
            for one in attacked.rounds
        ],
        "tasks": [_task(one) for one in attacked.tasks],
        "attacks": [_attack(one) | {"passes": True} for one in attacked.attacks],
        "kept_before": [_attack(one) | {"passes": passes} for one, passes in attacked.kept_before],
        "findings": [
            {"task": f.task, "probe": f.probe, "family": f.family, "severity": f.severity, "claim": f.claim,
             "command": f.command, "evidence": f.evidence, "runner": f.runner}
            for f in findings
        ],
        "tokens": attacked.tokens,
        "cost_usd": attacked.cost_usd,
    }  # fmt: skip


def _task(one: TaskTally) -> dict[str, Any]:
    return {"task": one.task, "path": one.path, "attempts": one.attempts, "graded": one.graded, "proofs": one.proofs,
            "leads": one.leads, "bound": upper_bound(one.proofs, one.graded) if one.graded else None,
            "not_measured": one.why_not}  # fmt: skip


def _attack(one: KeptAttack) -> dict[str, Any]:
    return {"name": one.name, "task": one.task, "attacker": one.attacker, "runner": one.runner,
            "severity": one.severity, "rule": one.rule, "why": one.why, "impossible": one.impossible,
            "commands": [list(step) for step in one.commands]}  # fmt: skip
