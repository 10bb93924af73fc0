"""Compare what has an order: pairs, points, vectors, lists of values; each part as a formula.

Brackets do not count, except that a set in braces has no order. `x = 1, y = 2` is `(1, 2)`; so is a column of a matrix.
"""

from __future__ import annotations

from fairtrial.compare.math import compare_as
from fairtrial.compare.stated import Stated
from fairtrial.compare.verdict import Equivalence


def compare(reference: str, answer: str, stated: Stated) -> Equivalence:
    """Say whether `answer` has the same parts as `reference`, in the same order.

    >>> compare("(2,4)", "(2, 4)", Stated()).equivalent, compare("(2,4)", "(4,2)", Stated()).equivalent
    (True, False)
    """
    return compare_as("tuple", reference, answer, stated)
