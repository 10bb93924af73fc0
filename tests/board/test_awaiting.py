"""What a finding costs until somebody rules, where the rules say so; and who had no model to hand in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.board.worlds import board, handed_in, override, row, rules, run, screening, votes

from fairtrial.board.result import Board
from fairtrial.records import Screening
from fairtrial.rules.current import NOTHING

RULES = """
[benchmark]
name = "books"
version = "1"
runs_per_task = 2
checked = ["contamination"]

[penalty]
awaiting = "base_score"
"""
BASE, TRAINED = {"a": "ff", "b": "pf", "c": "ff"}, {"a": "pp", "b": "pp", "c": "pf"}
RUNS = [run("base", BASE), run("m", TRAINED), run("n", {"a": "pp", "b": "ff", "c": "ff"})]
FOUND = screening("m", holds=False)


def made(folder: Path, *rulings: Any, text: str = RULES, screenings: tuple[Screening, ...] = (FOUND,)) -> Board:
    return board(folder, RUNS, text, submissions=(handed_in("m", "base"),), rulings=rulings, screenings=screenings)


def value(found: Board, label: str) -> float | None:
    score = row(found, label).score
    return None if score is None else score.value


def test_a_finding_gives_the_bases_score_until_somebody_rules(tmp_path: Path) -> None:
    found = made(tmp_path)
    assert row(found, "m").status == "flagged"
    assert value(found, "m") == value(found, "base") == pytest.approx(1 / 6)
    assert row(found, "m").parts[0].scored_by == "base"
    assert row(found, "m").parts[0].own_accuracy.value == pytest.approx(5 / 6)  # type: ignore[union-attr]
    assert "until somebody rules" in row(found, "m").why


def test_a_ruling_of_clean_gives_it_back_and_a_violation_does_not(tmp_path: Path) -> None:
    named = rules(tmp_path, RULES)
    clean = made(tmp_path, override("m", "clean", named, (FOUND,)))
    assert (row(clean, "m").status, value(clean, "m")) == ("clean", pytest.approx(5 / 6))
    broken = made(tmp_path, override("m", "violation", named, (FOUND,)))
    assert (row(broken, "m").status, value(broken, "m")) == ("penalised", pytest.approx(1 / 6))


def test_judges_without_a_majority_give_nothing_back(tmp_path: Path) -> None:
    unclear = override("m", "unclear", rules(tmp_path, RULES), (FOUND,))
    assert value(made(tmp_path, unclear), "m") == pytest.approx(1 / 6)


def test_a_ruling_on_other_findings_gives_nothing_back(tmp_path: Path) -> None:
    stale = override("m", "clean", rules(tmp_path, RULES), ())
    assert value(made(tmp_path, stale), "m") == pytest.approx(1 / 6)


def test_without_the_rule_a_finding_leaves_the_score(tmp_path: Path) -> None:
    text = RULES.replace("base_score", "own_score")
    found = made(tmp_path, text=text)
    assert (row(found, "m").status, value(found, "m")) == ("flagged", pytest.approx(5 / 6))


def test_what_found_nothing_costs_nothing(tmp_path: Path) -> None:
    assert value(made(tmp_path, screenings=(screening("m", holds=True),)), "m") == pytest.approx(5 / 6)
    assert value(made(tmp_path, screenings=()), "m") == pytest.approx(5 / 6)


def test_what_was_not_measured_awaits_a_ruling_as_well_and_only_where_the_rules_let_it(tmp_path: Path) -> None:
    open_ = screening("m", holds=None)
    found = made(tmp_path, screenings=(open_,))
    assert (row(found, "m").status, value(found, "m")) == ("flagged", pytest.approx(1 / 6))
    assert "not measured" in row(found, "m").why
    ruled = made(tmp_path, override("m", "clean", rules(tmp_path, RULES), (open_,)), screenings=(open_,))
    assert (row(ruled, "m").status, value(ruled, "m")) == ("clean", pytest.approx(5 / 6))
    text = RULES.replace('awaiting = "base_score"', "")
    own = made(tmp_path, text=text, screenings=(open_,))
    assert (row(own, "m").status, value(own, "m")) == ("clean", pytest.approx(5 / 6))


def test_rules_that_remove_violations_do_not_remove_what_awaits_a_ruling(tmp_path: Path) -> None:
    text = RULES + 'flagged = "removed"\n'
    assert value(made(tmp_path, text=text), "m") == pytest.approx(1 / 6)
    broken = made(tmp_path, override("m", "violation", rules(tmp_path, text), (FOUND,)), text=text)
    assert row(broken, "m").status == "removed"


def test_votes_on_other_findings_are_void(tmp_path: Path) -> None:
    assert value(made(tmp_path, *votes("m", "ccc", rules(tmp_path, RULES))), "m") == pytest.approx(1 / 6)


NAMED = RULES.replace("[penalty]", '[[base]]\nmodel = "base"\n\n[penalty]')
NONE = handed_in(
    "x", "base", entrant="x", artifacts=json.dumps({NOTHING: [{"path": "", "hash": "", "why": "gave up"}]})
)


def test_who_had_no_model_counts_as_its_base_and_is_on_the_board(tmp_path: Path) -> None:
    found = board(tmp_path, RUNS, NAMED, submissions=(NONE, handed_in("m", "base")))
    assert (row(found, "x").status, value(found, "x")) == ("clean", pytest.approx(1 / 6))
    assert row(found, "x").why.startswith("no model was handed in, so the base model's score counts: x")
    assert not any("not run" in note for note in found.notes)


def test_who_names_another_base_gets_no_score_for_having_no_model(tmp_path: Path) -> None:
    found = board(tmp_path, RUNS, NAMED, submissions=(handed_in("x", "m", artifacts=NONE.artifacts),))
    assert (row(found, "x").status, row(found, "x").score) == ("removed", None)


def test_a_run_that_is_there_counts_whatever_was_said_of_having_none(tmp_path: Path) -> None:
    found = board(tmp_path, RUNS, NAMED, submissions=(handed_in("m", "base", artifacts=NONE.artifacts),))
    assert value(found, "m") == pytest.approx(5 / 6)
