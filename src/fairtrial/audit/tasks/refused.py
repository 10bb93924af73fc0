"""From what a reviewer says, and what the grader said of their second design, to records.

A design that one reviewer calls correct and the grader refuses is a lead: the reviewer may be wrong. Where a second
reviewer, with a role stated, calls the very same design correct, and the grader refused it each time, it is a proof
that right work fails, with the command that shows it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from fairtrial.audit.tasks.answers import Answer
from fairtrial.audit.tasks.design import REPEATS, TriedDesign
from fairtrial.records import Finding, Signoff

PROBE = "second_design"
WITNESSES = 2


def signoff_of(answer: Answer, tried: TriedDesign | None, suite: str, now: str) -> Signoff:
    """Return what is recorded of one answer, and of the design that was tried for it."""
    return Signoff(
        suite=suite, task=answer.task, task_hash=answer.task_hash, part=answer.part, holds=answer.holds,
        reviewer=answer.reviewer, role=answer.role, second_design=answer.second_design, note=answer.note,
        second_design_passes=tried.passes if tried is not None else None, recorded_at=now,
        evidence=orjson.dumps(tried.evidence(), option=orjson.OPT_SORT_KEYS).decode() if tried is not None else "",
    )  # fmt: skip


def finding_of(said: Signoff, others: Iterable[Signoff], tried: TriedDesign, path: Path) -> Finding | None:
    """Return the finding that a refused design makes; None where it passes or was not measured.

    `others`: the sign-offs that are there already; `path`: the task's folder, for the command.
    """
    if tried.passes is not False:
        return None
    names = witnesses(tried.design.hash, [*others, said])
    is_proof = len(names) >= WITNESSES and tried.failed >= REPEATS
    called = " and ".join(names) if is_proof else said.reviewer
    verb = "call" if is_proof and len(names) > 1 else "calls"
    return Finding(
        suite=said.suite, task=said.task, task_hash=said.task_hash, probe=PROBE, family=PROBE,
        severity="proof" if is_proof else "lead", recorded_at=said.recorded_at,
        claim=f"A design that {called} {verb} correct is refused: {said.second_design}",
        command=" ".join(["fairtrial audit task", shlex.quote(str(path)), "--task", shlex.quote(said.task), "--try",
                          shlex.quote(str(tried.design.path)), "--sandbox", tried.sandbox]),
        evidence=said.evidence,
    )  # fmt: skip


def witnesses(design: str, signoffs: Iterable[Signoff]) -> tuple[str, ...]:
    """Return who, with a role stated, calls the design of this content address correct, of one content of the task.

    The last of `signoffs` says which content.
    """
    said = list(signoffs)
    now = said[-1].task_hash if said else ""
    names = {one.reviewer for one in said if one.task_hash == now and one.role and design_of(one) == design}
    return tuple(sorted(names))


def design_of(one: Signoff) -> str:
    """Return the content address of the design that was tried; empty where none was."""
    if not one.evidence:
        return ""
    try:
        evidence: Any = orjson.loads(one.evidence)
    except orjson.JSONDecodeError:  # a ledger may hold what another tool wrote there
        return ""
    return str(evidence.get("design", "")) if isinstance(evidence, dict) else ""
