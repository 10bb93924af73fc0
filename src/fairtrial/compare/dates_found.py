"""Find the dates and times in running text: ISO 8601, written out, in numbers, quarters, weeks, times with their zone.

What has no such day (30 February), or a weekday that is another, is found and has no value; so has a date in numbers
whose order is not stated (04/03/2026). Two digits of a year are read after a month's name, or where the order is
stated: 69 to 99 are of the last century.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from fairtrial.compare.final_answer import Found
from fairtrial.compare.moment import NAMED_ZONES, Moment, day_of, day_of_week, day_of_year, weekday

_MONTH_NAMES = "january february march april may june july august september october november december"
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), start=1)}
_ABBREVIATED = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9, "febr": 2}
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
WEEKDAYS = {name: number for number, name in enumerate(_DAY_NAMES.split())}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
_MORE_ORDINALS = "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
ORDINALS = {name: number for number, name in enumerate(f"{_ORDINALS} {_MORE_ORDINALS}".split(), start=1)}
ORDINALS |= {f"twenty-{name}": 20 + n for name, n in ORDINALS.items() if n < 10}
ORDINALS |= {"thirtieth": 30, "thirty-first": 31}

_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:sept|{'|'.join(_ABBREVIATED)})\b\.?)"
_ORDINAL = rf"(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
_DAY = rf"(?:[0-9]{{1,2}}(?:\s?(?:st|nd|rd|th))?|{_ORDINAL})\b"
_YEAR = r"(?:[0-9]{4}\b|'[0-9]{2}\b|[0-9]{2}\b(?![:.][0-9]))"
_ZONE = (
    r"(?:\s?(?:Z|[-+][0-9]{2}:?(?:[0-9]{2})?)(?![0-9A-Za-z])|"
    rf"\s\(?(?:(?:UTC|GMT)[-+][0-9]{{1,2}}(?::?[0-9]{{2}})?|{'|'.join(NAMED_ZONES)})\b\)?)"
)
_TIME = (
    rf"(?:(?P<hour>[0-9]{{1,2}})(?:[:.h](?P<minute>[0-9]{{2}})(?::(?P<second>[0-9]{{2}}(?:[.,][0-9]{{1,12}})?))?"
    rf"(?:\s?(?P<half>[ap])\.?m\b\.?)?|\s?(?P<alone>[ap])\.?m\b\.?|\s?o'clock(?:\s?(?P<clock>[ap])\.?m\b)?)"
    rf"(?P<zone>{_ZONE})?|\b(?P<word>noon|midnight)\b(?P<zone2>{_ZONE})?)"
)
_DATE = (
    rf"(?:(?:(?P<weekday>{'|'.join(WEEKDAYS)}|(?:mon|tues?|wed|thur?s?|fri|sat|sun)\b\.?)\b,?\s+)?(?:the\s)?(?:"
    rf"(?P<iso>[0-9]{{4}})(?P<mark>[-/.])(?P<isomonth>[0-9]{{1,2}})(?:(?P=mark)(?P<isoday>[0-9]{{1,2}}))?(?![0-9])|"
    r"(?P<compact>(?:1[0-9]|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))(?![0-9])|"
    r"(?P<weekyear>[0-9]{4})-?W(?P<week>[0-9]{2})(?:-?(?P<weekday_number>[1-7]))?(?![0-9])|"
    r"week\s(?P<week2>[0-9]{1,2})(?:\sof\s|,\s|\s)(?P<weekyear2>[0-9]{4})(?![0-9])|"
    r"(?P<ordinalyear>[0-9]{4})-(?P<ordinal>[0-9]{3})(?![0-9])|"
    r"(?P<quarteryear>[0-9]{4})[\s-]?Q(?P<quarter>[1-4])\b|"
    r"(?:Q(?P<quarter2>[1-4])|(?P<quarter3>[1-4])Q|(?P<quarter4>first|second|third|fourth|[1-4](?:st|nd|rd|th))\squarter)"
    r"(?:\s(?:of\s)?|,\s|-|/|')?(?P<quarteryear2>[0-9]{4}|(?<=')[0-9]{2}|(?<=Q)[0-9]{2})\b|"
    rf"(?P<day>{_DAY})[\s/-]?(?:day\s)?(?:of\s)?(?P<month>{_MONTH})(?:(?:,?\s|[-/]|\sof\s)?(?P<year>{_YEAR}))?|"
    rf"(?P<month2>{_MONTH})[\s-](?:the\s)?(?P<day2>{_DAY})(?!\s?[:][0-9])(?:(?:,\s?|\s|\sof\s|-(?=[0-9]{{4}}))(?P<year2>{_YEAR}))?|"
    rf"(?P<year4>[0-9]{{4}})[\s-](?P<month4>{_MONTH})(?:[\s-](?P<day4>{_DAY}))?|"
    rf"(?P<month3>{_MONTH})(?:,?\s|-|\sof\s)(?:(?:the\s)?year\s)?(?P<year3>[0-9]{{4}}\b|'[0-9]{{2}}\b)|"
    r"(?P<month5>0?[1-9]|1[0-2])/(?P<year5>[0-9]{4})(?![0-9/])|"
    r"(?P<a>[0-9]{1,2})(?P<mark2>[-/.])(?P<b>[0-9]{1,2})(?P=mark2)(?P<c>[0-9]{4}|[0-9]{2})(?![0-9])))"
)
_DATES = re.compile(rf"(?<![\w/-])(?<![0-9][.:,]){_DATE}", re.IGNORECASE)
_TIMES = re.compile(rf"(?:(?<=[0-9]T)|(?<![\w/:-]))(?<![0-9][.:,]){_TIME}(?![\w:])", re.IGNORECASE)
_YEARS = re.compile(r"(?<![\w/:.$€£-])(?:1[0-9]{3}|20[0-9]{2})(?![\w/:%-]|[.,][0-9])")
_TO_ANOTHER = re.compile(r"(?:/|--)[0-9P]")
"""ISO 8601's interval."""
_BETWEEN = re.compile(r"(?:T|,?\s+(?:at\s+)?|\s?,\s?)", re.IGNORECASE)
_BEFORE = re.compile(r",?\s+(?:on\s+)?(?:the\s+)?", re.IGNORECASE)


