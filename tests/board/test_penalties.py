"""Attacks: a ruled violation costs the score and nothing less does; silence is never called clean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.board.worlds import board, handed_in, override, row, rules, run, screening, votes

from fairtrial.board.document import document_of
from fairtrial.board.result import Board

RULES = """
[benchmark]
name = "books"
version = "1"
runs_per_task = 2
checked = ["contamination"]
"""
BASE, TRAINED = {"a": "ff", "b": "pf", "c": "ff"}, {"a": "pp", "b": "pp", "c": "pf"}
RUNS = [run("base", BASE), run("m", TRAINED), run("n", {"a": "pp", "b": "ff", "c": "ff"})]


def judged(folder: Path, *rulings: Any, text: str = RULES, base: str = "base", **more: Any) -> Board:
    return board(folder, more.pop("runs", RUNS), text, submissions=(handed_in("m", base),), rulings=rulings, **more)


def value(made: Board, label: str) -> float | None:
    score = row(made, label).score
    return None if score is None else score.value


def test_a_ruled_violation_gets_the_base_models_score_and_keeps_its_own_in_sight(tmp_path: Path) -> None:
    made = judged(tmp_path, override("m", "violation", rules(tmp_path, RULES)))
    found = row(made, "m")
    assert found.status == "penalised"
    assert value(made, "m") == value(made, "base") == pytest.approx(1 / 6)
    assert found.parts[0].scored_by == "base"
    assert found.parts[0].own_accuracy is not None
    assert found.parts[0].own_accuracy.value == pytest.approx(5 / 6)
    assert "override by ada: looked" in found.why
    assert found.rank == row(made, "base").rank


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("vvv", "penalised"),
        ("vvc", "penalised"),
        ("vcc", "clean"),
        ("v?c", "flagged"),
        ("vv", "penalised"),
        ("v", "clean"),
    ],
)
def test_the_majority_of_three_rules(tmp_path: Path, said: str, status: str) -> None:
    made = judged(tmp_path, *votes("m", said, rules(tmp_path, RULES)))
    assert row(made, "m").status == status
    assert row(made, "m").judged == ("judged" if said in ("vvv", "vvc", "vcc", "vv") else "not judged")


def test_an_override_outranks_the_judges(tmp_path: Path) -> None:
    named = rules(tmp_path, RULES)
    made = judged(tmp_path, *votes("m", "vvv", named), override("m", "clean", named))
    assert (row(made, "m").status, row(made, "m").judged) == ("clean", "judged")
    assert value(made, "m") == pytest.approx(5 / 6)


def test_a_ruling_under_other_rules_costs_nothing(tmp_path: Path) -> None:
    made = judged(tmp_path, override("m", "violation", rules(tmp_path, RULES), rules="books@0#00"))
    assert row(made, "m").status == "clean"
    assert row(made, "m").judged == "not judged"
    assert "was made under books@0#00" in row(made, "m").standings["m"]["contamination"].void[0]


def test_what_a_check_found_flags_and_leaves_the_score(tmp_path: Path) -> None:
    made = judged(tmp_path, screenings=(screening("m", holds=False),))
    found = row(made, "m")
    assert (found.status, found.judged) == ("flagged", "not judged")
    assert value(made, "m") == pytest.approx(5 / 6)
    assert "12 rows near 3 items" in found.why


@pytest.mark.parametrize("holds", [True, None])
def test_what_nobody_judged_is_told_although_nothing_was_found(tmp_path: Path, holds: bool | None) -> None:
    made = judged(tmp_path, screenings=(screening("m", holds=holds),))
    found = row(made, "m")
    assert (found.status, found.judged) == ("clean", "not judged")
    assert found.why == "not judged by contamination"


def test_rules_that_check_nothing_ask_for_no_judge(tmp_path: Path) -> None:
    made = judged(tmp_path, text=RULES.replace('"contamination"', ""))
    assert {each.judged for each in made.rows} == {"not asked"}


@pytest.mark.parametrize(
    ("base", "runs", "why"),
    [
        ("", RUNS, "no base model is named"),
        ("base", RUNS[1:], "has no whole accepted run"),
        ("base", [run("base", BASE, environment="x"), *RUNS[1:]], "has no whole accepted run"),
        ("base", [run("base", BASE, agent="x"), run("base", BASE, agent="y"), *RUNS[1:]], "several scaffolds"),
    ],
)
def test_without_the_base_models_runs_the_row_goes_and_says_why(
    tmp_path: Path, base: str, runs: list[Any], why: str
) -> None:
    made = judged(tmp_path, override("m", "violation", rules(tmp_path, RULES)), base=base, runs=runs)
    gone = row(made, "m")
    assert (gone.status, gone.score, gone.rank) == ("removed", None, None)
    assert why in gone.why
    assert "violation" in gone.why


def test_the_base_of_the_same_scaffold_and_effort_is_taken(tmp_path: Path) -> None:
    runs = [run("base", BASE, agent="x"), run("base", TRAINED, agent="y"), run("m", TRAINED, agent="x"), RUNS[2]]
    made = judged(tmp_path, override("m", "violation", rules(tmp_path, RULES)), runs=runs)
    assert row(made, "m").parts[0].scored_by == "x/base"


def test_an_entrant_cannot_name_a_strong_model_as_its_base(tmp_path: Path) -> None:
    text = RULES + '[[base]]\nmodel = "base"\n'
    made = judged(tmp_path, override("m", "violation", rules(tmp_path, text)), text=text, base="n")
    assert row(made, "m").status == "removed"
    assert "none that the rules name" in row(made, "m").why


def test_rules_may_remove_instead(tmp_path: Path) -> None:
    text = RULES + '[penalty]\nflagged = "removed"\n'
    made = judged(tmp_path, override("m", "violation", rules(tmp_path, text)), text=text)
    assert row(made, "m").status == "removed"


def test_models_that_the_rules_name_as_bases_are_the_scale_and_no_rows(tmp_path: Path) -> None:
    text = RULES + '[[base]]\nmodel = "base"\ninstruct = "n"\n'
    made = judged(tmp_path, text=text)
    assert [each.label for each in made.rows] == ["m"]
    scores = {each.role: each.score.value for each in made.references if each.score}
    assert scores == {"base": pytest.approx(1 / 6), "instruct": pytest.approx(1 / 3)}


def test_document_says_status_judges_and_own_score(tmp_path: Path) -> None:
    document = document_of(judged(tmp_path, override("m", "violation", rules(tmp_path, RULES))))
    (found,) = (each for each in document["rows"] if each["model"] == "m")
    assert found["status"] == "penalised"
    assert found["standings"]["m"]["contamination"]["by"] == "override"
    assert found["tracks"][0]["own_accuracy"]["value"] == pytest.approx(5 / 6)
    assert found["score"]["value"] == pytest.approx(1 / 6)


def test_a_word_on_one_effort_leaves_the_others(tmp_path: Path) -> None:
    runs = [RUNS[0], run("m", TRAINED, effort="high"), run("m", TRAINED, effort="low"), RUNS[2]]
    handed = (handed_in("m@high", "base"), handed_in("m@low", "base"))
    word = override("m@high", "violation", rules(tmp_path, RULES))
    made = board(tmp_path, runs, RULES, submissions=handed, rulings=(word,))
    assert (row(made, "m@high").status, row(made, "m@low").status) == ("penalised", "clean")


def test_a_word_on_a_model_holds_for_each_of_its_efforts(tmp_path: Path) -> None:
    runs = [RUNS[0], run("m", TRAINED, effort="high"), run("m", TRAINED, effort="low"), RUNS[2]]
    word = override("m", "violation", rules(tmp_path, RULES))
    made = board(
        tmp_path, runs, RULES, submissions=(handed_in("m", "base"), handed_in("m@low", "base")), rulings=(word,)
    )
    assert (row(made, "m@high").status, row(made, "m@low").status) == ("penalised", "penalised")


CHAIN = [run("base", BASE), run("c", TRAINED), run("m", TRAINED)]


def chained(folder: Path, *rulings: Any, made_from: tuple[str, str] = ("c", "base"), **more: Any) -> Board:
    handed = (handed_in("m", made_from[0]), handed_in("c", made_from[1]))
    return board(folder, CHAIN, RULES, submissions=handed, rulings=rulings, **more)


def test_a_base_that_is_penalised_or_found_or_unjudged_itself_gives_its_score_to_nobody(tmp_path: Path) -> None:
    """Hand in a contaminated model, then another made from it, and be penalised with the score of the first."""
    named = rules(tmp_path, RULES)
    word = override("m", "violation", named)
    for rulings, found in (
        ([word, override("c", "violation", named)], ()),
        ([word], (screening("c", holds=False),)),
        ([word], ()),
    ):
        made = chained(tmp_path, *rulings, screenings=found)
        assert row(made, "m").parts[0].scored_by == "base"
        assert value(made, "m") == value(made, "base")


def test_a_base_that_was_handed_in_and_judged_clean_counts(tmp_path: Path) -> None:
    named = rules(tmp_path, RULES)
    made = chained(tmp_path, override("m", "violation", named), override("c", "clean", named))
    assert row(made, "m").parts[0].scored_by == "c"


@pytest.mark.parametrize("made_from", [("m", "base"), ("c", "m"), ("c", "c")])
def test_nobody_is_the_base_of_itself(tmp_path: Path, made_from: tuple[str, str]) -> None:
    made = chained(tmp_path, override("m", "violation", rules(tmp_path, RULES)), made_from=made_from)
    assert row(made, "m").status == "removed"
    assert "is made from itself" in row(made, "m").why


def test_an_effort_is_no_base_of_another(tmp_path: Path) -> None:
    runs = [run("base", BASE), run("m", TRAINED, effort="high"), run("m", TRAINED, effort="low")]
    handed = (handed_in("m@high", "m@low"), handed_in("m@low", "m@high"))
    made = board(
        tmp_path, runs, RULES, submissions=handed, rulings=(override("m", "violation", rules(tmp_path, RULES)),)
    )
    assert {row(made, label).status for label in ("m@high", "m@low")} == {"removed"}


def test_where_the_rules_name_no_base_the_board_says_who_chose_it(tmp_path: Path) -> None:
    named = rules(tmp_path, RULES)
    assert any("the base that its entrant names: m" in note
               for note in judged(tmp_path, override("m", "violation", named)).notes)  # fmt: skip
    text = RULES + '[[base]]\nmodel = "base"\n'
    assert not judged(tmp_path, override("m", "violation", rules(tmp_path, text)), text=text).notes


def test_a_ruling_on_a_name_that_nobody_has_is_told(tmp_path: Path) -> None:
    made = judged(tmp_path, override("mm", "violation", rules(tmp_path, RULES)))
    assert "ruled, and neither run nor handed in: mm" in made.notes
