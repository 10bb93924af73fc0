"""Are the rows of a query those that were stated? Shared by the databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import many, said
from fairtrial.checks.state.values import cell, same


def rows_differ(
    found: Sequence[Sequence[Any]], equals: list[list[Any]], ordered: bool, tolerance: float, what: str
) -> Result:
    """Return whether the rows `found` are those of `equals`, in any order unless `ordered`.

    >>> rows_differ([(2,), (1,)], [[1], [2]], ordered=False, tolerance=0.0, what="it").passed
    True
    """
    if not all(isinstance(row, list) for row in equals):
        raise CheckError("`equals` should be a list of rows, each a list of cells")
    expected = [[cell(one) for one in row] for row in equals]
    if len(found) != len(expected):
        return Result(False, f"{what} has {many(len(found), 'row')}, not {len(expected)}: {said(list(found))}")
    left = list(range(len(found)))
    for number, row in enumerate(expected):
        tried = left[:1] if ordered else left
        fits = next((n for n in tried if same(list(found[n]), row, tolerance)), None)
        if fits is None:
            seen = f"{said(list(found[number]))} at {number}" if ordered else said([list(found[n]) for n in left], 160)
            return Result(False, f"{what} lacks the row {said(equals[number])}; it has {seen}")
        left.remove(fits)
    return Result(True, f"{what} has the {many(len(expected), 'row')} that it should")
