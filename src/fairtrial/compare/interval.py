"""Compare parts of the real line: intervals, unions of them, inequalities, `x ≠ 1`, all real numbers.

Ends are compared as formulas, and as open or closed; pieces that touch are one. An infinite end is
open however it is written.
"""

from __future__ import annotations

from fairtrial.compare.math import compare_as
from fairtrial.compare.stated import Stated
from fairtrial.compare.verdict import Equivalence


def compare(reference: str, answer: str, stated: Stated) -> Equivalence:
    """Say whether `answer` is the same part of the line as `reference`.

    >>> compare("[2,5)", "2 <= x < 5", Stated()).equivalent, compare("[2,5)", "(2,5)", Stated()).equivalent
    (True, False)
    """
    return compare_as("interval", reference, answer, stated)
