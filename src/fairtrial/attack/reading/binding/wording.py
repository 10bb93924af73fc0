"""Tell a title from a fact: what a grader looks for in a text may be the form of a report, or what it must say.

Only wording that looks like form counts: a Markdown heading, a label with a colon, a bold run, a table's bar, a tag.
A bare word or number may well be the right answer.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_FORM = re.compile(r"^\s*#{1,6}\s*\w|^[^\W\d_][\w /&'()-]{1,60}:\s*$|\*\*[^*]+\*\*|^\s*\|.*\w.*\||^<[A-Za-z]\w*>$")


def is_title(wording: str) -> bool:
    """Say whether `wording` looks like the form of a report rather than a fact.

    >>> [is_title(text) for text in ("## Summary", "Total:", "**Risks**", "Paris", ",", "http:")]
    [True, True, True, False, False, False]
    """
    return bool(_FORM.search(wording)) and wording.strip().casefold() not in ("http:", "https:", "file:")


def bare(wording: str) -> str:
    """Return the words of a title without the marks of Markdown around them.

    >>> bare("## Open risks:")
    'Open risks'
    """
    return wording.strip("#*|<>: \n\t-")


def titles_of_pattern(pattern: str) -> Iterator[str]:
    """Yield the runs of a regular expression that look like titles.

    >>> list(titles_of_pattern(r"(?im)^##\\s*Summary\\s*$|Total:\\s*(\\d+)"))
    ['## Summary', 'Total:']
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return
    yield from (run.strip() for run in _runs(parsed) if is_title(run))


def _runs(parsed: Any) -> Iterator[str]:
    """Yield the literal runs; white space in any number is one space."""
    run = ""
    for code, argument in parsed:
        if code is codes.LITERAL:
            run += chr(argument)
            continue
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and _is_space(argument[2]):
            run += " "
            continue
        if code is codes.AT:
            continue
        yield run
        run = ""
        for inner in _inner(code, argument):
            yield from _runs(inner)
    yield run


def _is_space(parsed: Any) -> bool:
    return len(parsed) == 1 and (
        parsed[0] == (codes.IN, [(codes.CATEGORY, codes.CATEGORY_SPACE)]) or parsed[0] == (codes.LITERAL, 32)
    )


def _inner(code: Any, argument: Any) -> list[Any]:
    if code is codes.BRANCH:
        return list(argument[1])
    if code is codes.SUBPATTERN:
        return [argument[3]]
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return [argument[2]]
    return []
