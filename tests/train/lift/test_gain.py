"""The gain: against brute force, known figures, counts of ungraded, limits, fixes; what noise alone would show."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.train.lift.boards import Book, of_passes

from fairtrial.measure.comparison import share_of_failures_fixed
from fairtrial.records import Estimate
from fairtrial.train.lift.gains import dealt_gap


def test_the_gain_is_the_mean_over_tasks_of_paired_differences() -> None:
    book = Book()
    before, after = [0, 2, 5, 8, 3, 1, 4, 6], [4, 2, 8, 7, 6, 5, 4, 8]
    book.model("base", of_passes(before))
    book.model("new", [*of_passes(after[:4]), "p" * 3 + "f", "pffp" * 3, "pf", "p"])
    found = book.lift("base", "new").comparisons[0]
    rates = [Fraction(4, 8), Fraction(2, 8), Fraction(1), Fraction(7, 8), Fraction(3, 4), Fraction(1, 2),
             Fraction(1, 2), Fraction(1)]  # fmt: skip
    differences = [rate - Fraction(was, 8) for rate, was in zip(rates, before, strict=True)]
    gain = sum(differences) / 8
    assert found.gain.value == pytest.approx(float(gain))
    assert found.gross_fixes == pytest.approx(float(sum(d for d in differences if d > 0) / 8))
    assert found.regressions == pytest.approx(float(-sum(d for d in differences if d < 0) / 8))
    assert found.gain.value == pytest.approx(found.gross_fixes - found.regressions)
    assert found.failures_fixed == pytest.approx(float(gain / (1 - sum(Fraction(b, 8) for b in before) / 8)))
    assert found.runs_per_task == (1, 12)
    assert (found.held_out_tasks, found.seeds, found.ungraded) == (8, 1, (0, 0))


@pytest.mark.parametrize(("base", "trained", "fixed"), [(0.356, 0.478, 0.189), (0.643, 0.731, 0.246)])
def test_published_gains_fix_the_known_share_of_failures(base: float, trained: float, fixed: float) -> None:
    assert share_of_failures_fixed(base, trained) == pytest.approx(fixed, abs=5e-4)


def test_a_loss_is_reported_as_a_loss() -> None:
    book = Book()
    book.model("base", of_passes([7, 8, 6, 8, 7, 8, 7, 6]))
    book.model("collapsed", of_passes([0, 0, 1, 0, 0, 0, 0, 0]))
    found = book.lift("base", "collapsed").comparisons[0]
    assert (found.reading, found.beyond_noise) == ("loss", True)
    assert found.failures_fixed is not None
    assert found.failures_fixed < 0
    assert len(found.tasks_regressed) == 8
    assert found.tasks_fixed == ()


def test_ungraded_runs_are_counted_bounded_and_never_failures() -> None:
    book = Book()
    book.model("base", ["ppff", "ffff", "uuuu", "pfff"])
    book.model("new", ["pppu", "ppuu", "pppp", "uuuu"])
    found = book.lift("base", "new").comparisons[0]
    assert found.gain.value == pytest.approx((0.5 + 1.0) / 2)
    assert found.held_out_tasks == 2
    assert dict(found.left_out) == {"t2": "base has no graded attempt, ungraded ones alone",
                                    "t3": "new has no graded attempt, ungraded ones alone"}  # fmt: skip
    assert found.ungraded == (0, 3)
    low = ((0.75 - 0.5) + 0.5 + (1 - 1) + (0 - 0.25)) / 4
    high = ((1 - 0.5) + 1 + (1 - 0) + (1 - 0.25)) / 4
    assert found.ungraded_bounds == (pytest.approx(low), pytest.approx(high))


def test_a_gain_that_rests_on_passes_at_the_limit_vanishes_when_they_are_fails() -> None:
    book = Book()
    book.model("base", of_passes([2] * 10))
    book.model("new", ["ppllllff"] * 9 + ["ppllllpf"])
    found = book.lift("base", "new").comparisons[0]
    assert found.reading == "gain"
    assert found.strict is not None
    assert found.strict.value == pytest.approx(0.0125)
    assert any("reads otherwise: within noise" in note for note in found.notes)


@pytest.mark.extra
def test_without_stops_nothing_is_said_of_limits() -> None:
    book = Book()
    book.model("base", of_passes([2, 3]), stop="")
    book.model("new", of_passes([5, 6]))
    lifted = book.lift("base", "new")
    assert lifted.comparisons[0].strict is None
    assert any("no stop is recorded" in what for what in lifted.abstained)


def test_one_family_may_fall_while_the_other_rises() -> None:
    book = Book()
    sort = {f"sort{i}": each for i, each in enumerate(of_passes([7, 8, 7, 8, 7, 8]))}
    rev = {f"rev{i}": each for i, each in enumerate(of_passes([1, 2, 1, 2, 1, 2]))}
    book.model("base", sort | rev)
    fallen = dict(zip(sort, of_passes([5, 5, 5, 6, 4, 5]), strict=True))
    risen = dict(zip(rev, of_passes([7, 7, 7, 8, 7, 7]), strict=True))
    book.model("new", fallen | risen)
    found = book.lift("base", "new").comparisons[0]
    family = {each.family: each for each in found.by_family}
    assert family["sort"].gain.value == pytest.approx(-(2 + 3 + 2 + 2 + 3 + 3) / 48)
    assert family["rev"].gain.value == pytest.approx((6 + 5 + 6 + 6 + 6 + 5) / 48)
    assert (family["rev"].base, family["rev"].trained) == (pytest.approx(9 / 48), pytest.approx(43 / 48))
    assert found.reading == "within_noise"
    assert "families that lost beyond noise: sort" in found.notes


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 5), m=st.integers(1, 5), data=st.data())
def test_what_noise_shows_is_the_mean_over_all_ways_to_deal_the_passes(n: int, m: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, n + m))
    deals = list(itertools.combinations(range(n + m), passed))
    brute = sum(max(Fraction(0), Fraction(sum(i < n for i in hit), n) - Fraction(sum(i >= n for i in hit), m))
                for hit in deals) / len(deals)  # fmt: skip
    assert dealt_gap(n, m, passed) == pytest.approx(float(brute))


def test_equal_models_show_no_more_fixes_than_noise() -> None:
    book = Book()
    book.model("base", of_passes([4] * 6))
    book.model("same", of_passes([5, 3, 4, 5, 3, 4]))
    found = book.lift("base", "same").comparisons[0]
    assert found.noise_fixes is not None
    assert found.gross_fixes == pytest.approx(2 / 48)
    assert found.gross_fixes < found.noise_fixes
    assert found.reading == "within_noise"


def test_tokens_for_one_success_are_mean_tokens_over_the_pass_rate() -> None:
    book = Book()
    book.model("base", of_passes([2, 4, 2]), output_tokens=30)
    book.model("new", of_passes([4, 8, 4]), output_tokens=20)
    found = book.lift("base", "new").comparisons[0]
    assert isinstance(found.base_tokens, Estimate)
    assert isinstance(found.trained_tokens, Estimate)
    assert found.base_tokens.value == pytest.approx(30 / (8 / 24))
    assert found.trained_tokens.value == pytest.approx(20 / (16 / 24))


@pytest.mark.extra
def test_tokens_that_some_runs_do_not_record_are_not_guessed() -> None:
    book = Book()
    book.model("base", of_passes([2, 4]), output_tokens=None)
    book.model("new", of_passes([4, 8]))
    lifted = book.lift("base", "new")
    assert lifted.comparisons[0].base_tokens is None
    assert any("tokens for one success" in what for what in lifted.abstained)


@pytest.mark.extra
def test_real_submissions_gain_what_their_records_say() -> None:
    trials = Path(__file__).resolve().parents[4] / "shared" / "data" / "terminal_bench_core_0.1.1" / "trials.jsonl"
    if not trials.exists():
        pytest.skip("shared/data/terminal_bench_core_0.1.1 is not here")
    names = ("20250923_droid_claude-4-sonnet", "20250923_droid_claude-4-1-opus")
    book, outcomes = Book(), {name: dict[str, list[str]]() for name in names}
    for row in map(json.loads, trials.read_text().splitlines()):
        if row["submission"] in outcomes:
            limit = "timeout" in (row["failure_mode"] or "")
            outcomes[row["submission"]].setdefault(row["task_id"], []).append(
                ("l" if limit else "p") if row["resolved"] else "f"
            )
    for name, tasks in outcomes.items():
        book.model(name, {task: "".join(each) for task, each in tasks.items()})
    found = book.lift(*names).comparisons[0]
    before, after = ([sum(mark != "f" for mark in each) / len(each) for each in outcomes[name].values()]
                     for name in names)  # fmt: skip
    assert found.held_out_tasks == 80
    assert found.gain.value == pytest.approx(sum(after) / 80 - sum(before) / 80)
    assert (found.reading, found.strict and found.strict.low and found.strict.low < 0) == ("gain", True)


def test_tasks_that_all_move_alike_do_not_make_an_interval_of_no_width() -> None:
    tenths, copies = Book(), Book()
    for task, (before, after) in enumerate([(6, 7), (0, 1), (2, 3)]):  # 7/10 - 6/10 is not 1/10 in binary
        tenths.model("base", {f"t{task}": of_passes([before], 10)[0]})
        tenths.model("new", {f"t{task}": of_passes([after], 10)[0]})
    for task, (before, after) in enumerate([(2, 3), (2, 2)] * 2):  # two clusters, alike as wholes
        copies.model("base", {f"t{task}": of_passes([before])[0]}, cluster=f"c{task // 2}")
        copies.model("new", {f"t{task}": of_passes([after])[0]}, cluster=f"c{task // 2}")
    for book in (tenths, copies):
        found = book.lift("base", "new").comparisons[0]
        assert found.reading == "within_noise"
        assert found.gain.low is not None
        assert found.gain.low < -0.5


@pytest.mark.parametrize(("tasks", "reading"), [(1, "within_noise"), (5, "within_noise"), (6, "gain")])
def test_tasks_that_all_turned_are_a_gain_where_a_sign_test_says_so(tasks: int, reading: str) -> None:
    book = Book()
    book.model("base", of_passes([0] * tasks))
    book.model("new", of_passes([8] * tasks))
    assert book.lift("base", "new").comparisons[0].reading == reading


def test_stops_that_some_passes_lack_say_nothing_of_limits() -> None:
    book = Book()
    book.model("base", of_passes([2] * 6))
    book.model("new", ["lllllfff"] * 3)
    book.model("new", {f"t{task}": "pppppfff" for task in (3, 4, 5)}, stop="")
    lifted = book.lift("base", "new")
    assert lifted.comparisons[0].strict is None
    assert any("no stop is recorded" in what for what in lifted.abstained)


def test_runs_that_were_cut_off_are_said() -> None:
    book = Book()
    book.model("base", of_passes([2] * 6), stop="turn_limit")
    book.model("new", of_passes([5] * 6))
    assert ("stopped at a limit: 100% of the base's runs, 0% of the trained model's; under a higher limit some that "
            "failed might have passed") in book.lift("base", "new").comparisons[0].notes  # fmt: skip
