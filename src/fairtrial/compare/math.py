"""Compare formulas, equations, inequalities and texts, in LaTeX or as they are typed: `x/2` is `\\frac{x}{2}`.

Decided exactly where rational, else to hundreds of digits (`algebra.deciding`); never by the clock. Conventions: `e`
and `i` are the constants, `1/2x` is x/2, odd roots of negative numbers are real, formulas agree where both are real.
"""

from __future__ import annotations

from fairtrial.compare.algebra.forms import Comparison
from fairtrial.compare.algebra.reading import as_text, read
from fairtrial.compare.stated import Stated
from fairtrial.compare.verdict import Equivalence


def compare(reference: str, answer: str, stated: Stated) -> Equivalence:
    r"""Say whether `answer` is the same mathematics as `reference`.

    >>> compare("3x-y+13=0", "y=3x+13", Stated()).equivalent, compare("x^2", "2^x", Stated()).equivalent
    (True, False)
    """
    return compare_as("math", reference, answer, stated)


def compare_as(kind: str, reference: str, answer: str, stated: Stated) -> Equivalence:
    """Compare as one of `math`, `tuple`, `set`, `interval`."""
    if " ".join(reference.split()) == " ".join(answer.split()):
        return Equivalence(True, "the answer is written as the reference is")
    found = read(answer, kind, stated)
    if isinstance(found, str):
        return Equivalence(False, found)
    wanted = read(reference, kind, stated)
    if isinstance(wanted, str):
        wanted = as_text(reference)
    # Both orders have the same seed, so that the comparison is the same both ways.
    seed = "\0".join(sorted((reference, answer)))
    decided = Comparison(kind, seed, stated).same(wanted, found)
    return Equivalence(bool(decided.same), decided.reason)
