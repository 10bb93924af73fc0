"""Read what a judge replied: one JSON object that repeats the word of its asking, reasons before the verdict.

The word tells the judge's own object from one that the submission holds and the judge repeats. What does not fit
is told in words, so that the judge can be asked again; it is never a verdict.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

MOST_CHARACTERS = 200_000
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


class Citation(BaseModel):
    """Where to find what a claim says: lines of a source, and words that stand in them or do not."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    source: str
    first_line: int
    last_line: int
    quote: str = ""
    """Words in these lines, as they are shown."""
    absent: str = ""
    """Words that are not in these lines."""


class Reason(BaseModel):
    """One claim, and the numbers (from 1) of the citations that show it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    claim: str
    cites: tuple[int, ...]


class Notes(BaseModel):
    """What a judge found in one part of a long submission."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    asking: str
    reasons: tuple[Reason, ...]
    citations: tuple[Citation, ...]


class Opinion(Notes):
    """Reasons, citations, and then the verdict."""

    verdict: str


def read_reply(text: str, nonce: str, verdicts: tuple[str, ...] = ()) -> Notes | Opinion | str:
    """Return the object in `text`, or why there is none. Without `verdicts` it holds notes, or none."""
    objects = _objects(text, nonce)
    if len(objects) != 1:
        found = "no JSON object" if not objects else f"{len(objects)} JSON objects"
        return f'it holds {found} with "asking": "{nonce}", and exactly one was asked for'
    shape = Opinion if verdicts else Notes
    stated, wanted = objects[0], list(shape.model_fields)
    keys = [key for key, _ in stated]
    if keys != wanted:
        return f"its fields are {', '.join(keys)}, and should be, in this order, {', '.join(wanted)}"
    try:
        read = shape.model_validate_json(json.dumps(dict(stated)))
    except (ValidationError, RecursionError) as error:
        return _told(error)
    if isinstance(read, Opinion):
        word = read.verdict.strip().lower()
        if word not in verdicts:
            return f"the verdict is {read.verdict!r:.40}, and should be one of {', '.join(verdicts)}"
        if not read.reasons:
            return "it gives no reason"
        read = read.model_copy(update={"verdict": word})
    return read


def _told(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    problems = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5])
    return "; ".join(problems)


def _objects(text: str, nonce: str) -> list[list[tuple[str, Any]]]:
    """Return the members of each outermost JSON object of `text` that repeats `nonce`, in their order."""
    said = _THOUGHT.sub("", text, count=1)[-MOST_CHARACTERS:]
    decoder = json.JSONDecoder(object_pairs_hook=_Members)
    found: list[list[tuple[str, Any]]] = []
    at = said.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, _Members) and value.pairs and ("asking", nonce) in value.pairs:
                found.append(value.pairs)
        at = said.find("{", end)
    return found


class _Members(dict[str, Any]):
    """An object that remembers its members as they were written, those given twice too."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs
