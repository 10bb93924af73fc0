"""What a date or time says, to the precision that it says it: a year, a month, a day, a time of day, with its zone.

Gregorian, years 1 to 9999. Not here: how it is written (dates_found).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction

NAMED_ZONES = {
    "z": 0, "utc": 0, "gmt": 0, "est": -300, "edt": -240, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420, "cet": 60, "cest": 120, "eet": 120, "eest": 180, "wet": 0, "west": 60, "jst": 540, "kst": 540,
    "akst": -540, "akdt": -480, "hst": -600, "aest": 600, "aedt": 660,
}  # fmt: skip
"""Minutes from UTC. CST, IST and BST each name several zones: they are not read."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day, or both; what is None is not said."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    """ISO week, of the ISO year `year`; its day is turned into month and day."""
    quarter: int | None = None
    seconds: Fraction | None = None
    """Since midnight."""
    zone: int | None = None
    """Minutes from UTC."""

    def canonical(self) -> Moment:
        """Return the moment in UTC where it has a zone, and as a mere day where the time is midnight without one."""
        if self.seconds is None or self.day is None or self.year is None or self.month is None:
            return self
        if self.zone is None:
            return replace(self, seconds=None) if self.seconds == 0 else self
        whole = int(self.seconds)
        try:
            instant = datetime(self.year, self.month, self.day) + timedelta(seconds=whole, minutes=-self.zone)
        except OverflowError:
            return self
        seconds = instant.hour * 3600 + instant.minute * 60 + instant.second + (self.seconds - whole)
        return Moment(instant.year, instant.month, instant.day, seconds=seconds, zone=0)

    def shown(self) -> str:
        """Return the moment in ISO 8601, as far as it goes.

        >>> Moment(2026, 3, 4, seconds=Fraction(54000), zone=0).shown(), Moment(month=3, day=4).shown()
        ('2026-03-04T15:00:00Z', '--03-04')
        """
        parts = ["-" if self.year is None else f"{self.year:04d}"]
        if self.week is not None:
            parts.append(f"W{self.week:02d}")
        if self.quarter is not None:
            parts.append(f"Q{self.quarter}")
        parts += [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        said = "" if self.year is None and self.month is None else "-".join(parts)
        if self.seconds is None:
            return said
        whole = int(self.seconds)
        time = f"T{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"
        if self.seconds != whole:
            time += f"{float(self.seconds - whole):.9f}".rstrip("0")[1:]
        if self.zone is not None:
            sign = "-" if self.zone < 0 else "+"
            time += "Z" if not self.zone else f"{sign}{abs(self.zone) // 60:02d}:{abs(self.zone) % 60:02d}"
        return said + time


def day_of(year: int, month: int, day: int) -> Moment | None:
    """Return the day, or None where there is no such day."""
    try:
        date(year, month, day)
    except ValueError:
        return None
    return Moment(year, month, day)


def day_of_week(year: int, week: int, day: int | None) -> Moment | None:
    """Return an ISO week, or its `day` (1 is Monday), or None where there is none."""
    try:
        found = date.fromisocalendar(year, week, day or 1)
    except ValueError:
        return None
    return Moment(found.year, found.month, found.day) if day else Moment(year, week=week)


def day_of_year(year: int, number: int) -> Moment | None:
    """Return day `number` of a year, or None where it has fewer."""
    try:
        found = date(year, 1, 1) + timedelta(days=number - 1)
    except (ValueError, OverflowError):
        return None
    return Moment(found.year, found.month, found.day) if found.year == year and number > 0 else None


def weekday(moment: Moment) -> int | None:
    """Return the day of the week, 0 for Monday; None where the moment has no day."""
    if moment.year is None or moment.month is None or moment.day is None:
        return None
    return date(moment.year, moment.month, moment.day).weekday()
