"""A choice between two works as a page sends it: read strictly, told what it lacks, its citations checked.

Citations name the side before the place: `[first step 7 output 1] name too long`. "First" is what stood on the left, or
above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.audit.citations import Citable, why_not
from fairtrial.records import Citation, InputError
from fairtrial.serve.review.decision import Lack, read_decision

Preferred = Literal["first", "second", "tie"]
CHOICES = ("", "first", "second", "tie", "cannot_tell")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a reader says of one pair."""

    answer: str = ""
    citations: tuple[str, ...] = ()
    note: str = ""
    seconds: float = 0.0


def read_choice(found: Any) -> Choice:
    """Return the choice that a page sent. Raise InputError naming the field that is wrong."""
    if not isinstance(found, Mapping):
        raise InputError("is not an object", field="content")
    answer = found.get("answer", "")
    if answer not in CHOICES:
        raise InputError(f"is none of {', '.join(CHOICES[1:])}", field="answer")
    rest = read_decision({**found, "answer": ""})
    if rest.behaviour or rest.failure or rest.hack:
        raise InputError("a pair has no tags", field="content")
    return Choice(answer=answer, citations=rest.citations, note=rest.note, seconds=rest.seconds)


def lacking(choice: Choice) -> tuple[Lack, ...]:
    """Return what `choice` lacks before it can be submitted."""
    if not choice.answer:
        return (Lack("answer", "Say first which is better: left, right, a tie, or cannot tell."),)
    if choice.answer == "cannot_tell" and not choice.note.strip():
        return (Lack("note", "“Cannot tell” needs a note: what is missing?"),)
    return ()


def why_not_cited(text: str, first: Citable, second: Citable) -> str:
    """Return why a citation does not stand, or an empty text where it does.

    >>> from fairtrial.formats.atif import Trajectory
    >>> nothing = Citable(Trajectory(agent=""))
    >>> why_not_cited("[step 1] x", nothing, nothing)
    'names no side: first or second'
    """
    read = Citation.read(text)
    side, _, place = read.place.partition(" ")
    citable = {"first": first, "second": second}.get(side)
    if citable is None or not place:
        return "names no side: first or second"
    return why_not(Citation(place, read.quote), citable)
