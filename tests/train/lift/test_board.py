"""One board: unequal terms are refused by name, training tasks are not held out, checkpoints are chosen beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.train.lift.boards import BOARD, QUICK, Book, of_passes

from fairtrial.records import Checkpoint, InputError

LOW, HIGH = of_passes([1, 2, 1, 2, 1, 2, 3, 1]), of_passes([6, 7, 6, 7, 6, 7, 8, 6])


@pytest.fixture
def book() -> Book:
    """Return a ledger with a base."""
    book = Book()
    book.model("base", LOW)
    return book


@pytest.mark.parametrize(
    "field",
    ["suite", *(pytest.param(field, marks=pytest.mark.extra) for field in ("settings", "environment", "agent"))],
)
def test_another_board_is_refused_by_what_differs(book: Book, field: str) -> None:
    book.model("new", HIGH, **{field: "another"})
    book.model("fine", HIGH)
    lifted = book.lift("base", "new", "fine")
    assert [one.trained for one in lifted.comparisons] == ["fine"]
    assert lifted.refused == (("new", f"{field}: got another, the base has {BOARD[field]}"),)
    assert lifted.locked["suite"] == "digits@1"


@pytest.mark.extra
def test_two_boards_that_both_met_on_must_be_told_apart(book: Book) -> None:
    book.model("base", LOW, settings="cold")
    book.model("new", HIGH)
    book.model("new", LOW, settings="cold")
    with pytest.raises(InputError, match="met on 2 boards"):
        book.lift("base", "new")
    warm = book.lift("base", "new", options=replace(QUICK, settings="warm"))
    assert warm.comparisons[0].reading == "gain"
    assert warm.comparisons[0].runs_per_task == (8, 8)
    cold = book.lift("base", "new", options=replace(QUICK, settings="cold"))
    assert cold.comparisons[0].gain.value == 0.0
    assert sum("another board" in note for note in cold.notes) == 2


def test_a_model_that_lacks_a_task_is_refused_unless_shared_tasks_are_asked_for(book: Book) -> None:
    book.model("new", HIGH[:6])
    assert book.lift("base", "new").refused == (("new", "lacks 2 of 8 tasks: `t6`, `t7`"),)
    shared = book.lift("base", "new", options=replace(QUICK, shared_tasks=True))
    assert shared.comparisons[0].held_out_tasks == 6
    assert shared.refused == ()


@pytest.mark.parametrize(("field", "word"), [("task_hash", "content"), ("grader", "grader")])
def test_other_content_or_another_grader_is_refused(field: str, word: str) -> None:
    book = Book()
    for model, value in (("base", "a"), ("new", "b")):
        book.model(model, LOW, **{field: value})
    assert book.lift("base", "new").refused[0][1].startswith(f"another {word} of 8 tasks: `t0`")


def test_tasks_that_were_trained_on_are_left_out_by_name_content_and_cluster() -> None:
    book = Book()
    for i, (low, high) in enumerate(zip(LOW, HIGH, strict=True)):
        cluster = "twins" if i in (3, 4) else ""
        for model, marks in (("base", low), ("new", high)):
            book.add(model, f"t{i}", marks, task_hash=f"h{i}", cluster=cluster)
    book.add("new", "t0", "p", split="train", step=3, group="g")
    book.add("new", "renamed", "p", split="train", task_hash="h1")
    book.add("new", "t3x", "p", split="train", cluster="twins")
    lifted = book.lift("base", "new")
    assert lifted.comparisons[0].held_out_tasks == 4
    assert [note for note in lifted.notes if "not held out" in note] == [
        "left out, for they are not held out: `t0`, `t1`, `t3`, `t4` "
        "(2 as a near copy of it was trained on; 1 as it was trained on; 1 as its content was trained on)"
    ]


@pytest.mark.extra
def test_only_the_held_out_side_counts_and_without_sides_it_is_taken_on_trust(book: Book) -> None:
    book.model("base", {"other0": "p" * 8}, split="validation")
    book.model("new", HIGH)
    sided = book.lift("base", "new")
    assert sided.comparisons[0].held_out_tasks == 8
    assert "1 tasks of another side than `held_out` are left out" in sided.notes
    unsided = Book()
    unsided.model("base", LOW, split="")
    unsided.model("new", HIGH, split="")
    assert any("taken on trust" in note for note in unsided.lift("base", "new").notes)


def checkpoint(step: int, *, planned: bool, seed: int = 0, paused: str = "") -> Checkpoint:
    return Checkpoint(model="new", seed=seed, step=step, recipe="r", planned=planned, paused=paused,
                      outage_steps=(7, 8) if step == 20 else ())  # fmt: skip


def test_the_last_planned_checkpoint_counts_and_any_other_is_exploratory(book: Book) -> None:
    for step, marks in ((10, LOW), (20, HIGH), (30, LOW)):
        book.model("new", marks, seed=0, step=step)
    book.checkpoints += [checkpoint(20, planned=True), checkpoint(30, planned=False)]
    found = book.lift("base", "new").comparisons[0]
    assert (found.step, found.other_steps, found.exploratory, found.reading) == (20, (10, 30), False, "gain")
    assert "new, seed 0: steps marked as an outage are part of its training: 7, 8" in found.notes
    later = book.lift("base", "new", options=replace(QUICK, step=30)).comparisons[0]
    assert (later.step, later.exploratory) == (30, True)
    with pytest.raises(InputError, match="no rollout of `new` is of step 99"):
        book.lift("base", "new", options=replace(QUICK, step=99))


@pytest.mark.extra
def test_without_checkpoints_a_step_other_than_the_last_is_exploratory(book: Book) -> None:
    for step in (10, 20):
        book.model("new", HIGH, step=step)
    assert book.lift("base", "new").comparisons[0].step == 20
    assert not book.lift("base", "new").comparisons[0].exploratory
    assert book.lift("base", "new", options=replace(QUICK, step=10)).comparisons[0].exploratory


@pytest.mark.extra
def test_a_seed_that_stopped_early_is_kept_and_said(book: Book) -> None:
    book.model("new", HIGH, seed=0, step=20)
    book.model("new", HIGH, seed=1, step=10)
    book.checkpoints += [checkpoint(20, planned=True), checkpoint(10, planned=True, seed=1, paused="hacks")]
    found = book.lift("base", "new").comparisons[0]
    assert (found.seeds, found.step) == (2, None)
    assert "new: seeds stand at several steps: seed 0 at 20, seed 1 at 10" in found.notes
    assert "new, seed 1: its training was paused: hacks" in found.notes


def test_rollouts_that_name_no_step_are_left_out_beside_those_that_do_and_said(book: Book) -> None:
    book.model("new", LOW, step=10)
    book.model("new", HIGH)
    found = book.lift("base", "new").comparisons[0]
    assert (found.step, found.gain.value) == (10, 0.0)
    assert "new: 64 rollouts that name no step are left out" in found.notes


def test_two_trainings_of_one_name_seed_and_step_are_not_taken_for_one(book: Book) -> None:
    book.model("new", HIGH, seed=0, step=20)
    book.checkpoints += [replace(checkpoint(20, planned=True), weights_hash=each) for each in ("a", "b")]
    with pytest.raises(InputError, match="two trainings of `new` are recorded at seed 0, step 20"):
        book.lift("base", "new")


def test_a_degenerate_arm_need_not_hold_the_step_that_was_asked_for(book: Book) -> None:
    for step in (10, 20):
        book.model("new", HIGH, seed=0, step=step)
    book.model("random", LOW, seed=0, step=5)
    book.checkpoints += [Checkpoint(model="random", seed=0, step=5, recipe="r", degenerate="random")]
    lifted = book.lift("base", "new", "random", options=replace(QUICK, step=20))
    assert [one.step for one in lifted.comparisons] == [20, 5]
