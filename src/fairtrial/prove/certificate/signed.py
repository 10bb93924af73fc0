"""What experts say of a certified task: the sign-offs that stand for its content, and which of them are void later.

They are told beside what was proven and change nothing of it. Not covered: who they are; a role is what they say of
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.ledger.signed import SignedTask
from fairtrial.records import Signoff, TaskPart


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedSignoff:
    """One sign-off, as it stood when the certificate was written."""

    part: TaskPart
    holds: bool | None
    reviewer: str
    role: str
    task_hash: str
    """The content that it speaks of."""
    recorded_at: str = ""
    second_design: str = ""
    second_design_passes: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidSignoff:
    """A sign-off of another content than the task has now."""

    part: TaskPart
    reviewer: str
    role: str
    was: str
    now: str
    """Empty where the suite holds no such task."""


def certified_signoffs(signed: SignedTask | None) -> tuple[CertifiedSignoff, ...]:
    """Return the last word of each reviewer on each part, and every second design that they named."""
    if signed is None:
        return ()
    kept = {one.id: one for said in signed.said.values() for one in said} | {one.id: one for one in signed.designs}
    told = (_certified(one) for one in kept.values())
    return tuple(sorted(told, key=lambda one: (one.part, one.reviewer, one.recorded_at, one.second_design)))


def void_signoffs(signoffs: Sequence[CertifiedSignoff], now: str) -> tuple[VoidSignoff, ...]:
    """Return those that speak of another content than `now`."""
    return tuple(VoidSignoff(part=one.part, reviewer=one.reviewer, role=one.role, was=one.task_hash, now=now)
                 for one in signoffs if one.task_hash != now)  # fmt: skip


def _certified(one: Signoff) -> CertifiedSignoff:
    return CertifiedSignoff(
        part=one.part, holds=one.holds, reviewer=one.reviewer, role=one.role, task_hash=one.task_hash,
        recorded_at=one.recorded_at, second_design=one.second_design, note=one.note,
        second_design_passes=one.second_design_passes,
    )  # fmt: skip
