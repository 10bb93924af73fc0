"""Each probe proves a grader with a fault of its kind wrong, and no probe accuses a sound one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.attack.artifacts.bad_graders import (
    ERASED,
    FIT,
    MINUTES,
    PEOPLE,
    PLANTED,
    ROUTES,
    SCHEMA,
    SOUND,
    Desk,
    database,
)
from tests.attack.artifacts.desks import Grade, handed_in, passed, target_of, wrong_verdicts

from fairtrial.attack.artifacts import PROBES

LITERALS = "WORDS = ['lease', 'dividend', 'castellano', '2024-05-31', 'whitfield', '2024-05-20']\n"


def name_of(part: object) -> str:
    return getattr(part, "__name__", part if isinstance(part, str) else "desk")


@pytest.mark.parametrize(("desk", "grade", "probe"), PLANTED, ids=name_of)
def test_a_planted_fault_is_proven(tmp_path: Path, desk: Desk, grade: Grade, probe: str) -> None:
    target = target_of(tmp_path, desk.instruction, desk.before, desk.after, grader=LITERALS)
    assert passed(grade, {**desk.before, **desk.after})
    chosen = tuple(one for one in PROBES if one.card.id == probe)
    assert [name for name, _ in wrong_verdicts(target, grade, probes=chosen)]


@pytest.mark.parametrize(("desk", "grade"), SOUND, ids=name_of)
def test_a_sound_grader_is_not_accused(tmp_path: Path, desk: Desk, grade: Grade) -> None:
    target = target_of(tmp_path, desk.instruction, desk.before, desk.after)
    assert passed(grade, {**desk.before, **desk.after})
    assert [(name, submission.name) for name, submission in wrong_verdicts(target, grade)] == []


def test_an_instruction_that_names_nothing_proves_nothing(tmp_path: Path) -> None:
    target = target_of(tmp_path, "Do the usual thing.\n", FIT.before, FIT.after)
    wrong = [one for probe in PROBES for one in probe.submissions(target) if one.expects == "fails"]
    assert wrong
    assert {one.severity for one in wrong} == {"lead"}


def test_single_values_and_rows_are_leads_that_differ_in_one_place(tmp_path: Path) -> None:
    target = target_of(tmp_path, ROUTES.instruction, ROUTES.before, ROUTES.after)
    probe = next(one for one in PROBES if one.card.id == "one_value_changed")
    want = ROUTES.after["routed.csv"].decode().splitlines()
    found = list(probe.submissions(target))
    assert found
    for submission in found:
        assert submission.severity == "lead"
        got = handed_in(target, submission)["routed.csv"].decode().splitlines()
        assert sum(one != other for one, other in zip(got, want, strict=True)) == 1


def test_a_database_keeps_what_a_mutant_does_not_touch(tmp_path: Path) -> None:
    target = target_of(tmp_path, ERASED.instruction, ERASED.before, ERASED.after)
    probe = next(one for one in PROBES if one.card.id == "one_row_changed")
    names = {submission.name.split(":", 1)[1] for submission in probe.submissions(target)}
    assert names == {"row-1-dropped", "row-1-repeated", "row-2-dropped"}


def test_a_longer_text_is_made_up_word_by_word(tmp_path: Path) -> None:
    target = target_of(tmp_path, MINUTES.instruction, MINUTES.before, MINUTES.after)
    probe = next(one for one in PROBES if one.card.id == "hollow_made_up")
    for submission in probe.submissions(target):
        text = handed_in(target, submission)["minutes.md"].decode()
        assert len(text.split()) == len(MINUTES.after["minutes.md"].split())
        assert text.count("\n- ") == 4
        assert "lease" not in text


def test_where_the_instruction_leaves_a_choice_other_values_are_leads(tmp_path: Path) -> None:
    told = "Assign every parcel of `/app/parcels.csv` to any depot that has room: `/app/routed.csv` (`parcel,depot`)."
    target = target_of(tmp_path, told, ROUTES.before, ROUTES.after)
    valid = {b"NORTH-CITY", b"NORTH-HUB", b"SOUTH-COAST", b"SOUTH-HUB"}

    def lets_any_depot_pass(files: Mapping[str, bytes]) -> bool:
        lines = files["routed.csv"].split()[1:]
        return [line.split(b",")[0] for line in lines] == [b"p1", b"p2", b"p3", b"p4"] and all(
            line.split(b",")[1] in valid for line in lines
        )

    assert list(wrong_verdicts(target, lets_any_depot_pass)) == []


def test_a_database_that_was_only_compacted_is_no_deliverable(tmp_path: Path) -> None:
    compacted = database(SCHEMA + "CREATE TABLE gone(x); DROP TABLE gone; " + PEOPLE)
    assert compacted != ERASED.before["shop.db"]
    after = {"shop.db": compacted, "note.txt": b"one word here\n"}
    target = target_of(tmp_path, "Look into `shop.db`, write `note.txt`.", ERASED.before, after)
    names = {submission.name for probe in PROBES for submission in probe.submissions(target)}
    assert names
    assert not any(name.startswith("app/shop.db") for name in names)


@pytest.mark.parametrize(
    "desk", [desk for desk, _ in SOUND], ids=["csv", "json", "nested", "sqlite", "markdown", "number"]
)
def test_names_are_unique_within_a_probe(tmp_path: Path, desk: Desk) -> None:
    target = target_of(tmp_path, desk.instruction, desk.before, desk.after)
    for probe in PROBES:
        names = [submission.name for submission in probe.submissions(target)]
        assert len(names) == len(set(names)), probe.card.id


def test_a_member_of_json_given_twice_is_no_change(tmp_path: Path) -> None:
    target = target_of(
        tmp_path, "Give each name its mark in /app/marks.json, in order.", {}, {"marks.json": b'{"a": 1, "b": 2}'}
    )
    probe = next(one for one in PROBES if one.card.id == "one_row_changed")
    assert {one.name.rsplit("-", 1)[1] for one in probe.submissions(target)} <= {"dropped"}
