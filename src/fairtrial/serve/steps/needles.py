"""What is to be found in a text and marked: words searched for, and passages cited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from fairtrial.records import Citation
from fairtrial.serve.steps.hostile import Span

MOST_MARKS = 2_000
"""In one text; a query of one letter must not make a page of marks."""


@dataclass(frozen=True)
class Needle:
    """Words, the class that marks them, and where they count."""

    words: str
    name: str
    place: str = ""
    """As a citation names it; a step stands for all its parts; empty: anywhere."""
    label: str = ""

    def counts_at(self, place: str) -> bool:
        """Say whether it is looked for at `place`."""
        return not self.place or place == self.place or place.startswith(self.place + " ")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return what matches: the words with any white space between them, case aside where they were searched."""
        words = r"\s+".join(re.escape(word) for word in self.words.split())
        return re.compile(words, re.IGNORECASE if self.name == "hit" else 0)

    def spans(self, text: str) -> list[Span]:
        """Return where it stands in `text`, the first 2,000 places."""
        if not self.words.strip():
            return []
        found = []
        for match in self.pattern.finditer(text):
            found.append(Span(match.start(), match.end(), self.name, self.label))
            if len(found) == MOST_MARKS:
                break
        return found

    def spans_of_line(self, line: str) -> list[Span]:
        """Return where it stands in one line of several; a line that is part of a cited passage is marked whole."""
        found = self.spans(line)
        flat = " ".join(line.split())
        if found or "\n" not in self.words or not flat or flat not in " ".join(self.words.split()):
            return found
        return [Span(len(line) - len(line.lstrip()), len(line.rstrip()), self.name, "")]


def searched(query: str) -> tuple[Needle, ...]:
    """Return what a reader searches for.

    >>> [span.start for span in searched("ERROR x")[0].spans("an error  X")]
    [3]
    """
    return (Needle(query, "hit"),) if query.strip() else ()


def cited(citations: Iterable[str]) -> tuple[Needle, ...]:
    """Return the passages that a review quotes, numbered from 1.

    >>> cited(("[step 2 output 1] no such file",))[0].place
    'step 2 output 1'
    """
    read = [Citation.read(text) for text in citations]
    return tuple(
        Needle(one.quote, "cite", one.place, str(number)) for number, one in enumerate(read, start=1) if one.quote
    )


def marks(text: str, place: str, needles: Iterable[Needle]) -> list[Span]:
    """Return all that is to be marked in the text of `place`."""
    return sorted(span for needle in needles if needle.counts_at(place) for span in needle.spans(text))
