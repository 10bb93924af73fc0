"""What the ledger holds of the sample under review: its rows' rollouts, and what has been said of them.

Read anew only when parts have appeared. Nothing here reads a verdict, so that nothing blind can depend on one, not even
in how long it takes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, cast

from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.audited import all_preferences, all_reviews, all_samples
from fairtrial.records import Preference, Review, Sample

T = TypeVar("T")

_COLUMNS = "id, suite, task, task_hash, model, trajectory, deliverable, answer, steps"
_OF_SAMPLE = f"select {_COLUMNS} from rollouts where id in (select unnest($ids))"
_OF_TASKS = f"""
select {_COLUMNS} from rollouts where coalesce(origin, 'policy') = 'policy' and (suite, task) in (
    select suite, task from rollouts where id in (select unnest($ids))
) order by id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Of one rollout what a reader needs."""

    id: str
    suite: str = ""
    task: str
    task_hash: str = ""
    model: str = ""
    """For drawing pairs across models; no page of a reviewer shows it."""
    trajectory: str = ""
    deliverable: str = ""
    answer: str | None = None
    steps: int | None = None


class Held:
    """The ledger as the review pages read it; safe from several threads."""

    def __init__(self, ledger: Ledger, sample: str = "") -> None:
        self.ledger = ledger
        self._named = sample
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[object, object]] = {}
        self._name: tuple[Sample, str] | None = None

    def sample(self) -> Sample | None:
        """Return the sample under review: the one that was named, or the last one; None where there is none."""
        samples = self.samples()
        if self._named:
            return self._fresh("samples", "named", lambda: next(
                (one for one in reversed(samples) if self._named in (one.id, one.name)), None))  # fmt: skip
        return samples[-1] if samples else None

    def samples(self) -> tuple[Sample, ...]:
        """Return every sample of the ledger."""
        return self._fresh("samples", "samples", lambda: all_samples(self.ledger))

    def reviews(self) -> tuple[Review, ...]:
        """Return every review of the ledger."""
        return self._fresh("reviews", "reviews", lambda: all_reviews(self.ledger))

    def preferences(self) -> tuple[Preference, ...]:
        """Return every comparison of the ledger."""
        return self._fresh("preferences", "preferences", lambda: all_preferences(self.ledger))

    def append(self, table: Literal["reviews", "preferences"], record: Review | Preference) -> None:
        """Record it; one at a time, since several readers submit at once. What was read before is not read again."""
        with self._lock:
            before = self._parts(table)
            self.ledger.append(table, [record])
            after, kept = self._parts(table), self._kept.get(table)
            if kept is not None and kept[0] == before and len(after) == len(before) + 1:
                self._kept[table] = (after, (*cast(tuple[object, ...], kept[1]), record))

    def attempts(self, sample: Sample) -> dict[str, Attempt]:
        """Return the rollouts of `sample` by id; one that the ledger does not hold is left out."""
        return self._fresh("rollouts", f"of {self._id_of(sample)}", lambda: self._asked(_OF_SAMPLE, sample))

    def siblings(self, sample: Sample) -> dict[str, Attempt]:
        """Return all rollouts of the sample's tasks by id, the sample's own too; known candidates are left out."""
        return self._fresh("rollouts", f"beside {self._id_of(sample)}", lambda: self._asked(_OF_TASKS, sample))

    def _id_of(self, sample: Sample) -> str:
        """Return its id, hashed once: of thousands of rows that takes longer than the page."""
        kept = self._name
        if kept is None or kept[0] is not sample:
            kept = self._name = (sample, sample.id)
        return kept[1]

    def _asked(self, query: str, sample: Sample) -> dict[str, Attempt]:
        with connect(self.ledger) as connection:
            result = connection.execute(query, {"ids": [row.rollout for row in sample.rows]})
            names = [column[0] for column in result.description or []]
            found = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
        made = [Attempt(**{name: value for name, value in one.items() if value is not None}) for one in found]
        return {one.id: one for one in made}

    def _fresh(self, table: str, name: str, read: Callable[[], T]) -> T:
        """Return what `read` gives, from before where `table` has no new part."""
        with self._lock:
            parts = self._parts(table)
            kept = self._kept.get(name)
            if kept is None or kept[0] != parts:
                kept = (parts, read())
                self._kept[name] = kept
            return cast(T, kept[1])

    def _parts(self, table: str) -> tuple[Path, ...]:
        return tuple(self.ledger.parts(table))
