"""What was written about a rollout, without what the key says: files that are shown elsewhere may be seen by anybody.

A review may quote the key, the grader's output or a check's message; its words are then withheld and its place stays.
Words that are said to stand in the work go out where they do stand there. A note, a tag or a claim is withheld where a
judge that had the key wrote it, and where it holds the expected answer, or a line of the key's side, that the work does
not hold. The expected answer is that of the task: other attempts at it, and references that passed, tell it too. Not
covered: what a person says of the key in words of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import orjson

from fairtrial.audit.citations import Citable, stands
from fairtrial.formats.atif import Trajectory
from fairtrial.formats.viewers.shown import Lead
from fairtrial.records import Citation, Review

WITHHELD = "(withheld)"
_OF_THE_KEY = ("key ", "verifier", "check ")
_LEAST_OF_A_LINE = 12
"""Characters of a line of the grader's side, and of a word: shorter ones are said by anybody."""
_LEAST_OF_ANY_CASE = 4
"""Characters of a text that is the same in capitals; of shorter ones (`A`) the case tells what they are."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Withholding:
    """Takes the key's words out of what was written about one rollout."""

    trajectory: Trajectory | None
    answer: str
    key: tuple[str, ...]
    """Texts that only the key's side has: the expected answer first, then what the grader and its checks printed."""
    others: frozenset[str] = frozenset()
    """What else is expected of the task, by other verdicts and references."""
    tally: Counter[str] = field(default_factory=Counter)
    """What was withheld -> how often."""

    @cached_property
    def work(self) -> Citable:
        """Return what the agent itself saw, said and did."""
        return Citable(trajectory=self.trajectory or Trajectory(agent=""), answer=self.answer)

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """Return the texts that must not go out: those of the key's side that the work does not hold."""
        lines = [_flat(line) for text in (*self.key, *self.others) for line in text.splitlines()]
        long = {part for line in lines for part in (line, *line.split(" ")) if len(part) >= _LEAST_OF_A_LINE}
        found = (*self.expected, *sorted(long, key=len, reverse=True))
        return tuple(part for part in found if not _holds(self.seen, part))

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """Return the answers that are expected."""
        return tuple(part for part in map(_flat, (*self.key[:1], *sorted(self.others))) if part)

    @cached_property
    def seen(self) -> str:
        """Return all of the work as one text, white space as one blank within each part."""
        return "\n".join(self.work.everywhere)

    def review(self, review: Review) -> Review:
        """Return a review as it may go out."""
        had_key = _had_key(review)
        note = self._text(review.note, "notes", had_key)
        return replace(review, note=note, citations=self.citations(review.citations),
                       failure_tags=self._texts(review.failure_tags), settings="",
                       behaviour_tags=self._texts(review.behaviour_tags))  # fmt: skip

    def lead(self, lead: Lead) -> Lead:
        """Return a finding as it may go out."""
        return replace(lead, claim=self._text(lead.claim, "claims"), citations=self.citations(lead.citations))

    def said(self, text: str) -> str:
        """Return what a person said of it, as it may go out."""
        return self._text(text, "notes")

    def check_names(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the names of checks; one that holds the expected answer is a number."""
        secrets = [part for part in self.expected if not _holds(self.seen, part)]
        for number, name in enumerate(names, 1):
            if any(_holds(_flat(name), secret) for secret in secrets):
                self.tally["checks"] += 1
                yield f"{WITHHELD} {number}"
            else:
                yield name

    def citations(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return citations; of those that quote the key's side, or what stands nowhere, the place alone."""
        return tuple(self._citation(Citation.read(text)) for text in texts)

    def _citation(self, cited: Citation) -> str:
        if not cited.quote:
            return cited.text
        is_of_key = cited.place.startswith(_OF_THE_KEY)
        is_artifact = cited.place.startswith("artifact ")
        if not is_of_key and (self._is_seen(cited.quote) or (is_artifact and not self._tells(cited.quote))):
            return cited.text
        self.tally["citations"] += 1
        return Citation(cited.place, WITHHELD).text

    def _is_seen(self, quote: str) -> bool:
        return any(stands(quote, text) for text in self.work.everywhere)

    def _texts(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._text(text, "tags") for text in texts)

    def _text(self, text: str, kind: str, always: bool = False) -> str:
        if not text or not (always or self._tells(text)):
            return text
        self.tally[kind] += 1
        return WITHHELD

    def _tells(self, text: str) -> bool:
        """Say whether a text holds a secret, as a word or words of its own."""
        flat = _flat(text)
        return any(_holds(flat, secret) for secret in self.secrets)


def _flat(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _holds(flat: str, part: str) -> bool:
    """Say whether `part` is in a text; a short one as a word or words of its own.

    >>> _holds("step 142 fails", "42"), _holds("it should be 42", "42"), _holds("in paris", "Paris")
    (False, True, True)
    """
    if len(part) >= _LEAST_OF_ANY_CASE:
        part, flat = part.casefold(), flat.casefold()
    if part not in flat or len(part) >= _LEAST_OF_A_LINE:
        return part in flat
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", flat) is not None


def _had_key(review: Review) -> bool:
    """Say whether a judge had the key when it wrote; one whose settings cannot be read is taken to have had it."""
    if not review.settings:
        return False
    try:
        said = orjson.loads(review.settings)
    except orjson.JSONDecodeError:
        return True
    return not isinstance(said, dict) or bool(said.get("key"))
