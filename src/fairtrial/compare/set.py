"""Compare what has no order: sets, solutions, `3, 1 and 2`; each member as a formula, double ones once.

`x = 1 or x = 2` is {1, 2}, `±2` is {2, -2}, `no solution` is the empty set. A tuple in parentheses is no set.
"""

from __future__ import annotations

from fairtrial.compare.math import compare_as
from fairtrial.compare.stated import Stated
from fairtrial.compare.verdict import Equivalence


def compare(reference: str, answer: str, stated: Stated) -> Equivalence:
    """Say whether `answer` has the same members as `reference`.

    >>> compare("{1,2,3}", "3, 1 and 2", Stated()).equivalent, compare("{1,2}", "{1,2,3}", Stated()).equivalent
    (True, False)
    """
    return compare_as("set", reference, answer, stated)
