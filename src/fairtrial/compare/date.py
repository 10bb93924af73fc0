"""Dates and times: 2026-03-04, March 4, 2026, the 4th of March 2026, 3 pm UTC, March 2026, Q1 2026, 2026-W10.

The same to the same precision: a month is no day. A day at midnight without a zone is the day; times with a zone are
compared as instants, and differ from a time without one. A date in numbers whose order is not stated is refused.
"""

from __future__ import annotations

import re

from fairtrial.compare.by_value import by_value
from fairtrial.compare.dates_found import moments_in
from fairtrial.compare.final_answer import Settled, settle, tail
from fairtrial.compare.markup import unwrapped
from fairtrial.compare.moment import Moment, day_of
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.typography import clean
from fairtrial.compare.verdict import Equivalence

_SHORT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)
_DASHES = re.compile(r"\b([0-9]{4})[–—]([0-9]{1,2})[–—](?=[0-9])")
_YEAR = re.compile(r"(?:in\s+|the year\s+)?([0-9]{4})(?:\s?(?:AD|CE))?", re.ASCII | re.IGNORECASE)


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether both are the same date, or the same time."""
    return by_value(
        reference,
        answer,
        lambda text: read(text, stated),
        lambda a, b: a.canonical() == b.canonical(),
        lambda moment: moment.shown(),
    )


def read(text: str, stated: Stated = STRICT) -> Settled[Moment]:
    """Return the moment that `text` gives as its answer, or why there is none.

    >>> read("It was on the 4th of March 2026.").value.shown(), read("04/03/2026").value
    ('2026-03-04', None)
    """
    if found := _SHORT.fullmatch(text):
        day = day_of(int(found[1]), int(found[2]), int(found[3]))
        return Settled(day, "" if day else f"there is no day {text}")
    text = _DASHES.sub(r"\1-\2-", unwrapped(clean(tail(text))))
    return settle(text, _bare, lambda part: moments_in(part, stated.day_first), "date")


def _bare(text: str) -> Moment | None:
    found = _YEAR.fullmatch(text.rstrip("."))
    return Moment(int(found[1])) if found and int(found[1]) else None
