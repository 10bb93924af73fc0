"""Due dates of subscriptions that are billed every so many months."""

from calendar import monthrange
from datetime import date


def add_months(day: date, months: int) -> date:
    """Return the same day `months` later, or the last day of a month that is too short for it."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def due_dates(start: date, count: int, every: int = 1) -> list[date]:
    """Return the first `count` due dates of a subscription that starts on `start`, the start included."""
    days = []
    day = start
    for _ in range(count):
        days.append(day)
        day = add_months(day, every)
    return days


def next_due(start: date, after: date, every: int = 1) -> date:
    """Return the first due date later than `after`."""
    day = start
    while day <= after:
        day = add_months(day, every)
    return day


def invoice_count(start: date, until: date, every: int = 1) -> int:
    """Return how many due dates lie in [start, until]."""
    count = 0
    day = start
    while day <= until:
        count += 1
        day = add_months(day, every)
    return count
