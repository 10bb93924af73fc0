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
_LINE = re.compile(r"(?P<path>.+?) line (?P<line>\d{1,9})", re.DOTALL)
_STEP = re.compile(r"step \d+")
_MOST_ELSEWHERE = 3


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
        whole = _file_in(files, file["path"])
        if whole is not None:
            return whole
        line = _LINE.fullmatch(file["path"])
        whole = _file_in(files, line["path"]) if line is not None else None
        if line is None or whole is None:
            return None
        lines = _lines(whole)
        at = int(line["line"])
        return lines[at - 1] if 1 <= at <= len(lines) else None

    def places_of(self, quote: str, place: str) -> list[str]:
        """Return where `quote` stands though it does not at `place`: lines of the same file, then steps; three at most.

        Other files are not looked through.
        """
        found: list[str] = []
        wanted = _flat(quote)
        file = _FILE.fullmatch(place)
        if file is not None:
            files = self.artifacts if file["of"] == "artifact" else self.key
            line = _LINE.fullmatch(file["path"])
            path = line["path"] if line is not None and _file_in(files, file["path"]) is None else file["path"]
            lines = _lines(_file_in(files, path) or "")
            found += [
                f"{file['of']} {path} line {number}"
                for number, text in enumerate(lines, 1)
                if _uncut(wanted, _flat(text))
            ]
        elsewhere = (one for one in self.places if one != place and not _STEP.fullmatch(one))
        while len(found) < _MOST_ELSEWHERE and (one := next(elsewhere, None)) is not None:
            found += [one] if _uncut(wanted, _flat(self.places[one])) else []
        return found[:_MOST_ELSEWHERE]

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
    if stands(citation.quote, text):
        return ""
    if quote in _flat(text):
        return f"cuts a number that stands at {citation.place}"
    return f"is not what stands at {citation.place}"


def stands(quote: str, text: str) -> bool:
    """Say whether `quote` stands in `text`, white space apart, as it is or as it is shown, and cuts no number.

    >>> stands("2 failed", "2  failed"), stands("2 failed", "12 failed"), stands("0", "score 0.98")
    (True, False, False)
    >>> stands("9e1", "commit 3f9e12ab")
    True
    """
    wanted = _flat(quote)
    flat = _flat(text)
    if _uncut(wanted, flat):
        return True
    shown = _flat(shown_text(text))
    return shown != flat and _uncut(wanted, shown)


def _uncut(quote: str, text: str) -> bool:
    """Say whether `quote` is in `text` at least once without digits of the same number before or behind it."""
    at = text.find(quote)
    while at >= 0:
        if not (_goes_on(text, at, -1) or _goes_on(text, at + len(quote) - 1, 1)):
            return True
        at = text.find(quote, at + 1)
    return False


def _goes_on(text: str, at: int, step: int) -> bool:
    """Say whether the number whose digit stands at `at` goes on before (-1) or behind (1) it.

    Digits within a word that begins or ends with letters, as of a hash, are no number.
    """
    if not 0 <= at < len(text) or not text[at].isdecimal():
        return False
    next_one = at + step
    point = 0 <= next_one + step < len(text) and next_one >= 0 and text[next_one] == "."
    if point and text[next_one + step].isdecimal():
        return True
    begun = next_one
    while 0 <= next_one < len(text) and text[next_one].isdecimal():
        next_one += step
    return next_one != begun and not (0 <= next_one < len(text) and text[next_one].isalpha())


def named_place(place: str) -> str:
    """Return a place as it is written in citations, without the quotes or brackets that it was named in.

    >>> named_place(" `step 7 output 1` "), named_place("[key tests/test.sh]"), named_place("check sum[1]")
    ('step 7 output 1', 'key tests/test.sh', 'check sum[1]')
    """
    bare = place.strip()
    for first, last in ("``", '""', "''", "[]"):
        if len(bare) > 1 and bare.startswith(first) and bare.endswith(last):
            bare = bare[1:-1].strip()
    return bare


def other_lead(path: str) -> str:
    """Return `path` without the slash before it, or with one where there is none: both are said of a file."""
    return path.removeprefix("/") if path.startswith("/") else f"/{path}"


def failing(citations: Iterable[str], citable: Citable) -> tuple[str, ...]:
    """Return what is wrong with `citations`, one line each; empty where all stand."""
    told = []
    for text in citations:
        reason = why_not(Citation.read(text), citable)
        if reason:
            told.append(f"`{text}`: {reason}")
    return tuple(told)


def _file_in(files: Mapping[str, str], path: str) -> str | None:
    found = files.get(path)
    return files.get(other_lead(path)) if found is None else found


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _flat(text: str) -> str:
    return " ".join(text.split())
