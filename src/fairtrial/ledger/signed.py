"""Which sign-offs stand: those of the content that a task has now. All others are void, and told with both contents.

Of each reviewer the last word on a part of one content counts; where two say the opposite, the part is disputed.
Not covered: who may sign; a role is what a reviewer says of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from fairtrial.ledger.audited import all_signoffs
from fairtrial.ledger.store import Ledger
from fairtrial.records import Signoff, TaskPart

PARTS: tuple[TaskPart, ...] = get_args(TaskPart)

State = Literal["signed", "refused", "disputed", "cannot_tell", "nobody"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedTask:
    """What experts say of one task as it is now."""

    task: str
    task_hash: str
    said: Mapping[TaskPart, tuple[Signoff, ...]]
    """Part -> the last word of each reviewer, by name."""
    designs: tuple[Signoff, ...] = ()
    """Second designs that were named for this content, the last word of each reviewer on each."""
    void: tuple[Signoff, ...] = ()
    """The last word of each reviewer on each part of another content, where they say nothing of this one."""

    def state(self, part: TaskPart) -> State:
        """Return what is said of a part.

        >>> SignedTask(task="t", task_hash="h", said={}).state("grader")
        'nobody'
        """
        said = self.said.get(part, ())
        told = {one.holds for one in said if one.holds is not None}
        if not told:
            return "cannot_tell" if said else "nobody"
        if len(told) > 1:
            return "disputed"
        return "signed" if True in told else "refused"

    @property
    def refused_designs(self) -> tuple[Signoff, ...]:
        """Return the second designs, called correct by a reviewer, that the grader does not pass."""
        return tuple(one for one in self.designs if one.second_design_passes is False)


def standing_signoffs(ledger: Ledger, hashes: Mapping[str, str], suite: str = "") -> dict[str, SignedTask]:
    """Return what stands of each task in `hashes` (task -> content address); see `signed_tasks`."""
    return signed_tasks(all_signoffs(ledger), hashes, suite)


def signed_tasks(signoffs: Iterable[Signoff], hashes: Mapping[str, str], suite: str = "") -> dict[str, SignedTask]:
    """Return what stands of each task in `hashes`, also of those of which nothing was said.

    A sign-off stands for its content, whatever the suite is called. What is void is looked for in suites of the name of
    `suite` (with or without hash), or in all where it is empty.
    """
    last: dict[tuple[str, TaskPart, str, str], Signoff] = {}
    designs: dict[tuple[str, str, str], Signoff] = {}
    for one in sorted(signoffs, key=lambda one: (one.recorded_at, one.id)):
        if one.task in hashes:
            last[one.task, one.part, one.reviewer, one.task_hash] = one
            if one.second_design and one.task_hash == hashes[one.task]:
                designs[one.task, one.reviewer, one.second_design] = one
    return {
        task: SignedTask(
            task=task, task_hash=now, said=_said(task, now, last.values()),
            designs=tuple(one for key, one in sorted(designs.items()) if key[0] == task),
            void=_void(task, now, last.values(), suite.split("@")[0]),
        )
        for task, now in sorted(hashes.items())
    }  # fmt: skip


def _said(task: str, now: str, last: Iterable[Signoff]) -> dict[TaskPart, tuple[Signoff, ...]]:
    mine = sorted((one for one in last if one.task == task and one.task_hash == now), key=lambda one: one.reviewer)
    return {part: said for part in PARTS if (said := tuple(one for one in mine if one.part == part))}


def _void(task: str, now: str, last: Iterable[Signoff], suite: str) -> tuple[Signoff, ...]:
    """Return the last word of who says nothing of the present content, by part and reviewer."""
    mine = [one for one in last if one.task == task]
    stands = {(one.part, one.reviewer) for one in mine if one.task_hash == now}
    gone: dict[tuple[TaskPart, str], Signoff] = {}
    for one in sorted(mine, key=lambda one: (one.recorded_at, one.id)):
        is_ours = not suite or one.suite.split("@")[0] == suite
        if is_ours and one.task_hash != now and (one.part, one.reviewer) not in stands:
            gone[one.part, one.reviewer] = one
    return tuple(gone[key] for key in sorted(gone))
