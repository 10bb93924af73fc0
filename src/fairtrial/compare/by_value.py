"""Compare two answers by what each is read as: the part that number, money, date and the other such kinds share.

A reference that cannot be read equals itself alone, written the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fairtrial.compare.final_answer import TAIL, Settled
from fairtrial.compare.typography import clean
from fairtrial.compare.verdict import Equivalence

T = TypeVar("T")


def by_value(
    reference: str,
    answer: str,
    read: Callable[[str], Settled[T]],
    same: Callable[[T, T], bool],
    shown: Callable[[T], str],
) -> Equivalence:
    """Read both, and say whether they are the `same`; `shown` writes a value for the reason."""
    expected = read(reference)
    if expected.value is None:
        if _spelled_alike(reference, answer):
            return Equivalence(True, "the same text")
        return Equivalence(False, f"the reference cannot be read: {expected.reason}")
    given = read(answer)
    if given.value is None:
        return Equivalence(False, given.reason)
    if same(expected.value, given.value):
        return Equivalence(True, f"both are {shown(expected.value)}")
    return Equivalence(False, f"the answer is {shown(given.value)}, expected {shown(expected.value)}")


def _spelled_alike(one: str, other: str) -> bool:
    """Say whether the texts are the same in plain type; long ones, as they are."""
    if len(one) + len(other) > 2 * TAIL:
        return one.strip() == other.strip()
    return clean(one) == clean(other)
