"""Does what a review cites stand where it says? White space apart, the quote must be in the place's text as it is.

An empty quote cites the place as a whole, which must exist. A citation without a place may stand in any part of the
trajectory. What is not at hand (an artifact that was not kept, a key without its folder, a verifier without recorded
output) cannot be cited. Characters that cannot be seen may be quoted as they are, or as the signs that stand for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fairtrial.formats.atif import Trajectory
from fairtrial.formats.atif_parts import all_parts
from fairtrial.grade.judges.telling import shown_text
from fairtrial.records import Citation

_FILE = re.compile(r"(?P<of>artifact|key) (?P<path>.+)", re.DOTALL)
_LINE = re.compile(r"(?P<path>.+?) line (?P<line>\d+)", re.DOTALL)
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
    key: Mapping[str, str] = field(default_factory=dict)
    """Text of each file of the task's folder, by path; only a judge that was given the key may cite it."""
    answer: str = ""

    @cached_property
    def places(self) -> dict[str, str]:
        """Return the text of every place but files, steps as a whole too."""
        found: dict[str, list[str]] = {"instruction": [self.instruction], "answer": [self.answer]}
        for number in range(1, len(self.trajectory.steps) + 1):
            found[f"step {number}"] = []
        for part in all_parts(self.trajectory):
            found[part.place] = [part.text]
            found[f"step {part.step}"].append(part.text)
        found["verifier"] = [self.verifier]
        found |= {f"check {name}": [f"{name} {text}"] for name, text in self.checks.items()}
        return {place: "\n".join(texts) for place, texts in found.items() if any(texts) or _STEP.match(place)}

    def text_at(self, place: str) -> str | None:
        """Return the text at `place`; None where there is no such place."""
        file = _FILE.fullmatch(place)
        if file is None:
            return self.places.get(place)
        files = self.artifacts if file["of"] == "artifact" else self.key
        if file["path"] in files:
            return files[file["path"]]
        line = _LINE.fullmatch(file["path"])
        if line is None or line["path"] not in files:
            return None
        lines = files[line["path"]].splitlines()
        at = int(line["line"])
        return lines[at - 1] if 1 <= at <= len(lines) else None

    @cached_property
    def everywhere(self) -> tuple[str, ...]:
        """Return the text of every place, files too, with white space as one blank."""
        return tuple(_flat(text) for texts in (self.places, self.artifacts, self.key) for text in texts.values())


def why_not(citation: Citation, citable: Citable) -> str:
    """Return why `citation` does not stand, or an empty text where it does."""
    quote = _flat(citation.quote)
    if not citation.place:
        if not quote:
            return "cites nothing"
        return "" if any(quote in text for text in citable.everywhere) else "is nowhere in the rollout"
    text = citable.text_at(citation.place)
    if text is None:
        return f"there is no {citation.place}"
    if quote in _flat(text) or quote in _flat(shown_text(text)):
        return ""
    return f"is not what stands at {citation.place}"


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
