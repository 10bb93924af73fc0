"""Read times as spans: the first and the last moment that a stamp may mean, in UTC.

A stamp of a day may be any moment of it, one of a minute any second, and a local hour that a clock went through twice
either. What must have been known before is compared with the last moment, a decision with its first, so doubt hides and
never shows. Stamps with seconds are taken as exact. Not covered: clocks that were wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
YEAR, MONTH, WEEK = timedelta(days=366), timedelta(days=31), timedelta(days=7)
_MOMENT = timedelta(microseconds=1)
_DATE_ALONE = re.compile(r"\d{4}-?\d{2}-?\d{2}|\d{4}-W\d{2}-\d|\d{4}W\d{3}")
_WEEK_ALONE = re.compile(r"\d{4}-?W\d{2}")
_TO_THE_MINUTE = re.compile(r".*[T ]\d{2}(:?\d{2})?(Z|[+-]\d{2}(:?\d{2})?)?")
_TO_THE_HOUR = re.compile(r".*[T ]\d{2}(Z|[+-]\d{2}(:?\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Span:
    """From the first to the last moment that a stamp may mean, both in UTC."""

    earliest: datetime
    latest: datetime
    doubt: str = ""
    """How far it is known (`month`, `week`, `day`, `hour`, `minute`), or `twice` (a clock put back), `never` (put
    forward), `no_zone`; empty where it is exact."""


def zone_of(name: str) -> tzinfo | None:
    """Return the zone of this name; None for none. Raise ValueError for one that is not known here."""
    if not name:
        return None
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"`{name}` is no time zone that is known here") from None


def span_reader(zone: tzinfo | None, form: str = "iso") -> Callable[[Any], Span]:
    """Return a function that reads stamps, and raises ValueError with what is wrong.

    Stamps without a zone are in `zone`; without one they are taken as UTC, which `doubt` says.

    >>> read = span_reader(None)
    >>> read("2026-03-01").latest.isoformat()
    '2026-03-01T23:59:59.999999+00:00'
    >>> read("2026-03-01T12:00:00+01:00").earliest.isoformat()
    '2026-03-01T11:00:00+00:00'
    """

    def read(stamp: Any) -> Span:
        if isinstance(stamp, datetime):
            return _placed(stamp, zone, timedelta(0), "")
        if isinstance(stamp, date):
            return _placed(datetime.combine(stamp, time()), zone, DAY, "day")
        if form in ("unix", "unix_ms"):
            return _counted(stamp, 1000 if form == "unix_ms" else 1)
        text = str(stamp).strip()
        if form != "iso":
            wide, doubt = _width_of_form(form)
            return _placed(datetime.strptime(text, form), zone, wide, doubt)
        if _DATE_ALONE.fullmatch(text):
            return _placed(datetime.fromisoformat(text), zone, DAY, "day")
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"`{text[:40]}` is no time of ISO 8601") from None
        return _placed(found, zone, *_width_of_text(text))

    return read


def _counted(stamp: Any, per_second: int) -> Span:
    try:
        moment = datetime.fromtimestamp(float(stamp) / per_second, UTC)
    except (ValueError, TypeError, OverflowError, OSError):
        raise ValueError(f"`{str(stamp)[:40]}` is no count of seconds since 1970") from None
    return Span(moment, moment)


def _width_of_text(text: str) -> tuple[timedelta, str]:
    """Return how long a stamp of ISO 8601 may last, one that is no day."""
    if _WEEK_ALONE.fullmatch(text):
        return WEEK, "week"
    if _TO_THE_HOUR.fullmatch(text):
        return HOUR, "hour"
    return (MINUTE, "minute") if _TO_THE_MINUTE.fullmatch(text) else (timedelta(0), "")


def _width_of_form(form: str) -> tuple[timedelta, str]:
    """Return how long a stamp of this strptime form may last."""
    if any(code in form for code in ("%S", "%s", "%f", "%c", "%X", "%T")):
        return timedelta(0), ""
    for codes, wide in _WIDTHS.items():
        if any(code in form for code in codes.split()):
            return wide
    return YEAR, "month"


_WIDTHS = {
    "%M %R": (MINUTE, "minute"),
    "%H %I": (HOUR, "hour"),
    "%d %j %D %x %a %A %w %u": (DAY, "day"),
    "%V %U %W": (WEEK, "week"),
    "%m %b %B %h": (MONTH, "month"),
}
"""Codes of strptime -> how long a stamp lasts in which none is finer."""


def is_midnight(span: Span, zone: tzinfo | None) -> bool:
    """Say whether a span is one moment, and that midnight in `zone` (UTC without one)."""
    return span.earliest == span.latest and span.earliest.astimezone(zone or UTC).time() == time()


def as_day(span: Span) -> Span:
    """Return the day that starts at a moment; of the day on which a clock is put back, its first 24 hours."""
    return Span(span.earliest, span.earliest + DAY - _MOMENT, "day")


def _placed(stamp: datetime, zone: tzinfo | None, wide: timedelta, doubt: str) -> Span:
    """Return the span of a stamp that lasts `wide`, in its own zone or else `zone`."""
    if stamp.tzinfo is None and zone is None:
        stamp, doubt = stamp.replace(tzinfo=UTC), doubt or "no_zone"
    last = stamp + wide - (_MOMENT if wide else timedelta(0))
    if stamp.tzinfo is not None:
        return Span(stamp.astimezone(UTC), last.astimezone(UTC), doubt)
    ends = [moment.replace(tzinfo=zone, fold=fold).astimezone(UTC) for moment in (stamp, last) for fold in (0, 1)]
    if not wide and ends[0] != ends[1]:
        doubt = "twice" if ends[0] < ends[1] else "never"
    return Span(min(ends), max(ends), doubt)


def said(moment: datetime) -> str:
    """Write a moment as the tasks show it.

    >>> said(datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    '2026-03-01T09:30:00Z'
    """
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
