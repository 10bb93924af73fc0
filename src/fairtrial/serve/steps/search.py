"""Search one whole trajectory, on the server: every part, in order, each hit with the line that it stands in."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from fairtrial.formats.atif import Trajectory
from fairtrial.formats.atif_parts import all_parts
from fairtrial.serve.steps.hostile import Span, shown
from fairtrial.serve.steps.needles import searched
from fairtrial.serve.steps.view import INLINE

_BEFORE, _AFTER = 60, 120


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where the words stand."""

    number: int
    """Counted from 1."""
    step: int
    place: str
    offset: int
    """In the text of the part."""
    excerpt: Markup
    is_apart: bool = False
    """In a part that is too long for a page of steps, and is shown on its own."""


@dataclass(frozen=True, slots=True)
class Found:
    """Some hits, and how many there are."""

    hits: tuple[Hit, ...]
    total: int


def search(trajectory: Trajectory, query: str, *, first: int = 1, most: int = 50) -> Found:
    """Return the hits numbered `first` and on, at most `most` of them; case aside, white space as it comes.

    >>> from fairtrial.formats.atif import AtifStep
    >>> found = search(Trajectory(agent="a", steps=(AtifStep(source="agent", message="one ONE"),)), "one")
    >>> found.total, str(found.hits[0].excerpt)
    (2, '<mark class="hit">one</mark> ONE')
    """
    needles = searched(query)
    total, hits = 0, []
    for needle in needles:
        for part in all_parts(trajectory):
            for match in needle.pattern.finditer(part.text):
                total += 1
                if first <= total < first + most:
                    told = _excerpt(part.text, match.start(), match.end())
                    hits.append(Hit(total, part.step, part.place, match.start(), told, len(part.text) > INLINE))
    return Found(tuple(hits), total)


def _excerpt(text: str, start: int, end: int) -> Markup:
    """Return the hit's own line, as much of it as 180 characters hold; a hit over several lines is its first."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    first, last = max(line_start, start - _BEFORE), min(line_end, start + _AFTER)
    around = shown(text[first:last], marks=(Span(start - first, min(end, last) - first, "hit"),))
    return Markup("{}{}{}").format("… " if first > line_start else "", around, " …" if last < line_end else "")
