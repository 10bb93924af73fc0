"""Right code of another design: months are counted from the start, without a loop where it can be computed."""

import calendar
import datetime


def add_months(day, months):
    total = day.year * 12 + (day.month - 1) + months
    year, month = total // 12, total % 12 + 1
    return datetime.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def due_dates(start, count, every=1):
    return [add_months(start, index * every) for index in range(count)]


def next_due(start, after, every=1):
    return add_months(start, invoice_count(start, after, every) * every)


def invoice_count(start, until, every=1):
    if until < start:
        return 0
    steps = ((until.year - start.year) * 12 + until.month - start.month) // every
    return steps + 1 if add_months(start, steps * every) <= until else steps
