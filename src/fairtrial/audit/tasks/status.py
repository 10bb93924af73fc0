"""What stands of a suite's sign-offs, as one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairtrial.ledger.signed import PARTS, SignedTask
from fairtrial.records import Signoff

SCHEMA = "fairtrial.signoffs/1"


def document(suite: str, signed: Mapping[str, SignedTask]) -> dict[str, Any]:
    """Return it as JSON; `holds` is true where every part of every task is signed off and no design is refused."""
    return {"schema": SCHEMA, "suite": suite, "holds": holds(signed), "tasks": [_task(one) for one in signed.values()]}


def holds(signed: Mapping[str, SignedTask]) -> bool | None:
    """Say whether all is signed off: False where a part or a second design is refused, None where anything is open."""
    states = {one.state(part) for one in signed.values() for part in PARTS}
    if "refused" in states or any(one.refused_designs for one in signed.values()):
        return False
    return True if states == {"signed"} else None


def _task(one: SignedTask) -> dict[str, Any]:
    return {
        "task": one.task,
        "task_hash": one.task_hash,
        "parts": {part: {"state": one.state(part), "said": [_said(s) for s in one.said.get(part, ())]}
                  for part in PARTS},
        "second_designs": [
            {"reviewer": s.reviewer, "role": s.role, "design": s.second_design, "passes": s.second_design_passes}
            for s in one.designs
        ],
        "void": [_said(s) | {"part": s.part, "was": s.task_hash, "now": one.task_hash} for s in one.void],
    }  # fmt: skip


def _said(one: Signoff) -> dict[str, Any]:
    return {"reviewer": one.reviewer, "role": one.role, "holds": one.holds, "note": one.note,
            "recorded_at": one.recorded_at}  # fmt: skip
