"""Dates and times of day as they stand in a text. Only forms that are read one way: ISO dates, `12 March 2024`, 14:05.

`03/04/2024` is March in one country and April in another, and is left alone.
"""

from __future__ import annotations

import re
from datetime import date

_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = re.compile(
    r"(?<!\d)(\d{1,2})\.? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? ((?:19|20)\d\d)(?!\d)"
    r"|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2}),? ((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:])")


def dates_in(text: str) -> list[date]:
    """Return the dates in `text`, those that no calendar has left out.

    >>> dates_in("on 2024-02-30, 2024-03-01 and May 5, 2023")
    [datetime.date(2024, 3, 1), datetime.date(2023, 5, 5)]
    """
    found = [(int(y), int(m), int(d)) for y, m, d in _ISO.findall(text)]
    for day, month, year, other_month, other_day, other_year in _NAMED.findall(text):
        number = _MONTHS.index((month or other_month).lower()[:3]) + 1
        found.append((int(year or other_year), number, int(day or other_day)))
    return [made for made in map(_date, found) if made is not None]


def _date(parts: tuple[int, int, int]) -> date | None:
    try:
        return date(*parts)
    except ValueError:
        return None


def times_in(text: str) -> list[tuple[int, int, int]]:
    """Return the times of day in `text` as hour, minute and second.

    >>> times_in("from 9:05 to 2024-01-01T00:00:00Z")
    [(9, 5, 0), (0, 0, 0)]
    """
    return [(int(hour), int(minute), int(second or 0)) for hour, minute, second in _TIME.findall(text)]
