"""A cluster in this process that misbehaves as real ones do, by a seed: for tests, ours and users'.

Jobs are sent as parcels and done as a worker does them. Answers come in any order; some never, for the worker died or
its machine is gone, before the job was done or after; some come twice. Not covered: time, and machines with files of
their own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairtrial.run.cluster.carrying import Parcel, content_hash, packed, parcel_of
from fairtrial.run.cluster.working import Crashed, Ended, NodeGone, source_hash, work


@dataclass(slots=True, kw_only=True)
class FakeCluster:
    """Does jobs one at a time, and loses or repeats answers."""

    seed: int = 0
    loses: float = 0.0
    """Share of jobs, of those that are not done, whose machine goes before or after the work."""
    crashes: float = 0.0
    """Share of jobs whose worker dies."""
    repeats: float = 0.0
    """Share of answers that come a second time."""
    places: int = 4
    done: list[int] = field(default_factory=list)
    """Ticket of each job that was really done, in order; some more than once a job."""
    forgotten: list[Hashable] = field(default_factory=list)
    _sent: dict[Hashable, Parcel] = field(default_factory=dict)
    _answered: list[tuple[Hashable, Ended]] = field(default_factory=list)
    _next: int = 0
    _draw: random.Random | None = None

    def room(self) -> int:
        """Return the places."""
        return self.places

    def send(self, job: Callable[[], Any]) -> Hashable:
        """Take a job."""
        self._next += 1
        self._sent[self._next] = parcel_of(job, content_hash)
        return self._next

    def answers(self, tickets: Sequence[Hashable]) -> list[tuple[Hashable, Ended]]:
        """Answer one of the tickets, drawn at random; and now and then some answered before, once more."""
        draw = self._draw = self._draw or random.Random(self.seed)
        ticket = draw.choice(tickets)
        ended = self._ended(ticket, draw)
        told = [(ticket, ended)]
        if self._answered and draw.random() < self.repeats:
            told.insert(draw.randrange(2), draw.choice(self._answered))
        if draw.random() < self.repeats:
            told.append((ticket, ended))
        self._answered.append((ticket, ended))
        return told

    def forget(self, tickets: Sequence[Hashable]) -> None:
        """Take note of what is no longer wanted."""
        self.forgotten += tickets

    def _ended(self, ticket: Hashable, draw: random.Random) -> Ended:
        fate = draw.random()
        if fate < self.loses / 2:
            return NodeGone("the machine is gone")
        if fate < self.loses / 2 + self.crashes:
            return Crashed("the worker died")
        self.done.append(int(str(ticket)))
        ended = work(self._sent[ticket], source_hash(), lambda root: packed(root.path))
        return NodeGone("the machine went with the answer") if fate > 1 - self.loses / 2 else ended
