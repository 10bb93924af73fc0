"""Stamps are spans that hold every moment they may mean."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.authoring.records.times import span_reader, zone_of

VIENNA = ZoneInfo("Europe/Vienna")
CUT = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H", "%Y%m%d %H", "%G-W%V", "%GW%V", "%GW%V%u",
       "own %Y", "own %m/%Y", "own %b %Y", "own %d.%m.%Y", "own %d.%m.%Y %H", "own %d.%m.%Y %I %p"]  # fmt: skip


@given(st.datetimes(datetime(1990, 1, 1), datetime(2050, 1, 1), timezones=st.just(VIENNA), allow_imaginary=False))
def test_a_local_stamp_without_its_offset_holds_the_moment_that_was_meant(moment: datetime) -> None:
    span = span_reader(VIENNA)(moment.replace(tzinfo=None).isoformat())
    assert span.earliest <= moment.astimezone(UTC) <= span.latest


@given(st.datetimes(datetime(1990, 1, 1), datetime(2050, 1, 1)), st.sampled_from(CUT))
def test_a_stamp_cut_short_holds_the_moment_that_was_cut(moment: datetime, form: str) -> None:
    wide = form.removeprefix("own ")
    span = span_reader(UTC, "iso" if wide == form else wide)(moment.strftime(wide))
    assert span.earliest <= moment.replace(tzinfo=UTC) <= span.latest
    assert span.doubt in ("month", "week", "day", "hour", "minute")


def test_the_hour_that_a_clock_goes_through_twice_is_two_moments() -> None:
    span = span_reader(VIENNA)("2026-10-25T02:30:00")
    assert (span.latest - span.earliest, span.doubt) == (timedelta(hours=1), "twice")
    assert span_reader(VIENNA)("2026-03-29T02:30:00").doubt == "never"
    assert span_reader(VIENNA)("2026-10-25T02:30:00+01:00").doubt == ""


def test_counts_of_seconds_dates_and_other_forms_are_read() -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert span_reader(None, "unix")(noon.timestamp()).earliest == noon
    assert span_reader(None, "unix_ms")(str(int(noon.timestamp() * 1000))).earliest == noon
    assert span_reader(UTC, "%d.%m.%Y %H:%M:%S")("01.03.2026 12:00:00").earliest == noon
    assert span_reader(UTC, "%d.%m.%Y")("01.03.2026").latest.hour == 23
    assert span_reader(UTC)(date(2026, 3, 1)).doubt == "day"
    assert span_reader(None)("2026-03-01T12:00:00").doubt == "no_zone"


@pytest.mark.parametrize(("form", "stamp"), [("iso", "yesterday"), ("unix", "x"), ("unix", "1e300"), ("%Y", "26-1")])
def test_what_is_no_time_is_refused(form: str, stamp: str) -> None:
    with pytest.raises(ValueError):
        span_reader(None, form)(stamp)


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        zone_of("Europe/Nowhere")
