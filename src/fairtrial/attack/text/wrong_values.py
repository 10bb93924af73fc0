"""Values that are not the answer but look like one: same kind, same form. The first is far off, never a near miss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from fairtrial.attack.text.gold import Gold, number
from fairtrial.attack.text.protocol import TextCase

_OPPOSITES = ("yes no", "true false", "positive negative", "valid invalid", "correct incorrect", "up down",
              "left right", "increase decrease", "before after", "entailment contradiction")  # fmt: skip
_OPTION = re.compile(r"(?m)(?:^|\s)\(?([A-J])[.):]\s")
_MOST_WRITTEN = Decimal(10) ** 20
"""Larger numbers keep their exponent."""
_UNRELATED = ("wombat", "Ouagadougou", "a rusty bicycle")


def wrong_values(case: TextCase, gold: Gold, most: int = 3) -> tuple[str, ...]:
    """Return at most `most` values that are wrong for `case`, each once, the most plausible first.

    >>> case = TextCase(id="1", prompt="6*7?", reference="42", answer="42")
    >>> wrong_values(case, Gold(text="42", kind="number", is_given=True), 2)
    ('133', '59')
    """
    found: dict[str, None] = {}
    for value in _candidates(case, gold):
        if value and not gold.is_right(value) and not _is_near(value, gold.text):
            found.setdefault(value)
        if len(found) >= most:
            break
    return tuple(found)


def wrong_value(case: TextCase, gold: Gold) -> str:
    """Return one value that is wrong for `case`."""
    return wrong_values(case, gold, 1)[0]


def options(case: TextCase) -> tuple[str, ...]:
    r"""Return the letters of the options that the prompt lists, in order.

    >>> options(TextCase(id="1", prompt="Pick.\nA. one\nB. two\nC) three", reference="A", answer="A"))
    ('A', 'B', 'C')
    """
    return tuple(dict.fromkeys(_OPTION.findall(case.prompt_text)))


def _candidates(case: TextCase, gold: Gold) -> Iterator[str]:
    if gold.kind == "number":
        yield from _numbers(gold.text)
    if gold.kind == "option":
        letters = options(case) or tuple("ABCD")
        yield from (letter.lower() if gold.text.strip("().").islower() else letter for letter in letters)
    yield from _opposite(gold.text)
    yield from (str(answer) for answer in case.other_answers if isinstance(answer, str | int | float))
    yield from _UNRELATED


def _numbers(text: str) -> Iterator[str]:
    value = number(text)
    assert value is not None
    exponent = value.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) and -20 <= exponent < 0 else 0
    for other in (value * 3 + 7, value + 17, value * -2 - 5):
        yield f"{other:.{places}f}" if abs(other) < _MOST_WRITTEN else str(other)


def _opposite(text: str) -> Iterator[str]:
    for pair in (pair.split() for pair in _OPPOSITES):
        if text.casefold() in pair:
            other = pair[1 - pair.index(text.casefold())]
            yield other.upper() if text.isupper() else other.capitalize() if text[:1].isupper() else other


def _is_near(value: str, answer: str) -> bool:
    first, second = number(value), number(answer)
    return first is not None and second is not None and abs(first - second) <= max(abs(first), abs(second)) / 5
