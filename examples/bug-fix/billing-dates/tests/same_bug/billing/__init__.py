"""The same bug in other words: a test that looks at the source does not know it."""

import calendar
import datetime
import itertools


def add_months(day, months):
    total = day.year * 12 + (day.month - 1) + months
    year, month = total // 12, total % 12 + 1
    length = calendar.monthrange(year, month)[1]
    return datetime.date(year, month, day.day if day.day <= length else length)


def _steps(start, every):
    return itertools.accumulate(itertools.repeat(every), add_months, initial=start)


def due_dates(start, count, every=1):
    return list(itertools.islice(_steps(start, every), count))


def next_due(start, after, every=1):
    return next(day for day in _steps(start, every) if day > after)


def invoice_count(start, until, every=1):
    return sum(1 for _ in itertools.takewhile(lambda day: day <= until, _steps(start, every)))
