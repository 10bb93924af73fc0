"""Deal jobs out to a cluster, at least once each, and yield each result once.

A cluster may lose a job, do it twice, or answer twice and late: an answer counts for its job's index, the first one
that comes; what comes after it is let go. A job whose worker died is tried once more; one whose machine is gone, more
often, since that is no fault of the job. Not covered: effects of a job that was done twice. Ours have none but a cache
that is kept by content; the records go through the driver, and their ids are hashes of what they hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from fairtrial.run.cluster.working import Crashed, Ended, NodeGone, Raised, Refused, Returned
from fairtrial.run.engine import MOST_TRIES, Done, Lost

Result = TypeVar("Result")
MOST_NODES_GONE = 8
"""Machines that one job may outlive: on machines that may be taken away at any time it is no sign against the job."""


class Cluster(Protocol):
    """Somewhere that jobs are sent to."""

    def room(self) -> int:
        """Return how many jobs may be there at once, as the cluster is now."""
        ...

    def send(self, job: Callable[[], Any]) -> Hashable:
        """Send a job, and return a ticket for its answer."""
        ...

    def answers(self, tickets: Sequence[Hashable]) -> list[tuple[Hashable, Ended]]:
        """Wait for answers to `tickets`, and return what came; it may come again later.

        None where the cluster would rather be asked first how much room it has by now.
        """
        ...

    def forget(self, tickets: Sequence[Hashable]) -> None:
        """Stop what was sent and is no longer wanted."""
        ...


def dispatch(
    jobs: Iterable[Callable[[], Result]], cluster: Cluster, at_once: int | None = None
) -> Iterator[Done[Result] | Lost]:
    """Yield each job's result as it comes, in any order, at most `at_once` sent at a time.

    Raise what a job or a machine says that the user must mend.
    """
    waiting = enumerate(jobs)
    again: list[tuple[int, Callable[[], Result]]] = []
    flying: dict[Hashable, tuple[int, Callable[[], Result]]] = {}
    crashes: Counter[int] = Counter()
    gone: Counter[int] = Counter()
    try:
        while True:
            limit = max(1, cluster.room() if at_once is None else min(at_once, cluster.room()))
            while len(flying) < limit and (job := again.pop() if again else next(waiting, None)) is not None:
                flying[cluster.send(job[1])] = job
            if not flying:
                return
            for ticket, ended in cluster.answers(list(flying)):
                if (sent := flying.pop(ticket, None)) is None:
                    continue  # answered before
                index = sent[0]
                crashes[index] += isinstance(ended, Crashed)
                gone[index] += isinstance(ended, NodeGone)
                told = _told(index, ended, crashes[index], gone[index])
                if told is None:
                    again.append(sent)
                    continue
                del crashes[index], gone[index]
                yield told
    finally:
        if flying:
            cluster.forget(list(flying))


def _told(index: int, ended: Ended, crashes: int, gone: int) -> Done[Any] | Lost | None:
    """Return what is yielded of an answer; None where the job is tried again."""
    match ended:
        case Returned(value):
            return Done(index, value)
        case Refused(error):
            raise error
        case Raised(why):
            return Lost(index, why)
        case Crashed(why):
            return Lost(index, why) if crashes >= MOST_TRIES else None
        case NodeGone(why):
            return Lost(index, why) if gone > MOST_NODES_GONE else None
