"""Nothing of later is visible, whatever was recorded when; what is hidden for another reason is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authoring.records.desks import rebuilt, row, written
from fairtrial.authoring.records.decisions import Decision
from fairtrial.authoring.records.schema import read_declared
from fairtrial.authoring.records.visible import AHEAD, BLANKED, LATE, TIE
from fairtrial.records import InputError


def only(folder: Path, rows: list[dict[str, Any]], more: str = "", columns: str = "") -> Decision:
    (decision,) = rebuilt(written(folder, rows, more, columns))[1].decisions
    return decision


def seen(decision: Decision) -> list[str]:
    return [shown.event.action for shown in decision.visible.shown]


OPENED = row("2026-01-01T08:00:00Z", "cu", "opened")
MINUTES = st.integers(0, 30)


@given(st.lists(st.tuples(MINUTES, MINUTES), max_size=12), MINUTES)
def test_only_what_happened_and_was_recorded_strictly_before_is_visible(
    tmp_path_factory: pytest.TempPathFactory, stamps: list[tuple[int, int]], decided: int
) -> None:
    rows = [row(f"2026-01-02T08:{happened:02}:00Z", "cu", f"e{at}", entered=f"2026-01-02T08:{recorded:02}:00Z")
            for at, (happened, recorded) in enumerate(stamps)]  # fmt: skip
    made = f"2026-01-02T08:{decided:02}:00Z"
    rows += [OPENED | {"entered": OPENED["at"]}, row(made, "ada", "yes", entered=made)]
    decision = only(tmp_path_factory.mktemp("desk"), rows, columns='recorded = "entered"')
    before = {f"e{at}" for at, stamp in enumerate(stamps) if max(stamp) < decided}
    assert set(seen(decision)) == before | {"opened"}


def test_why_events_are_hidden_is_counted(tmp_path: Path) -> None:
    noon, one, two = "2026-01-02T12:00:00Z", "2026-01-02T13:00:00Z", "2026-01-02T14:00:00Z"
    rows = [row(noon, "cu", "tied", entered=one), row(noon, "cu", "late", entered=two),
            row(two, "cu", "ahead", entered=noon), row(two, "cu", "later", entered=two),
            OPENED | {"entered": noon}, row(one, "ada", "yes", entered=one)]  # fmt: skip
    decision = only(tmp_path, rows, columns='recorded = "entered"')
    assert seen(decision) == ["opened"]
    assert decision.visible.hidden == {TIE: 1, LATE: 1, AHEAD: 1}


def test_of_one_moment_the_sequence_decides_where_both_have_one(tmp_path: Path) -> None:
    noon = "2026-01-02T12:00:00Z"
    rows = [OPENED | {"n": 1}, row(noon, "cu", "first", n=2), row(noon, "ada", "yes", n=3),
            row(noon, "cu", "after", n=4), row(noon, "cu", "unnumbered", n="")]  # fmt: skip
    decision = only(tmp_path, rows, columns='sequence = "n"')
    assert seen(decision) == ["opened", "first"]


def test_of_days_alone_nothing_of_the_same_day_is_visible(tmp_path: Path) -> None:
    rows = [row("2026-01-01", "cu", "opened"), row("2026-01-02", "cu", "same"), row("2026-01-02", "ada", "yes")]
    desk, found = rebuilt(written(tmp_path, rows))
    assert seen(found.decisions[0]) == ["opened"]
    assert desk.odd["time to the day alone: nothing else of that day counts as earlier"] == 3


def test_the_version_that_held_then_is_shown(tmp_path: Path) -> None:
    more = 'recorded = "entered"\nevent = "id"\nwithdrawn = "gone"'
    at = [f"2026-01-0{day}T12:00:00Z" for day in range(1, 8)]
    rows = [row(at[0], "cu", "opened", entered=at[0], id="a", sum="10"),
            row(at[0], "cu", "opened", entered=at[1], id="a", sum="20"),
            row(at[0], "cu", "opened", entered=at[4], id="a", sum="30"),
            row(at[0], "cu", "letter", entered=at[0], id="b"),
            row(at[0], "cu", "letter", entered=at[1], id="b", gone="true"),
            row(at[3], "ada", "yes", entered=at[3], id="d1"),
            row(at[5], "bo", "no", entered=at[5], id="d2")]  # fmt: skip
    first, second = rebuilt(written(tmp_path, rows, columns=more))[1].decisions
    assert [dict(shown.fields) for shown in first.visible.shown] == [{"sum": "20"}]
    assert seen(second) == ["opened", "yes"]
    assert second.visible.shown[0].fields == {"sum": "30"}


def test_a_field_that_a_later_event_fills_is_blank_until_then(tmp_path: Path) -> None:
    at = [f"2026-01-0{day}T12:00:00Z" for day in range(1, 8)]
    rows = [row(at[0], "cu", "opened", sum="10", paid="9", secret="s"), row(at[1], "ada", "yes", secret="s"),
            row(at[2], "desk", "paid", paid="9"), row(at[3], "ada", "no")]  # fmt: skip
    more = '[fields]\nhide = ["secret"]\nfilled_by = { paid = "paid" }'
    first, second = rebuilt(written(tmp_path, rows, more))[1].decisions
    assert first.visible.shown[0].fields == {"sum": "10"}
    assert first.visible.hidden[BLANKED] == 1
    assert second.visible.shown[0].fields == {"sum": "10", "paid": "9"}


def test_the_hour_that_comes_twice_hides_and_never_shows(tmp_path: Path) -> None:
    rows = [row("2026-10-24T12:00:00", "cu", "opened"), row("2026-10-25T02:20:00", "cu", "called"),
            row("2026-10-25T02:40:00", "ada", "yes")]  # fmt: skip
    declared = written(tmp_path, rows)
    text = declared.path.read_text().replace("[columns]", 'time_zone = "Europe/Vienna"\n\n[columns]', 1)
    declared.path.write_text(text)
    assert seen(rebuilt(read_declared(declared.path))[1].decisions[0]) == ["opened"]


def test_a_correction_that_moves_an_event_ahead_hides_it(tmp_path: Path) -> None:
    more = 'recorded = "entered"\nevent = "id"'
    at = [f"2026-01-0{day}T12:00:00Z" for day in range(1, 8)]
    rows = [row(at[0], "cu", "opened", entered=at[0], id="a"), row(at[1], "cu", "visit", entered=at[1], id="b"),
            row(at[5], "cu", "visit", entered=at[2], id="b"),
            row(at[3], "ada", "yes", entered=at[3], id="d1")]  # fmt: skip
    decision = only(tmp_path, rows, columns=more)
    assert seen(decision) == ["opened"]
    assert decision.visible.hidden == {AHEAD: 1}


def test_what_an_outcome_beside_an_event_says_is_right_is_not_shown_with_it(tmp_path: Path) -> None:
    late = {"found": "good", "found_by": "inv", "found_at": "2026-02-01T08:00:00Z", "assessed": "90", "size": "3"}
    more = '[outcome]\nfield = "found"\nright = { good = ["yes"], bad = ["no"] }\nparameters = { sum = "assessed" }'
    columns = 'outcome = "found"\noutcome_actor = "found_by"\noutcome_time = "found_at"'
    rows = [OPENED | late, row("2026-01-02T08:00:00Z", "ada", "yes", paid="100")]
    declared = written(tmp_path, rows, more, columns, yes='[[action.parameter]]\nname = "sum"\nfield = "paid"')
    (decision,) = rebuilt(declared)[1].decisions
    assert [dict(shown.fields) for shown in decision.visible.shown] == [{"size": "3"}]
    assert decision.outcome is not None
    assert decision.outcome.fields["assessed"] == "90"


@pytest.mark.parametrize("form", ["2026-01-0{} 00:00:00", "2026-01-0{}T00:00:00+00:00"])
def test_a_kind_of_event_whose_times_are_all_midnight_has_days(form: str, tmp_path: Path) -> None:
    rows = [row(form.format(day), "lab", "test", n=day) for day in (1, 2, 3)]
    rows += [row("2026-01-02T10:00:00Z", "cu", "called"), row("2026-01-03T12:00:00Z", "ada", "yes")]
    desk, found = rebuilt(written(tmp_path, rows))
    assert seen(found.decisions[0]) == ["test", "test", "called"]
    assert desk.odd["time at midnight, as all of its kind of event: taken for a day"] == 3


@pytest.mark.parametrize("key", ['hide = ["secert"]', 'filled_by = { secert = "paid" }'])
def test_a_field_to_be_hidden_that_no_event_carries_is_a_slip(key: str, tmp_path: Path) -> None:
    rows = [OPENED | {"secret": "s"}, row("2026-01-02T08:00:00Z", "ada", "yes")]
    with pytest.raises(InputError, match="no event carries a field `secert`"):
        rebuilt(written(tmp_path, rows, f"[fields]\n{key}"))


def test_the_name_of_a_decision_does_not_hang_on_what_was_chosen(tmp_path: Path) -> None:
    names = []
    for at, (by, what) in enumerate([("ada", "yes"), ("bo", "no")]):
        folder = tmp_path / str(at)
        folder.mkdir()
        rows = [OPENED | {"id": "1"}, row("2026-01-02T08:00:00Z", by, what, id=f"{what}-2")]
        names += [only(folder, rows).id, only(folder, rows, columns='event = "id"').id]
    assert len(set(names)) == 1


def test_two_choices_of_one_moment_have_two_names_by_their_sequence(tmp_path: Path) -> None:
    noon = "2026-01-02T12:00:00Z"
    rows = [OPENED | {"n": 1}, row(noon, "ada", "ask", n=2), row(noon, "ada", "yes", n=3)]
    found = rebuilt(written(tmp_path, rows, columns='sequence = "n"'))[1]
    assert len({one.id for one in found.decisions}) == 2
    rows[2]["n"] = 2
    assert rebuilt(written(tmp_path, rows, columns='sequence = "n"'))[1].dropped == {"two choices at one time": 2}
