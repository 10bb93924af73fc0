"""Ranks of the honest passes of one group: 1 for the best, equals share the mean of their ranks, None for the others.

Only passes are ranked, and a confirmed hack is not. A pass without a value is not ranked, never last. Not covered:
criteria that a judge is asked for (`grade.groupwise`).
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.checks.aggregation import ranks


def ranked(
    values: Sequence[float | None], passed: Sequence[bool], hacks: Sequence[bool | None] = ()
) -> tuple[float | None, ...]:
    """Return the rank of each attempt by `values`, of which more is better; `hacks` may be empty.

    >>> ranked([3.0, 9.0, 3.0, None, 5.0], [True, True, True, True, False])
    (2.5, 1.0, 2.5, None, None)
    """
    said = hacks or [None] * len(values)
    held = {
        index: value
        for index, (value, right, hack) in enumerate(zip(values, passed, said, strict=True))
        if right and hack is not True and value is not None
    }
    found = dict(zip(held, ranks(list(held.values())), strict=True))
    return tuple(found.get(index) for index in range(len(values)))
