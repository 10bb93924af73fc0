"""A reader's table of pairs: which showings lie on it, how far each is, and the record that a choice becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from fairtrial.records import Preference, Sample
from fairtrial.serve.pairs.choice import Choice, Preferred, lacking, why_not_cited
from fairtrial.serve.pairs.drawing import Pair, Showing, drawn_pairs, showings
from fairtrial.serve.review.decision import Lack
from fairtrial.serve.review.desk import Desk, desk_of
from fairtrial.serve.review.drafts import Draft
from fairtrial.serve.review.rows import row_name
from fairtrial.serve.review.turns import State
from fairtrial.serve.site import Reader, Site

SETTLED = "You have been shown a verdict of these two since: your choice stays as it is."


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """One showing of one pair to one reader."""

    name: str
    reader: str
    showing: Showing
    draft: Draft
    preference: Preference | None = None
    is_settled: bool = False
    """It was compared, and the reader has been shown a verdict of it since: the choice stays as it is."""

    @property
    def state(self) -> State:
        """Return how far it is."""
        if self.preference is not None:
            return "done"
        if self.draft.skipped:
            return "skipped"
        return "draft" if self.draft.version and self.draft.content else "open"


@dataclass(frozen=True, slots=True)
class Rows:
    """A reader's rows, and how many are withdrawn because a verdict of theirs has been shown to this reader."""

    rows: tuple[PairRow, ...] = ()
    withdrawn: int = 0


class Table:
    """All that the pages of pairs know of one site."""

    def __init__(self, site: Site) -> None:
        self.desk: Desk = desk_of(site)
        self._pairs: tuple[object, tuple[Pair, ...]] | None = None

    def rows(self, reader: Reader) -> Rows:
        """Return the rows of `reader`; none for who is no reviewer, or where there is no sample."""
        sample = self.desk.held.sample()
        if sample is None or reader.role != "reviewer":
            return Rows()
        shown = showings(sample.seed, self._drawn(sample), self.desk.names("reviewer"))[reader.name]
        known = self.desk.unblinded(reader, sample)
        said = {(one.first, one.second): one for one in self.desk.held.preferences()
                if one.reviewer == reader.name and one.kind == "person"}  # fmt: skip
        found, withdrawn = [], 0
        for one in shown:
            preference = said.get((one.first.id, one.second.id))
            is_shown = bool(known & {one.first.id, one.second.id})
            if preference is None and is_shown:
                withdrawn += 1
                continue
            name = row_name(self.desk.key, reader.name, "pair", one.first.id, one.second.id)
            found.append(PairRow(name=name, reader=reader.name, showing=one, draft=self.desk.drafts.read(name),
                                 preference=preference, is_settled=is_shown))  # fmt: skip
        return Rows(tuple(found), withdrawn)

    def row(self, reader: Reader, name: str) -> PairRow | None:
        """Return the reader's row of that name; None where it is no row of theirs now."""
        return next((row for row in self.rows(reader).rows if row.name == name), None)

    def submit(self, row: PairRow, choice: Choice) -> tuple[Preference | None, tuple[Lack, ...]]:
        """Record `choice`, unless something is lacking; the same choice again is no second record."""
        works = [self.desk.works.of(one).citable for one in (row.showing.first, row.showing.second)]
        wrong = [(text, why_not_cited(text, works[0], works[1])) for text in choice.citations]
        lacks = (*lacking(choice), *(Lack("citations", f"`{text}`: {why}") for text, why in wrong if why))
        if lacks:
            return None, lacks
        made = _preference(row, choice)
        if row.preference is not None and _same(row.preference, made):
            return row.preference, ()
        if row.is_settled:
            return None, (Lack("answer", SETTLED),)
        self.desk.held.append("preferences", made)
        return made, ()

    def _drawn(self, sample: Sample) -> tuple[Pair, ...]:
        """The pairs of the sample; drawn anew only where its rollouts were read anew."""
        siblings = self.desk.held.siblings(sample)
        if self._pairs is None or self._pairs[0] is not siblings:
            self._pairs = (siblings, drawn_pairs(sample, siblings.values()))
        return self._pairs[1]


def content_of(row: PairRow) -> Mapping[str, Any]:
    """Return what the form begins with: the draft, else the last choice."""
    said = row.preference
    if row.draft.version and row.draft.content:
        return row.draft.content
    if said is None:
        return {}
    return {"answer": said.preferred or "cannot_tell", "citations": list(said.citations), "note": said.note}


def _preference(row: PairRow, choice: Choice) -> Preference:
    first, second = row.showing.first, row.showing.second
    preferred = None if choice.answer == "cannot_tell" else cast(Preferred, choice.answer)
    return Preference(
        first=first.id, second=second.id, preferred=preferred, reviewer=row.reader, suite=first.suite, task=first.task,
        task_hash=first.task_hash, citations=choice.citations, note=choice.note.strip(), seconds=choice.seconds,
        recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )  # fmt: skip


def _same(one: Preference, other: Preference) -> bool:
    return (one.preferred, one.citations, one.note) == (other.preferred, other.citations, other.note)


@cache
def table_of(site: Site) -> Table:
    """Return the table of `site`; there is one."""
    return Table(site)
