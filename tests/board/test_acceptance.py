"""Attacks: a run that differs in anything is refused by name; nothing is chosen after the fact; reruns replace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.board.worlds import QUICK, SMALL, attempt, board, ledger, row, rules, run

from fairtrial.board.make import make_board
from fairtrial.board.runs import Run, Who, read_records
from fairtrial.records import Rollout, Verdict, Withdrawal

TASKS = {"a": "pp", "b": "pf"}
OTHERS = [run("m", TASKS), run("n", TASKS)]


@pytest.mark.parametrize(
    ("field", "got", "wants"),
    [("suite", "books@2", "books@1"), ("settings", "t", "s"), ("environment", "f", "e"), ("settings", "", "s")],
)
def test_other_suite_settings_or_environment_is_refused_by_name(
    tmp_path: Path, field: str, got: str, wants: str
) -> None:
    made = board(tmp_path, [*OTHERS, run("odd", TASKS, **{field: got})])
    (refused,) = made.refused
    (problem,) = refused.problems
    assert (refused.run, problem.field, problem.got, problem.wants) == ("odd", field, got or "none recorded", wants)
    assert [each.label for each in made.rows] == ["m", "n"]


@pytest.mark.parametrize(
    ("outcomes", "field", "names"),
    [
        ({"a": "pp"}, "tasks", ("b",)),
        ({"a": "p", "b": "pf"}, "runs_per_task", ("a",)),
        ({"a": "ppp", "b": "pf"}, "runs_per_task", ("a",)),
        ({"a": "pppp", "b": "p"}, "runs_per_task", ("a", "b")),
    ],
)
def test_fewer_or_more_runs_are_refused_and_tasks_named(
    tmp_path: Path, outcomes: dict[str, str], field: str, names: tuple[str, ...]
) -> None:
    made = board(tmp_path, [*OTHERS, run("odd", outcomes)])
    (problem,) = made.refused[0].problems
    assert (problem.field, problem.names) == (field, names)
    assert all(f"`{name}`" in problem.got for name in names)
    assert [each.label for each in made.rows] == ["m", "n"]


def test_all_problems_of_a_run_are_told_at_once(tmp_path: Path) -> None:
    made = board(tmp_path, [*OTHERS, run("odd", TASKS, settings="t", environment="f")])
    assert [problem.field for problem in made.refused[0].problems] == ["settings", "environment"]


def test_another_content_of_a_task_under_the_same_name_is_refused(tmp_path: Path) -> None:
    runs = [run("m", TASKS, task_hash="h"), run("n", TASKS, task_hash="h"), run("odd", TASKS, task_hash="x")]
    (refused,) = board(tmp_path, runs).refused
    assert (refused.run, refused.problems[0].field, refused.problems[0].names) == ("odd", "task_hash", ("a", "b"))


def test_a_task_that_one_run_alone_has_is_said_to_be_lonely(tmp_path: Path) -> None:
    made = board(tmp_path, [*OTHERS, run("more", TASKS | {"c": "pp"})])
    assert [refused.run for refused in made.refused] == ["m", "n"]
    assert all("`c` was attempted by 1 of 3 runs" in refused.why for refused in made.refused)


def test_a_run_of_one_model_in_two_environments_is_accepted_once(tmp_path: Path) -> None:
    made = board(tmp_path, [*OTHERS, run("m", {"a": "pp", "b": "pp"}, environment="f")])
    assert [refused.run for refused in made.refused] == ["m"]
    score = row(made, "m").score
    assert score is not None
    assert score.value == 0.75


def withdrawal(held: Run, *places: int, **more: Any) -> Withdrawal:
    ids = tuple(held.attempts[place].id for place in places)
    stated: dict[str, Any] = {"model": held.who.model, "rollouts": ids, "reason": "the box died", "author": "ada",
                              "recorded_at": "2026-01-02"}  # fmt: skip
    return Withdrawal(**stated | more)


def test_withdrawn_without_rerun_removes_the_row_and_names_the_task(tmp_path: Path) -> None:
    made = board(tmp_path, OTHERS, withdrawals=(withdrawal(OTHERS[0], 0),))
    gone = row(made, "m")
    assert (gone.status, gone.score, gone.rank) == ("removed", None, None)
    assert gone.why == "1 withdrawn run of `a` not run again"
    assert [each.reason for each in gone.withdrawals] == ["the box died"]
    assert not made.refused


def test_a_rerun_takes_the_place_of_what_was_withdrawn(tmp_path: Path) -> None:
    held = OTHERS[0]
    again = attempt("again", "a", 7, "f")
    runs = [Run(held.who, held.where, (*held.attempts, again)), OTHERS[1]]
    made = board(tmp_path, runs, withdrawals=(withdrawal(held, 0),))
    score = row(made, "m").score
    assert score is not None
    assert score.value == 0.5
    assert not made.refused


def test_a_task_that_lacks_runs_nobody_withdrew_is_refused_although_another_waits(tmp_path: Path) -> None:
    short = run("m", {"a": "p", "b": "pf"})
    made = board(tmp_path, [short, OTHERS[1]], withdrawals=(withdrawal(short, 2),))
    (refused,) = made.refused
    assert refused.problems[0].names == ("a",)


def test_extra_runs_cannot_be_chosen_away_by_withdrawing_the_worst(tmp_path: Path) -> None:
    three = run("m", {"a": "ppf", "b": "pf"}, recorded_at="2026-01-01")
    made = board(tmp_path, [three, OTHERS[1]], withdrawals=(withdrawal(three, 2),))
    (refused,) = made.refused
    assert (refused.run, refused.problems[0].field, refused.problems[0].names) == ("m", "withdrawal", ("a",))


def test_a_second_withdrawal_of_a_rerun_is_no_choice(tmp_path: Path) -> None:
    held = run("m", TASKS, recorded_at="2026-01-01")
    again = attempt("again", "a", 7, "f", recorded_at="2026-01-03")
    last = attempt("last", "a", 8, "p", recorded_at="2026-01-05")
    whole = Run(held.who, held.where, (*held.attempts, again, last))
    second = Withdrawal(model="m", rollouts=("again",), reason="box", author="ada", recorded_at="2026-01-04")
    made = board(tmp_path, [whole, OTHERS[1]], withdrawals=(withdrawal(held, 0), second))
    assert not made.refused
    assert row(made, "m").score is not None


def test_a_task_withdrawn_everywhere_is_still_one_and_every_row_waits(tmp_path: Path) -> None:
    every = tuple(withdrawal(each, 2, 3) for each in OTHERS)
    made = board(tmp_path, OTHERS, withdrawals=every)
    assert made.locks[0].tasks == ("a", "b")
    assert {each.status for each in made.rows} == {"removed"}
    assert not made.refused


def test_a_lonely_task_goes_when_its_runs_are_withdrawn_and_is_told(tmp_path: Path) -> None:
    more = run("more", TASKS | {"c": "pp"})
    made = board(tmp_path, [*OTHERS, more], withdrawals=(withdrawal(more, 4, 5),))
    assert made.locks[0].tasks == ("a", "b")
    assert any("`c`" in note for note in made.notes)
    assert [each.score is not None for each in made.rows] == [True] * 3


def test_a_run_that_is_withdrawn_whole_waits_and_is_not_refused(tmp_path: Path) -> None:
    made = board(tmp_path, OTHERS[:1], withdrawals=(withdrawal(OTHERS[0], 0, 1, 2, 3),))
    assert [each.status for each in made.rows] == ["removed"]
    assert made.rows[0].why == "4 withdrawn runs of `a`, `b` not run again"
    assert not made.refused


@pytest.mark.parametrize(
    ("track", "told"),
    [
        ('suite = "books@zz"', ["suite: got books@1, wants books@zz"]),
        ('suite = "books"\nsettings = "t"', ["settings: got s, wants t"]),
    ],
)
def test_where_no_run_fits_only_what_the_rules_state_is_wanted(tmp_path: Path, track: str, told: list[str]) -> None:
    text = f'{SMALL}[[track]]\nname = "x"\n{track}\n'
    (refused,) = board(tmp_path, OTHERS[:1], text).refused
    assert [str(problem) for problem in refused.problems] == told


def test_two_runs_of_one_number_are_told(tmp_path: Path) -> None:
    twice = Run(Who("odd", "", ""), OTHERS[0].where,
                tuple(attempt(f"{task}{place}", task, 0, "p") for task in TASKS for place in (0, 1)))  # fmt: skip
    made = board(tmp_path, [*OTHERS, twice])
    assert [note.split(";")[0] for note in made.notes] == ["odd: two runs of one number of `a`, `b`"]
    assert not board(tmp_path, OTHERS).notes


def test_a_run_that_says_no_time_was_there_when_it_was_graded(tmp_path: Path) -> None:
    """Import six runs without a time, withdraw the worst, keep five."""
    held = ledger(tmp_path / "ledger", "n", {"a": "pp", "b": "pp"})
    runs = [Rollout(suite="books@1", settings="s", environment="e", task=task, attempt=number, model="m")
            for task, count in (("a", 3), ("b", 2)) for number in range(count)]  # fmt: skip
    held.append("rollouts", runs)
    held.append("verdicts", [Verdict(rollout=one.id, outcome="failed" if one.attempt == 2 else "passed",
                                     recorded_at="2026-01-01") for one in runs])  # fmt: skip
    held.append("withdrawals", [Withdrawal(model="m", rollouts=(runs[2].id,), reason="box", author="ada",
                                           recorded_at="2026-01-02")])  # fmt: skip
    made = make_board(read_records([tmp_path / "ledger"]), rules(tmp_path), QUICK)
    (refused,) = made.refused
    assert (refused.run, refused.problems[0].field) == ("m", "withdrawal")


def test_runs_that_name_no_model_have_a_label_all_the_same(tmp_path: Path) -> None:
    labels = [each.label for each in board(tmp_path, [run("", TASKS), run("n", TASKS)]).rows]
    assert labels == ["n", "no model recorded"]
