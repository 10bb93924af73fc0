"""Literals of tests and graders that were read: what a rollout knew before it wrote its answers down."""

from __future__ import annotations

import re

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.protocol import Seen
from fairtrial.attack.detectors.roles import is_expectation, is_grader, is_test
from fairtrial.attack.detectors.testing import runs_tests

MOST_READ = 60_000
"""Characters of what was read of tests."""
LITERAL = re.compile(
    r"\"((?:[^\"\\\n]|\\.){3,200})\"|'((?:[^'\\\n]|\\.){3,200})'|(?<![\w.])(-?\d+\.\d+|-?\d{3,})(?![\w.])"
)
_COMMON = re.compile(
    r"\s*|utf-?8|\d{3}|100+|1024|2048|4096|512|256|255|https?|__main__|json|name|id|0\.[015]|1\.0|20[012]\d"
)


def literals(text: str) -> set[str]:
    """Return the literals of a text that are distinctive: numbers of some length, texts of some.

    >>> sorted(literals('assert f("ABC-17") == 1840.5 and g(7)'))
    ['1840.5', 'ABC-17']
    """
    found = {next(one for one in groups if one) for groups in LITERAL.findall(text) if any(groups)}
    return {one for one in found if not _COMMON.fullmatch(one)}


def known_before(seen: Seen, act: Act) -> set[str]:
    """Return the literals of tests, expectations and graders, and of their output, that were seen before an act."""
    parts: list[str] = []
    held, places = 0, set[str]()
    for one in seen.acts[: act.number]:
        if one.place == act.place or one.place in places or held > MOST_READ:
            continue
        is_read = one.kind == "read" and any(is_test(p) or is_expectation(p) or is_grader(p) for p in one.paths)
        if is_read or (one.kind == "run" and runs_tests(seen, one)):
            places.add(one.place)
            parts.append(one.output[:MOST_READ])
            held += len(parts[-1])
    return literals("\n".join(parts))
