"""A task is graded by what the records identify, and by nothing that they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from authoring.records.desks import graded, rebuilt, row, written

FACT = """
[outcome]
action = "looked"
field = "found"
reveals = "fact"
right = { good = ["yes"], bad = ["no"], odd = ["yes", "ask"] }
"""
CHOICE = """
[outcome]
action = "looked"
field = "found"
reveals = "choice"
good = ["good"]
bad = ["bad"]
"""
OPENED = row("2026-01-01T08:00:00Z", "cu", "opened", size="3")


def desk(folder: Path, *rows: dict[str, Any], more: str = FACT, how: Any = None, **options: str) -> Any:
    """Return the cases of one case on which `ada` decides yes on the second of January."""
    chosen = [OPENED, row("2026-01-02T08:00:00Z", "ada", "yes", amount="100")]
    return graded(written(folder, [*chosen, *rows], more, **options), how)


def looked(found: str, by: str = "inv", at: str = "2026-02-01T08:00:00Z", **more: Any) -> dict[str, Any]:
    return row(at, by, "looked", found=found, **more)


@pytest.mark.parametrize(("found", "right"), [("good", ("yes",)), ("bad", ("no",)), ("odd", ("yes", "ask"))])
def test_a_fact_shows_what_was_right_and_only_what_it_judges_is_offered(
    found: str, right: tuple[str, ...], tmp_path: Path
) -> None:
    (case,) = desk(tmp_path, looked(found)).cases
    assert (case.graded_by, case.right, case.offered) == ("outcome", right, ("yes", "no", "ask"))


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (looked("bad", by="ada"), "the outcome was recorded by who decided"),
        (looked("bad", by=""), "nobody is named who recorded the outcome"),
        (looked("strange"), "`right` does not name the outcome `strange`"),
        (looked("bad", at="2026-01-02T08:00:00Z"), "the outcome was recorded before the decision"),
        (looked("bad", at="2026-01-01T09:00:00Z"), "the outcome was recorded before the decision"),
    ],
)
def test_what_is_no_independent_later_fact_leaves_agreement(outcome: dict[str, Any], why: str, tmp_path: Path) -> None:
    (case,) = desk(tmp_path, outcome).cases
    assert (case.graded_by, case.right, case.why) == ("agreement", ("yes",), why)
    assert case.offered == ("yes", "no", "ask")


def test_an_action_that_no_value_judges_is_not_offered_and_one_that_calls_all_right_grades_nothing(
    tmp_path: Path,
) -> None:
    narrow = FACT.replace('odd = ["yes", "ask"]', 'odd = ["yes", "no"]')
    (case,) = desk(tmp_path, looked("bad"), more=narrow).cases
    assert case.offered == ("yes", "no")
    found = desk(tmp_path, looked("odd"), more=narrow)
    assert (found.cases, found.dropped) == ([], {"the outcome calls every action right": 1})


def test_an_outcome_of_another_who_decided_on_the_case_is_not_independent(tmp_path: Path) -> None:
    rows = [row("2026-01-03T08:00:00Z", "bo", "no"), looked("bad", by="bo")]
    assert {case.why for case in desk(tmp_path, *rows).cases} == {"the outcome was recorded by who decided"}


def test_where_somebody_unnamed_decided_only_a_named_recorder_is_independent(tmp_path: Path) -> None:
    rows = [row("2026-01-03T08:00:00Z", "", "no"), looked("bad", by="cy")]
    (case,) = desk(tmp_path, *rows).cases
    assert case.graded_by == "agreement"
    (case,) = desk(tmp_path, *rows, more=FACT + 'recorders = ["cy"]').cases
    assert case.graded_by == "outcome"


def test_own_outcomes_are_marked_where_they_are_asked_for(tmp_path: Path) -> None:
    (case,) = desk(tmp_path, looked("bad", by="ada"), how="mark").cases
    assert (case.graded_by, case.right) == ("outcome_self_recorded", ("no",))
    (case,) = desk(tmp_path, looked("bad", by="ada"), more=FACT + 'self_recorded = "mark"', how="refuse").cases
    assert case.graded_by == "agreement"


def test_outcomes_that_disagree_grade_nothing_and_an_independent_one_stands_above_an_own(tmp_path: Path) -> None:
    (case,) = desk(tmp_path, looked("bad"), looked("good", by="inv-2")).cases
    assert case.why == "recorded outcomes disagree"
    (case,) = desk(tmp_path, looked("bad"), looked("good", by="ada")).cases
    assert case.right == ("no",)


def test_the_outcome_that_holds_last_counts_and_one_taken_back_does_not(tmp_path: Path) -> None:
    columns = 'event = "id"\nrecorded = "entered"\nwithdrawn = "gone"'

    def rows(*versions: dict[str, Any]) -> list[dict[str, Any]]:
        stated = [OPENED, row("2026-01-02T08:00:00Z", "ada", "yes"), *versions]
        return [{"id": one["what"], "entered": one["at"], "gone": ""} | one for one in stated]

    later = {"entered": "2026-03-01T08:00:00Z"}
    (case,) = graded(written(tmp_path, rows(looked("good"), looked("bad") | later), FACT, columns)).cases
    assert case.right == ("no",)
    gone = looked("good") | later | {"gone": "true"}
    (case,) = graded(written(tmp_path, rows(looked("good"), gone), FACT, columns)).cases
    assert case.why == "no outcome was recorded"


@pytest.mark.parametrize(("bounds", "by"), [("after_days = 40", "agreement"), ("within_days = 20", "agreement"),
                                            ("after_days = 20\nwithin_days = 40", "outcome")])  # fmt: skip
def test_an_outcome_too_soon_or_too_late_does_not_count(bounds: str, by: str, tmp_path: Path) -> None:
    (case,) = desk(tmp_path, looked("bad"), more=FACT + bounds).cases
    assert case.graded_by == by


def test_an_outcome_of_the_choice_speaks_for_it_and_never_for_another(tmp_path: Path) -> None:
    (case,) = desk(tmp_path, looked("good"), more=CHOICE).cases
    assert (case.graded_by, case.right, case.offered) == ("endorsed", ("yes",), ("yes", "no", "ask"))
    found = desk(tmp_path, looked("bad"), more=CHOICE)
    assert not found.cases
    assert found.dropped == {"went wrong, and nothing says what would have been right": 1}


AMOUNT = '[[action.parameter]]\nname = "amount"\nshare = 0.1'


def test_a_parameter_is_graded_by_the_outcome_else_by_the_expert_else_not(tmp_path: Path) -> None:
    told = FACT + 'parameters = { amount = "worth" }'
    (case,) = desk(tmp_path, looked("good", worth="80"), more=told, yes=AMOUNT).cases
    assert (case.parameters, case.parameters_by, case.example) == ({"amount": 80}, "outcome", {"amount": 80})
    (case,) = desk(tmp_path, looked("good"), more=told, yes=AMOUNT).cases
    assert (case.parameters, case.parameters_by) == ({"amount": 100}, "agreement")
    rows = [row("2026-01-01T09:00:00Z", "cu", "opened", case="c2"), row("2026-01-02T09:00:00Z", "bo", "no", case="c2"),
            looked("good", case="c2")]  # fmt: skip
    second = desk(tmp_path, *rows, more=told, yes=AMOUNT).cases[1]
    assert (second.right, second.parameters, second.example) == (("yes",), {}, {"amount": 100})


def test_outcomes_in_columns_of_their_own_count_alike(tmp_path: Path) -> None:
    columns = 'outcome = "result"\noutcome_actor = "checked_by"\noutcome_time = "checked_at"'
    told = FACT.replace('action = "looked"\nfield = "found"', 'field = "found"')
    rows = [OPENED, row("2026-01-02T08:00:00Z", "ada", "yes", result="bad", checked_by="inv",
                        checked_at="2026-02-01T08:00:00Z")]  # fmt: skip
    (case,) = graded(written(tmp_path, rows, told, columns)).cases
    assert (case.graded_by, case.right) == ("outcome", ("no",))
    assert "result" not in case.decision.event.fields
    rows[1]["checked_at"] = ""
    declared = written(tmp_path, rows, told, columns)
    assert rebuilt(declared)[0].odd["outcome without a time"] == 1
    assert graded(declared).cases[0].graded_by == "agreement"


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([OPENED, row("2026-01-02T08:00:00Z", "", "yes")], "nobody is named who decided"),
        ([OPENED, row("2026-01-02T08:00:00Z", "bot", "yes")], "decided by somebody who is no expert"),
        ([row("2026-01-02T08:00:00Z", "ada", "no")], "nothing was on record before it"),
        ([OPENED, row("2026-01-02T08:00:00Z", "ada", "yes", amount="much")], "`amount` of `yes` is no number"),
        ([OPENED, row("2026-01-02T08:00:00Z", "ada", "yes")], "`amount` of `yes` is missing"),
    ],
)
def test_a_decision_that_cannot_be_rebuilt_is_dropped_with_its_reason(
    rows: list[dict[str, Any]], why: str, tmp_path: Path
) -> None:
    declared = written(tmp_path, rows, '[experts]\nactors = ["ada"]', yes=AMOUNT if "amount" in why else "")
    assert rebuilt(declared)[1].dropped == {why: 1}


def test_two_choices_at_one_time_are_dropped(tmp_path: Path) -> None:
    rows = [OPENED, row("2026-01-02T08:00:00Z", "ada", "yes"), row("2026-01-02T08:00:00Z", "bo", "no")]
    assert rebuilt(written(tmp_path, rows))[1].dropped == {"two choices at one time": 2}


@pytest.mark.parametrize(("how", "chosen"), [("drop", []), ("first", ["yes"]), ("last", ["no"])])
def test_a_choice_that_was_changed_later_is_dropped_or_taken_as_asked(
    how: str, chosen: list[str], tmp_path: Path
) -> None:
    columns = 'event = "id"\nrecorded = "entered"'
    at = "2026-01-02T08:00:00Z"
    rows = [OPENED | {"id": "o", "entered": OPENED["at"]}, row(at, "ada", "yes", id="d", entered=at),
            row(at, "ada", "no", id="d", entered="2026-01-05T08:00:00Z")]  # fmt: skip
    found = rebuilt(written(tmp_path, rows, f'[experts]\ncorrected = "{how}"', columns))[1]
    assert [one.action for one in found.decisions] == chosen


def test_a_name_in_other_letters_is_the_same_person(tmp_path: Path) -> None:
    (case,) = desk(tmp_path, looked("bad", by="Ada")).cases
    assert case.why == "the outcome was recorded by who decided"


def test_an_outcome_that_was_on_record_and_touched_up_later_is_none_of_later(tmp_path: Path) -> None:
    columns = 'recorded = "entered"\nevent = "id"'
    stamp = ["2026-01-01T08:00:00Z", "2026-01-01T09:00:00Z", "2026-01-02T08:00:00Z", "2026-02-01T08:00:00Z"]
    rows = [row(stamp[0], "cu", "opened", entered=stamp[0], id="a"),
            row(stamp[1], "inv", "looked", entered=stamp[1], id="b", found="bad"),
            row(stamp[2], "ada", "yes", entered=stamp[2], id="c"),
            row(stamp[1], "inv", "looked", entered=stamp[3], id="b", found="bad", note="typed again")]  # fmt: skip
    (case,) = graded(written(tmp_path, rows, FACT, columns)).cases
    assert (case.graded_by, case.why) == ("agreement", "the outcome was recorded before the decision")
    rows[1]["found"] = "good"
    (case,) = graded(written(tmp_path, rows, FACT, columns)).cases
    assert (case.graded_by, case.right) == ("outcome", ("no",))
