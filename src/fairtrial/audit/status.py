"""Who is to read which rows of a sample, what is done, what is disputed, and whether it is closed. Pure functions.

Rows are handed out in the order of the sample, each to those who have least so far, so that a sample that grew hands
out its old rows as before. Whoever has read a row has it, named or not: a reviewer who left costs no review. Where
fewer people are named than a row wants, it is done when all of them have read it, and the status says so.

Not covered: drafts, which are no records; and the second, informed look, which begins when a sample is closed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fairtrial.audit.sampling.order import chance
from fairtrial.audit.standing import Standing, standings
from fairtrial.records import Review, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStatus:
    """One row of the sample."""

    rollout: str
    wanted: int
    """People who are to read it, as it was drawn."""
    readers: tuple[str, ...]
    """Who reads it: those who have first, then those who are to."""
    done: tuple[str, ...]
    """Who has read it blind."""
    judged: bool
    """A judge has reviewed it blind."""
    disputed: bool
    """People disagree, and nobody has adjudicated."""
    adjudicated: bool

    @property
    def is_read(self) -> bool:
        """Say whether all its readers are through with it."""
        return set(self.readers) <= set(self.done)

    @property
    def lacking(self) -> int:
        """Return how many readers it is short of, because so few are named."""
        return max(0, self.wanted - len(self.readers))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderStatus:
    """One reviewer."""

    name: str
    rows: tuple[str, ...]
    """Ids of the rollouts that are theirs, in the order in which they are read."""
    done: tuple[str, ...]

    @property
    def left(self) -> tuple[str, ...]:
        """Return what they have still to read, in order."""
        done = set(self.done)
        return tuple(rollout for rollout in self.rows if rollout not in done)

    @property
    def is_closed(self) -> bool:
        """Say whether they have read all that is theirs."""
        return not self.left


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleStatus:
    """Where the review of a sample stands."""

    sample: str
    rows: tuple[RowStatus, ...]
    """In the order of the sample."""
    reviewers: tuple[ReaderStatus, ...]

    @property
    def disputed(self) -> tuple[str, ...]:
        """Return the rollouts that need a third person."""
        return tuple(row.rollout for row in self.rows if row.disputed)

    @property
    def lacking(self) -> int:
        """Return how many rows have fewer readers than they were to have."""
        return sum(row.lacking > 0 for row in self.rows)

    @property
    def reads(self) -> tuple[int, int]:
        """Return how many reads by people are done, and how many are to be done in all."""
        return (
            sum(len(set(row.readers) & set(row.done)) for row in self.rows),
            sum(len(row.readers) for row in self.rows),
        )

    @property
    def is_read(self) -> bool:
        """Say whether every row that people are to read is read; never where nobody was to read any."""
        return any(row.readers for row in self.rows) and all(row.is_read for row in self.rows)

    @property
    def is_closed(self) -> bool:
        """Say whether the blind stage is over: every row read, every dispute settled."""
        return self.is_read and not self.disputed

    def of(self, reviewer: str) -> ReaderStatus:
        """Return the status of one reviewer; of somebody who has no row an empty one."""
        empty = ReaderStatus(name=reviewer, rows=(), done=())
        return next((one for one in self.reviewers if one.name == reviewer), empty)

    def to_adjudicate(self, adjudicator: str) -> tuple[str, ...]:
        """Return the disputed rollouts that this person has not read themself, in order."""
        return tuple(row.rollout for row in self.rows if row.disputed and adjudicator not in row.done)


def assigned(sample: Sample, reviewers: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return who is to read each row, by rollout: as many as it wants, all different, loads as equal as can be.

    It hangs on the seed, the rows before it and the set of names; not on their order, and not on any review.

    >>> from fairtrial.records import Draw
    >>> rows = tuple(Draw(rollout=name, stratum="all", probability=1, readers=1) for name in "abcd")
    >>> found = assigned(Sample(seed=0, by=(), strata=(), rows=rows), ["ada", "bo"])
    >>> sorted(name for readers in found.values() for name in readers)
    ['ada', 'ada', 'bo', 'bo']
    """
    loads = dict.fromkeys(sorted(set(reviewers)), 0)
    found: dict[str, tuple[str, ...]] = {}
    for row in sample.rows:
        lot = {name: chance(sample.seed, "reader", row.rollout, name) for name in loads} if row.readers else {}
        chosen = sorted(lot, key=lambda name: (loads[name], lot[name]))[: row.readers]
        for name in chosen:
            loads[name] += 1
        found[row.rollout] = tuple(chosen)
    return found


def status(sample: Sample, reviews: Iterable[Review], reviewers: Iterable[str] = ()) -> SampleStatus:
    """Return where the review of `sample` stands, by all reviews of its rollouts; without `reviewers`, of whoever read.

    Void reviews do not count. A review of the same rollout outside this sample does: the work is done.
    """
    said = standings(reviews)
    named = set(reviewers)
    if not named:
        named = {name for row in sample.rows if row.rollout in said for name in said[row.rollout].people}
    to_read = assigned(sample, named)
    rows = tuple(_row(row.rollout, row.readers, to_read[row.rollout], said.get(row.rollout)) for row in sample.rows)
    everybody = named | {name for row in rows for name in row.done}
    return SampleStatus(sample=sample.id, rows=rows, reviewers=tuple(_reader(name, rows) for name in sorted(everybody)))


def without_missing(sample: Sample, held: Container[str]) -> Sample:
    """Return `sample` without the rows whose rollout is not among `held`: nobody can read them, so nobody is to.

    A ledger that was copied in part, or whose parts were moved away, still has its samples whole.
    """
    rows = tuple(row for row in sample.rows if row.rollout in held)
    return sample if len(rows) == len(sample.rows) else replace(sample, rows=rows)


def pairs_of_readers(rows: Sequence[RowStatus]) -> Mapping[tuple[str, str], int]:
    """Return how many rows each two people have both read."""
    found: dict[tuple[str, str], int] = {}
    for row in rows:
        done = sorted(row.done)
        for i, first in enumerate(done):
            for second in done[i + 1 :]:
                found[(first, second)] = found.get((first, second), 0) + 1
    return found


def _row(rollout: str, wanted: int, to_read: tuple[str, ...], standing: Standing | None) -> RowStatus:
    done = tuple(sorted(standing.people)) if standing else ()
    first = [name for name in to_read if name in done]
    others = [name for name in done if name not in to_read]
    waiting = [name for name in to_read if name not in done]
    readers = [*first, *others][:wanted]
    readers += waiting[: max(0, min(wanted, len(to_read)) - len(readers))]
    return RowStatus(rollout=rollout, wanted=wanted, readers=tuple(readers), done=done,
                     judged=bool(standing and standing.judges), disputed=bool(standing and standing.disputed),
                     adjudicated=bool(standing and standing.adjudicated))  # fmt: skip


def _reader(name: str, rows: Sequence[RowStatus]) -> ReaderStatus:
    mine = tuple(row.rollout for row in rows if name in row.readers)
    done = tuple(row.rollout for row in rows if name in row.readers and name in row.done)
    return ReaderStatus(name=name, rows=mine, done=done)
