"""Attacks: what the rules state holds; what they leave open is the majority's, told as such; same runs, same lock."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.board.worlds import SMALL, board, run

from fairtrial.board.document import document_of
from fairtrial.board.versions import board_bytes

TASKS = {"a": "pp", "b": "pf"}


def stated(**fields: str) -> str:
    return SMALL + '[[track]]\nname = "books"\n' + "".join(f'{name} = "{value}"\n' for name, value in fields.items())


def test_the_majority_decides_what_rules_leave_open_and_is_told(tmp_path: Path) -> None:
    made = board(tmp_path, [run("m", TASKS), run("n", TASKS), run("odd", TASKS, settings="t")])
    assert made.locks[0].where.settings == "s"
    assert "settings: the rules leave it open, and 2 of 3 runs have s" in made.notes


def test_what_the_rules_state_outvotes_every_run(tmp_path: Path) -> None:
    made = board(tmp_path, [run("m", TASKS), run("n", TASKS), run("odd", TASKS, settings="t")], stated(settings="t"))
    assert [row.label for row in made.rows] == ["odd"]
    assert [refused.run for refused in made.refused] == ["m", "n"]


def test_a_tie_goes_to_the_first_by_name_and_is_told(tmp_path: Path) -> None:
    made = board(tmp_path, [run("m", TASKS), run("odd", TASKS, settings="t")])
    assert made.locks[0].where.settings == "s"
    assert any("as many runs each" in note for note in made.notes)


def test_what_no_run_records_is_said_first_for_equal_terms_are_not_shown(tmp_path: Path) -> None:
    made = board(tmp_path, [run("m", TASKS, settings="", environment=""), run("n", TASKS, settings="", environment="")])
    assert made.notes[0] == "recorded by no run, so that equal terms are not shown: settings, environment"
    assert not any("not shown" in note for note in board(tmp_path, [run("m", TASKS), run("n", TASKS)]).notes)


def test_a_name_locks_on_one_hash_and_a_hash_on_itself(tmp_path: Path) -> None:
    held = [run("m", TASKS), run("n", TASKS), run("odd", TASKS, suite="books@2"), run("far", TASKS, suite="bookshop@1")]
    made = board(tmp_path, held, stated(suite="books"))
    assert made.locks[0].where.suite == "books@1"
    assert [refused.run for refused in made.refused] == ["far", "odd"]
    assert [row.label for row in board(tmp_path, held, stated(suite="books@2")).rows] == ["odd"]


def test_no_run_that_fits_is_no_board_and_all_are_refused(tmp_path: Path) -> None:
    made = board(tmp_path, [run("m", TASKS)], stated(environment="none of them"))
    assert made.rows == ()
    assert [refused.run for refused in made.refused] == ["m"]
    assert document_of(made)["locked"]["environment"] == "none of them"


@settings(deadline=None, max_examples=20)
@given(st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_no_byte(tmp_path_factory: pytest.TempPathFactory, chance: object) -> None:
    folder = tmp_path_factory.mktemp("w")
    held = [run(name, TASKS if name != "c" else {"a": "ff", "b": "fp"}, settings="s" if name < "d" else "t")
            for name in "abcde"]  # fmt: skip
    mixed = list(held)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    first, second = (board_bytes(document_of(board(folder, each))) for each in (held, mixed))
    assert first == second
