"""A reader's desk: which rows lie on it, in which stage, and how far each is. One desk a site, read by every page.

A reviewer's rows are blind until the sample is closed, and informed from then on; an adjudicator's are what reviewers
disagree on; an owner has none. A row of somebody else is no row: its name opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Literal

from fairtrial.audit.standing import counting
from fairtrial.audit.status import SampleStatus, status, without_missing
from fairtrial.records import Review, Sample
from fairtrial.serve.review.drafts import Draft, Drafts
from fairtrial.serve.review.held import Attempt, Held
from fairtrial.serve.review.rows import row_name, secret_of
from fairtrial.serve.review.turns import State
from fairtrial.serve.review.unblinded import unblinded
from fairtrial.serve.review.work import Work, Works
from fairtrial.serve.site import Reader, Role, Site

Stage = Literal["blind", "informed", "adjudicate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one reader does with one rollout in one stage."""

    name: str
    """As addresses have it."""
    reader: str
    stage: Stage
    attempt: Attempt
    draft: Draft
    review: Review | None = None
    """The reader's last one of this stage."""
    is_settled: bool = False
    """It was reviewed blind, and the reader has been shown the verdict since: the blind review stays as it is."""

    @property
    def state(self) -> State:
        """Return how far it is."""
        if self.review is not None:
            return "done"
        if self.draft.skipped:
            return "skipped"
        return "draft" if self.draft.version and self.draft.content else "open"


class Desk:
    """All that the review pages know of one site."""

    def __init__(self, site: Site) -> None:
        folder = site.ledger.path / "drafts"
        self.site = site
        self.held = Held(site.ledger, site.sample)
        self.works = Works(site.ledger)
        self.key = secret_of(folder)
        self.drafts = Drafts(folder)
        self.submitting = Lock()
        """Held while a decision is checked and recorded."""
        self._status: tuple[tuple[object, ...], SampleStatus] | None = None
        self._unblinded: dict[str, tuple[tuple[object, ...], frozenset[str]]] = {}

    def status(self, sample: Sample) -> SampleStatus:
        """Return who is to read what, and how far they are; worked out anew only where somebody has reviewed."""
        of = (sample, self.held.reviews(), self.held.attempts(sample))
        kept = self._status
        if kept is None or not _are_same(kept[0], of):
            kept = (of, status(without_missing(sample, of[2]), of[1], self.names("reviewer")))
            self._status = kept
        return kept[1]

    def missing(self, sample: Sample) -> int:
        """Return of how many rows the ledger does not hold the rollout: nobody can read them."""
        held = self.held.attempts(sample)
        return sum(row.rollout not in held for row in sample.rows)

    def unblinded(self, reader: Reader, sample: Sample) -> frozenset[str]:
        """Return the rollouts whose verdicts `reader` has been shown by now, in any sample."""
        of = (self.status(sample), self.held.reviews(), self.held.samples())
        kept = self._unblinded.get(reader.name)
        if kept is None or not _are_same(kept[0], of):
            others = [one for one in of[2] if one is not sample and one != sample]
            kept = (of, unblinded(reader.name, of[1], of[0], others))
            self._unblinded[reader.name] = kept
        return kept[1]

    def names(self, role: Role) -> list[str]:
        """Return who is here in that role."""
        return [one.name for one in self.site.readers if one.role == role]

    def stage_of(self, reader: Reader, stands: SampleStatus) -> Stage:
        """Return in which stage the reader's rows are now."""
        if reader.role == "adjudicator":
            return "adjudicate"
        return "informed" if stands.is_closed else "blind"

    def rows(self, reader: Reader, *, only: str = "") -> tuple[Row, ...]:
        """Return the rows of `reader`, or the one that goes by the name `only`, in the sample's order."""
        sample = self.held.sample()
        if sample is None or reader.role == "owner":
            return ()
        stands = self.status(sample)
        stage = self.stage_of(reader, stands)
        attempts = self.held.attempts(sample)
        said = _own(self.held.reviews(), reader, stage)
        if stage == "adjudicate":
            open_rows = set(stands.to_adjudicate(reader.name))
            wanted = [row.rollout for row in stands.rows if row.rollout in open_rows or row.rollout in said]
        else:
            wanted = list(stands.of(reader.name).rows)
        shown = self.unblinded(reader, sample) if stage == "blind" else frozenset()
        found = []
        for rollout in wanted:
            name = row_name(self.key, reader.name, stage, rollout)
            if rollout in attempts and only in ("", name):
                review = said.get(rollout)
                found.append(Row(name=name, reader=reader.name, stage=stage, attempt=attempts[rollout],
                                 draft=self.drafts.read(name), review=review,
                                 is_settled=review is not None and rollout in shown))  # fmt: skip
        return tuple(found)

    def row(self, reader: Reader, name: str) -> Row | None:
        """Return the reader's row of that name; None where it is no row of theirs now."""
        return next(iter(self.rows(reader, only=name)), None)

    def work(self, row: Row) -> Work:
        """Return what is to be judged."""
        return self.works.of(row.attempt)

    def others(self, row: Row) -> tuple[Review, ...]:
        """Return the blind reviews that an adjudicator settles, in an order that tells nothing of who wrote them."""
        said = [
            one
            for one in counting(self.held.reviews())
            if one.rollout == row.attempt.id and one.kind == "person" and one.stage == "blind" and not one.adjudicates
        ]
        return tuple(sorted(said, key=lambda one: row_name(self.key, row.name, one.reviewer)))


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Say whether both hold the very same objects: what was read anew is another one."""
    return all(mine is yours for mine, yours in zip(one, other, strict=True))


def _own(reviews: tuple[Review, ...], reader: Reader, stage: Stage) -> Mapping[str, Review]:
    """The reader's counting reviews of this stage, by rollout."""
    wanted = "informed" if stage == "informed" else "blind"
    return {
        one.rollout: one
        for one in counting(reviews)
        if one.reviewer == reader.name and one.kind == "person" and one.stage == wanted
        and one.adjudicates == (stage == "adjudicate")
    }  # fmt: skip


@cache
def desk_of(site: Site) -> Desk:
    """Return the desk of `site`; there is one."""
    return Desk(site)
