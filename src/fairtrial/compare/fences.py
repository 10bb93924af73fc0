"""Find the fenced blocks of a Markdown text, in one pass. Not covered: fences of tildes, and blocks by indentation."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN = re.compile(r"```+(?P<label>[\w+.-]*)")


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block, and where it stands in the text."""

    label: str
    """In lower case; empty where it has none."""
    content: str
    start: int
    end: int


MOST = 500


def fenced(text: str) -> list[Fence]:
    r"""Return the first `MOST` fenced blocks of `text` in order; one that is left open runs to the end.

    A fence closes at the next one that begins a line, and only where there is none at the next on any line.

    >>> [(fence.label, fence.content) for fence in fenced('See:\n```json\n{"a": 1}\n```\nDone.')]
    [('json', '{"a": 1}')]
    """
    found: list[Fence] = []
    place, is_line_left = 0, True
    while len(found) < MOST and (opened := _OPEN.search(text, place)):
        begin = opened.end()
        close = text.find("\n```", begin) if is_line_left else -1
        is_line_left = close >= 0
        close = close + 1 if close >= 0 else text.find("```", begin)
        end = close if close >= 0 else len(text)
        found.append(Fence(opened["label"].lower(), text[begin:end].strip("\r\n"), opened.start(), end))
        place = end
        while place < len(text) and text[place] == "`":
            place += 1
        place = max(place, begin)
    return found