def moments_in(text: str, day_first: bool | None) -> list[Found[Moment]]:
    """Return the dates and times in `text`, in order; a time beside a date belongs to it.

    >>> [one.value.shown() for one in moments_in("from March 4th, 2026 at 3 pm to 2026-03-05", None)]
    ['2026-03-04T15:00:00', '2026-03-05']
    """
    dates = list(_dates(text, day_first))
    taken = [(one.start, one.end) for one in dates]
    times = [one for one in _times(text) if all(one.end <= start or one.start >= end for start, end in taken)]
    found = sorted([*dates, *times], key=lambda one: one.start)
    joined: list[Found[Moment]] = []
    for one in found:
        if joined and (both := _both(text, joined[-1], one)):
            joined[-1] = both
        else:
            joined.append(one)
    if not joined:
        joined = [Found(m.start(), m.end(), Moment(int(m[0]))) for m in _YEARS.finditer(text)]
    return joined


def _both(text: str, first: Found[Moment], second: Found[Moment]) -> Found[Moment] | None:
    """Return a date and a time that stand together as one."""
    if first.value is None or second.value is None:
        return None
    between = text[first.end : second.start]
    if first.value.day is not None and first.value.seconds is None and second.value.day is None:
        day, time, pattern = first.value, second.value, _BETWEEN
    elif second.value.day is not None and second.value.seconds is None and first.value.day is None:
        day, time, pattern = second.value, first.value, _BEFORE
    else:
        return None
    if time.seconds is None or not pattern.fullmatch(between):
        return None
    return Found(first.start, second.end, replace(day, seconds=time.seconds, zone=time.zone))


def _times(text: str) -> Iterator[Found[Moment]]:
    for found in _TIMES.finditer(text):
        zone = (found["zone"] or found["zone2"] or "").strip(" ()")
        yield Found(found.start(), found.end(), _time(found, zone))


