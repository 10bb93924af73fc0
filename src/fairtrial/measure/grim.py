"""Consistency of reported figures: can this rounded share come from a whole number of passes?

The test is GRIM (Brown and Heathers 2017), exact in rational numbers.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

_ROUNDING = Fraction(1, 2)


def possible_counts(reported: str, n: int, *, percent: bool = True) -> tuple[int, ...]:
    """Return the passes out of `n` that round to the figure as printed, halves up or down; empty where none does.

    `reported` is text, since its digits say how it was rounded: "64.3" is not "64.30". A trailing % is allowed.

    >>> possible_counts("73.1", 432), possible_counts("64.3%", 432)
    ((316,), ())
    >>> possible_counts("35.6", 368), possible_counts("0.478", 368, percent=False)
    ((131,), (176,))
    """
    if n <= 0:
        raise ValueError("n is a count of at least 1")
    figure = Decimal(reported.strip().removesuffix("%"))
    if not figure.is_finite():
        raise ValueError(f"{reported} is no figure")
    scale = 100 if percent else 1
    exponent = figure.as_tuple().exponent
    unit = Fraction(10) ** int(exponent)
    low, high = (Fraction(figure) - unit * _ROUNDING) * n / scale, (Fraction(figure) + unit * _ROUNDING) * n / scale
    first, last = max(0, -(-low.numerator // low.denominator)), min(n, high.numerator // high.denominator)
    return tuple(range(first, last + 1))


def possible_denominators(reported: str, largest: int, *, percent: bool = True) -> tuple[int, ...]:
    """Return the n up to `largest` of which some whole number of passes rounds to the figure as printed.

    >>> possible_denominators("33.3", 10)
    (3, 6, 9)
    """
    return tuple(n for n in range(1, largest + 1) if possible_counts(reported, n, percent=percent))
