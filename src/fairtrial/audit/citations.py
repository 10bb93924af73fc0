"""Does what a review cites stand where it says? White space apart, the quote must be in the place's text as it is.

An empty quote cites the place as a whole, which must exist. A citation without a place may stand in any part of the
trajectory. What is not at hand (an artifact that was not kept, a verifier without recorded output) cannot be cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fairtrial.formats.atif import Trajectory
from fairtrial.formats.atif_parts import all_parts
from fairtrial.records import Citation

_LINE = re.compile(r"artifact (?P<path>.+?) line (?P<line>\d+)")
_STEP = re.compile(r"step \d+")


@dataclass(frozen=True)
class Citable:
    """All that a review of one rollout may quote."""

    trajectory: Trajectory
    instruction: str = ""
    artifacts: Mapping[str, str] = field(default_factory=dict)
    """Text of each file of the deliverable, by path."""
    verifier: str = ""
    checks: Mapping[str, str] = field(default_factory=dict)
    """What each check said, by name."""

    @cached_property
    def places(self) -> dict[str, str]:
        """Return the text of every place, steps as a whole too; white space is one blank."""
        found: dict[str, list[str]] = {"instruction": [self.instruction]}
        for number in range(1, len(self.trajectory.steps) + 1):
            found[f"step {number}"] = []
        for part in all_parts(self.trajectory):
            found[part.place] = [part.text]
            found[f"step {part.step}"].append(part.text)
        found |= {f"artifact {path}": [text] for path, text in self.artifacts.items()}
        if self.verifier:
            found["verifier"] = [self.verifier]
        found |= {f"check {name}": [f"{name} {text}"] for name, text in self.checks.items()}
        return {place: _flat("\n".join(texts)) for place, texts in found.items() if any(texts) or _STEP.match(place)}

    def text_at(self, place: str) -> str | None:
        """Return the flattened text at `place`; None where there is no such place."""
        line = _LINE.fullmatch(place)
        if line and line["path"] in self.artifacts:
            lines = self.artifacts[line["path"]].splitlines()
            at = int(line["line"])
            return _flat(lines[at - 1]) if 1 <= at <= len(lines) else None
        return self.places.get(place)


def why_not(citation: Citation, citable: Citable) -> str:
    """Return why `citation` does not stand, or an empty text where it does."""
    quote = _flat(citation.quote)
    if not citation.place:
        if not quote:
            return "cites nothing"
        return "" if any(quote in text for text in citable.places.values()) else "is nowhere in the rollout"
    text = citable.text_at(citation.place)
    if text is None:
        return f"there is no {citation.place}"
    return "" if quote in text else f"is not what stands at {citation.place}"


def failing(citations: Iterable[str], citable: Citable) -> tuple[str, ...]:
    """Return what is wrong with `citations`, one line each; empty where all stand."""
    told = []
    for text in citations:
        reason = why_not(Citation.read(text), citable)
        if reason:
            told.append(f"`{text}`: {reason}")
    return tuple(told)


def _flat(text: str) -> str:
    return " ".join(text.split())
