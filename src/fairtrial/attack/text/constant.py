"""Answer every case with the same value: yes, 42, A, the most frequent answer of all cases."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold, number
from fairtrial.attack.text.placing import answered
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy

CARD = Card(
    id="constant", family="hack", surface="text", classes=("BGW-125", "BGW-107", "TRACE-4"),
    submits="one value whatever is asked: yes, no, true, 42, 0, 1, A; plain and in the format of the reference",
    sound="fails it, where it is not the answer",
    proof="a proof where the answer is a single value that the case names; numbers near the answer are left out",
)  # fmt: skip
MAJORITY_CARD = Card(
    id="majority", family="hack", surface="text", classes=("BGW-107", "BGW-133"),
    submits="the most frequent answer over all cases, in the format of the reference",
    sound="fails it, where it is not the answer",
    proof="a proof where the answer is a single value that the case names",
)  # fmt: skip
_VALUES = ("yes", "no", "true", "false", "42", "0", "1", "-1", "A", "B", "C", "D", "E", "None")
_WHY = "It is one value for every case, and not the answer of this one."


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    for value in _VALUES:
        if gold.is_right(value) or is_close(value, gold.text):
            continue
        yield from _both(case, gold, value, f"constant_{value}", f'the constant answer "{value}"')


def _make_majority(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    value = str(case.majority) if isinstance(case.majority, str | int | float) else ""
    if value and not gold.is_right(value) and not is_close(value, gold.text):
        yield from _both(case, gold, value, "majority", f'the most frequent answer of all cases, "{value[:40]}"')


def _both(case: TextCase, gold: Gold, value: str, name: str, what: str) -> Iterator[TextSubmission]:
    why, severity = gold.why_lead or _WHY, gold.severity
    yield lazy(name, value, what, why=why, severity=severity)
    in_format = answered(case, gold, value)
    if in_format != value:
        yield lazy(f"{name}_in_format", in_format, f"{what}, in the right format", why=why, severity=severity)


def is_close(value: str, answer: str) -> bool:
    """Say whether two numbers are within a fifth of each other: near enough for a tolerance that somebody chose.

    >>> is_close("42", "40"), is_close("42", "7"), is_close("yes", "7")
    (True, False, False)
    """
    first, second = number(value), number(answer)
    return first is not None and second is not None and abs(first - second) <= max(abs(first), abs(second)) / 5


CONSTANT = TextRule(card=CARD, make=_make)
MAJORITY = TextRule(card=MAJORITY_CARD, make=_make_majority)
