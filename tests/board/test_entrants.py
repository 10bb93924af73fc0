"""Attacks: an entrant's models over bases and tracks are one row, weighed as the rules say; by brute force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.board.worlds import board, handed_in, row, run

from fairtrial.board.result import Board
from fairtrial.board.runs import Run
from fairtrial.records import FairtrialError, InputError

TRACKS = """
[benchmark]
name = "both"
version = "1"
runs_per_task = 2
checked = []

[[track]]
name = "sums"
suite = "sums"

[[track]]
name = "words"
suite = "words"
"""
BASES = '[[base]]\nmodel = "b1"\ninstruct = "i1"\n[[base]]\nmodel = "b2"\ninstruct = "i2"\n'
REACHED = {
    "b1": ("pf", "ff"), "b2": ("ff", "pf"), "i1": ("pp", "pf"), "i2": ("pp", "pp"),
    "ada-1": ("pp", "pf"), "ada-2": ("pf", "pf"), "bo-1": ("pf", "pf"), "bo-2": ("ff", "pp"),
}  # fmt: skip
"""Outcomes of the one task that varies, on sums and on words."""


def runs(without: tuple[tuple[str, str], ...] = ()) -> list[Run]:
    return [
        run(model, {"t0": "pf", "t1": reached[place]}, suite=f"{suite}@1")
        for model, reached in REACHED.items() for place, suite in enumerate(("sums", "words"))
        if (model, suite) not in without
    ]  # fmt: skip


def rate(model: str, place: int) -> float:
    return (0.5 + REACHED[model][place].count("p") / 2) / 2


def entered(folder: Path, held: list[Run] | None = None, text: str = TRACKS + BASES, **more: Any) -> Board:
    handed = tuple(handed_in(f"{who}-{n}", f"b{n}", entrant=who) for who in ("ada", "bo") for n in (1, 2))
    return board(folder, runs() if held is None else held, text, **{"submissions": handed} | more)


def test_score_is_the_weighted_sum_over_tracks_of_the_mean_over_bases(tmp_path: Path) -> None:
    made = entered(tmp_path)
    inverse = []
    for place in (0, 1):
        instruct, base = (np.mean([rate(f"{kind}{n}", place) for n in (1, 2)]) for kind in "ib")
        inverse.append(1 / (instruct - base))
    weights = np.array(inverse) / sum(inverse)
    assert [made.weights[name] for name in ("sums", "words")] == pytest.approx(list(weights))
    for who in ("ada", "bo"):
        expected = sum(weights[place] * np.mean([rate(f"{who}-{n}", place) for n in (1, 2)]) for place in (0, 1))
        score = row(made, who).score
        assert score is not None
        assert score.value == pytest.approx(expected)
    assert {each.label for each in made.rows} == {"ada", "bo"}


def test_a_model_that_was_not_run_on_a_track_removes_the_row_and_is_named(tmp_path: Path) -> None:
    made = entered(tmp_path, runs(without=(("ada-2", "words"),)))
    assert row(made, "ada").status == "removed"
    assert row(made, "ada").why == "no run of ada-2 is accepted on track words"
    assert row(made, "bo").score is not None


def test_a_base_from_which_nothing_was_handed_in_removes_the_row(tmp_path: Path) -> None:
    handed = (handed_in("ada-1", "b1", entrant="ada"), handed_in("ada-2", "b3", entrant="ada"))
    made = entered(tmp_path, submissions=handed)
    assert "nothing was handed in from base b2 for track sums" in row(made, "ada").why


def test_one_model_for_each_suite_is_one_row(tmp_path: Path) -> None:
    text = TRACKS + '[[base]]\nmodel = "b1"\ninstruct = "i1"\n'
    handed = (handed_in("ada-1", "b1", entrant="ada", benchmark="sums"),
              handed_in("ada-2", "b1", entrant="ada", benchmark="words"))  # fmt: skip
    made = entered(tmp_path, submissions=handed, text=text)
    assert [(part.track, part.model) for part in row(made, "ada").parts] == [("sums", "ada-1"), ("words", "ada-2")]


def test_two_models_of_one_entrant_from_one_base_are_two_rows(tmp_path: Path) -> None:
    handed = (handed_in("ada-1", "b1", entrant="ada"), handed_in("ada-2", "b1", entrant="ada"))
    labels = {each.label for each in entered(tmp_path, submissions=handed).rows}
    assert {"ada-1", "ada-2"} <= labels
    assert "ada" not in labels


@pytest.mark.parametrize("reached", ["ff", "pf"])
def test_siblings_that_are_not_above_their_bases_give_no_weight(tmp_path: Path, reached: str) -> None:
    held = [run(each.who.model, {"t0": "pf", "t1": reached}, suite="sums@1")
            if each.who.model[0] in "ib" and each.where.suite == "sums@1" else each for each in runs()]  # fmt: skip
    with pytest.raises(FairtrialError, match="track `sums` has no weight") as caught:
        entered(tmp_path, held)
    assert caught.value.exit_code == 3


def test_weights_that_the_rules_state_need_no_siblings(tmp_path: Path) -> None:
    text = TRACKS.replace('suite = "sums"', 'suite = "sums"\nweight = 3').replace(
        'suite = "words"', 'suite = "words"\nweight = 1'
    )
    made = entered(tmp_path, text=text)
    assert made.weights == {"sums": 0.75, "words": 0.25}


def test_siblings_that_were_not_run_are_named(tmp_path: Path) -> None:
    with pytest.raises(FairtrialError, match="`i2` has no whole accepted run on track `words`"):
        entered(tmp_path, runs(without=(("i2", "words"),)))


def test_tracks_without_weights_or_bases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 tracks are weighed"):
        entered(tmp_path, text=TRACKS)


def test_several_tracks_have_to_name_their_suites(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names no suite"):
        entered(tmp_path, text=TRACKS.replace('suite = "words"\n', "") + BASES)


def test_a_run_on_no_track_is_refused(tmp_path: Path) -> None:
    made = entered(tmp_path, [*runs(), run("ada-1", {"x": "pp"}, suite="other@1")])
    (refused,) = made.refused
    assert (refused.run, refused.problems[0].field, refused.problems[0].got) == ("ada-1", "suite", "other@1")


def test_a_plain_model_has_to_run_on_every_track(tmp_path: Path) -> None:
    held = [*runs(), run("plain", {"t0": "pp", "t1": "pp"}, suite="sums@1")]
    assert row(entered(tmp_path, held), "plain").status == "removed"


def test_without_bases_in_the_rules_they_are_those_of_the_submissions(tmp_path: Path) -> None:
    held = [each for each in runs() if each.where.suite == "sums@1"]
    text = '[benchmark]\nname = "sums"\nversion = "1"\nruns_per_task = 2\nchecked = []\n'
    made = entered(tmp_path, held, text)
    assert {each.label for each in made.rows} == {"ada", "bo", "i1", "i2"}
    assert [(each.role, each.models) for each in made.references] == [("base", ("b1", "b2"))]
    score = row(made, "ada").score
    assert score is not None
    assert score.value == pytest.approx((rate("ada-1", 0) + rate("ada-2", 0)) / 2)


def test_nobody_removes_others_by_naming_a_base_that_they_have_not(tmp_path: Path) -> None:
    held = [each for each in runs() if each.where.suite == "sums@1"]
    text = '[benchmark]\nname = "sums"\nversion = "1"\nruns_per_task = 2\nchecked = []\n'
    handed = tuple(handed_in(f"{who}-{n}", f"b{n}", entrant=who) for who in ("ada", "bo") for n in (1, 2))
    odd = (handed_in("cy-1", "b1", entrant="cy"), handed_in("cy-2", "another", entrant="cy"))
    made = entered(tmp_path, held, text, submissions=handed + odd)
    assert {each.label: each.status for each in made.rows if each.entrant} == {
        "ada": "clean", "bo": "clean", "cy": "removed"
    }  # fmt: skip
    assert any("made from b1, b2, as most are; others are named by cy" in note for note in made.notes)
    assert made.references[0].score is not None