def _time(found: re.Match[str], zone: str) -> Moment | None:
    offset = _offset(zone) if zone else None
    if zone and offset is None:
        return None
    if found["word"]:
        return Moment(seconds=Fraction(43200 if found["word"].lower() == "noon" else 0), zone=offset)
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    second = Fraction((found["second"] or "0").replace(",", "."))
    half = (found["half"] or found["alone"] or found["clock"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second >= 60:
        return None
    return Moment(seconds=hour * 3600 + minute * 60 + second, zone=offset)


def _offset(zone: str) -> int | None:
    """Return minutes from UTC.

    >>> _offset("+05:30"), _offset("UTC-5"), _offset("EST")
    (330, -300, -300)
    """
    named = NAMED_ZONES.get(zone.lower())
    if named is not None:
        return named
    digits = zone.lower().removeprefix("utc").removeprefix("gmt")
    sign, number = digits[:1], digits[1:].replace(":", "")
    if sign not in ("+", "-") or not number.isdigit():
        return None
    hours, minutes = (int(number), 0) if len(number) <= 2 else (int(number[:-2]), int(number[-2:]))
    if hours > 14 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (-1 if sign == "-" else 1)


def _dates(text: str, day_first: bool | None) -> Iterator[Found[Moment]]:
    for found in _DATES.finditer(text):
        value = _date(found, day_first)
        if value is not None and found["weekday"] and weekday(value) not in (None, _weekday(found["weekday"])):
            value = None
        if _TO_ANOTHER.match(text, found.end()):
            value = None
        yield Found(found.start(), found.end(), value)


def _weekday(name: str) -> int:
    return next(number for day, number in WEEKDAYS.items() if day.startswith(name.lower()[:3]))


def _date(found: re.Match[str], day_first: bool | None) -> Moment | None:
    if found["iso"]:
        return _dated(int(found["iso"]), int(found["isomonth"]), found["isoday"])
    if text := found["compact"]:
        return day_of(int(text[:4]), int(text[4:6]), int(text[6:]))
    if found["weekyear"]:
        number = found["weekday_number"]
        return day_of_week(int(found["weekyear"]), int(found["week"]), int(number) if number else None)
    if found["week2"]:
        return day_of_week(int(found["weekyear2"]), int(found["week2"]), None)
    if found["ordinalyear"]:
        return day_of_year(int(found["ordinalyear"]), int(found["ordinal"]))
    quarter = found["quarter"] or found["quarter2"] or found["quarter3"] or found["quarter4"]
    if quarter:
        year = found["quarteryear"] or found["quarteryear2"]
        return Moment(_year(year), quarter=int(quarter[0]) if quarter[0].isdigit() else ORDINALS[quarter.lower()])
    if found["month5"]:
        return _dated(int(found["year5"]), int(found["month5"]), None)
    if found["a"]:
        return _in_numbers(int(found["a"]), int(found["b"]), found["c"], day_first)
    month = found["month"] or found["month2"] or found["month3"] or found["month4"]
    year = found["year"] or found["year2"] or found["year3"] or found["year4"]
    return _dated(_year(year) if year else None, _month(month), found["day"] or found["day2"] or found["day4"])


def _dated(year: int | None, month: int, day: str | None) -> Moment | None:
    if not 1 <= month <= 12 or year == 0:
        return None
    if day is None:
        return Moment(year, month)
    number = ORDINALS.get(day.lower()) or int("".join(letter for letter in day if letter.isdigit()))
    if year is not None:
        return day_of(year, month, number)
    return Moment(month=month, day=number) if day_of(2000, month, number) else None


def _in_numbers(first: int, second: int, year: str, day_first: bool | None) -> Moment | None:
    """Return the day of 25/12/2026, or of 04/03/2026 where the order is stated."""
    if len(year) == 2 and day_first is None:
        return None
    if first == second or second > 12 >= first:
        month, day = first, second
    elif first > 12 >= second:
        month, day = second, first
    elif day_first is None:
        return None
    else:
        day, month = (first, second) if day_first else (second, first)
    return day_of(_year(year), month, day) if 1 <= month <= 12 else None


def _month(name: str) -> int:
    name = name.lower().rstrip(".")
    return MONTHS.get(name) or _ABBREVIATED[name]


def _year(text: str) -> int:
    number = int(text.lstrip("'"))
    if len(text.lstrip("'")) == 4:
        return number
    return number + (1900 if number > 68 else 2000)
