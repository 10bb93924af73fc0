"""Rollouts that the hack detectors suspect, read afresh: those of `detect`, over the trajectories at hand.

A rollout without a trajectory is not read, and counted: not measured is not clean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from fairtrial.attack.detectors.comparing import compared, examine
from fairtrial.train.sets.pool import Entry
from fairtrial.train.sets.works import Works


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspected:
    """What the detectors said."""

    rollouts: frozenset[str]
    """Ids of those suspected."""
    read: int
    not_read: int
    """Rollouts of one prompt and one answer: there is no step to read."""
    partly: int
    """Read, but for parts that unfold too far."""


class Progress(Protocol):
    """Who is told how far the reading is."""

    def expect(self, more: int) -> None: ...

    def tick(self) -> None: ...


class Silent:
    """Tells nobody."""

    def expect(self, more: int) -> None:
        """Do nothing."""

    def tick(self) -> None:
        """Do nothing."""


def suspects(entries: Sequence[Entry], works: Works, progress: Progress) -> Suspected:
    """Return which of `entries` are suspected; those of one task are compared with each other."""
    read = [entry for entry in entries if works.work(entry).trajectory is not None]
    progress.expect(len(read))
    examined = []
    for entry in read:
        told = works.work(entry).trajectory
        assert told is not None  # of `read`
        examined.append(replace(examine(told, entry.task, entry.outcome), task="\0".join(entry.task_key)))
        progress.tick()
    found = compared(examined)
    ids = frozenset(entry.id for entry, what in zip(read, found, strict=True) if what.suspected)
    return Suspected(rollouts=ids, read=len(read), not_read=len(entries) - len(read),
                     partly=sum(bool(one.unread) for one in examined))  # fmt: skip
