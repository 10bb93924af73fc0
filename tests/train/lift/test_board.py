"""One board: unequal terms are refused by name, training tasks are not held out, checkpoints are chosen beforehand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.train.lift.boards import BOARD, Book, of_passes

from fairtrial.records import Checkpoint, InputError
from fairtrial.train.lift import Options, lift

QUICK = Options(replicates=300)
LOW, HIGH = of_passes([1, 2, 1, 2, 1, 2, 3, 1]), of_passes([6, 7, 6, 7, 6, 7, 8, 6])


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """Return a ledger with a base."""
    book = Book(tmp_path / "ledger")
    book.model("base", LOW)
    return book


@pytest.mark.parametrize(
    "field",
    ["suite", *(pytest.param(field, marks=pytest.mark.extra) for field in ("settings", "environment", "agent"))],
)
def test_another_board_is_refused_by_what_differs(book: Book, field: str) -> None:
    book.model("new", HIGH, **{field: "another"})
    book.model("fine", HIGH)
    lifted = lift(book.written(), "base", ["new", "fine"], QUICK)
    assert [one.trained for one in lifted.comparisons] == ["fine"]
    assert lifted.refused == (("new", f"{field}: got another, the base has {BOARD[field]}"),)
    assert lifted.locked["suite"] == "digits@1"


@pytest.mark.extra
def test_two_boards_that_both_met_on_must_be_told_apart(book: Book) -> None:
    book.model("base", LOW, settings="cold")
    book.model("new", HIGH)
    book.model("new", LOW, settings="cold")
    ledger = book.written()
    with pytest.raises(InputError, match="met on 2 boards"):
        lift(ledger, "base", ["new"], QUICK)
    warm = lift(ledger, "base", ["new"], replace(QUICK, settings="warm"))
    assert warm.comparisons[0].reading == "gain"
    assert warm.comparisons[0].runs_per_task == (8, 8)
    cold = lift(ledger, "base", ["new"], replace(QUICK, settings="cold"))
    assert cold.comparisons[0].gain.value == 0.0
    assert sum("another board" in note for note in cold.notes) == 2


def test_a_model_that_lacks_a_task_is_refused_unless_shared_tasks_are_asked_for(book: Book) -> None:
    book.model("new", HIGH[:6])
    ledger = book.written()
    assert lift(ledger, "base", ["new"], QUICK).refused == (("new", "lacks 2 of 8 tasks: `t6`, `t7`"),)
    shared = lift(ledger, "base", ["new"], replace(QUICK, shared_tasks=True))
    assert shared.comparisons[0].held_out_tasks == 6
    assert shared.refused == ()


@pytest.mark.parametrize(("field", "word"), [("task_hash", "content"), ("grader", "grader")])
def test_other_content_or_another_grader_is_refused(tmp_path: Path, field: str, word: str) -> None:
    book = Book(tmp_path / "ledger")
    for model, value in (("base", "a"), ("new", "b")):
        if field == "task_hash":
            book.model(model, LOW, task_hash=value)
            continue
        book.model(model, LOW)
        book._verdicts = [replace(each, grader=value) if each.grader == "same" else each for each in book._verdicts]
    assert lift(book.written(), "base", ["new"], QUICK).refused[0][1].startswith(f"another {word} of 8 tasks: `t0`")


def test_tasks_that_were_trained_on_are_left_out_by_name_content_and_cluster(tmp_path: Path) -> None:
    book = Book(tmp_path / "ledger")
    for i, (low, high) in enumerate(zip(LOW, HIGH, strict=True)):
        cluster = "twins" if i in (3, 4) else ""
        for model, marks in (("base", low), ("new", high)):
            book.add(model, f"t{i}", marks, task_hash=f"h{i}", cluster=cluster)
    book.add("new", "t0", "p", split="train", step=3, group="g")
    book.add("new", "renamed", "p", split="train", task_hash="h1")
    book.add("new", "t3x", "p", split="train", cluster="twins")
    lifted = lift(book.written(), "base", ["new"], QUICK)
    assert lifted.comparisons[0].held_out_tasks == 4
    assert [note for note in lifted.notes if "not held out" in note] == [
        "left out, for they are not held out: `t0`, `t1`, `t3`, `t4` "
        "(2 as a near copy of it was trained on; 1 as it was trained on; 1 as its content was trained on)"
    ]


def test_tasks_of_a_training_ledger_are_not_held_out_and_all_of_them_is_an_error(book: Book, tmp_path: Path) -> None:
    book.model("new", HIGH)
    ledger = book.written()
    sampled = Book(tmp_path / "training")
    sampled.add("whatever", "t1", "p", split="train")
    sampled.written()
    known = replace(QUICK, training=(tmp_path / "training",))
    assert lift(ledger, "base", ["new"], known).comparisons[0].held_out_tasks == 7
    sampled.model("whatever", HIGH, split="train")
    sampled.written()
    with pytest.raises(InputError, match="no task is held out"):
        lift(ledger, "base", ["new"], known)


@pytest.mark.extra
def test_only_the_held_out_side_counts_and_without_sides_it_is_taken_on_trust(book: Book, tmp_path: Path) -> None:
    book.model("base", {"other0": "p" * 8}, split="validation")
    book.model("new", HIGH)
    sided = lift(book.written(), "base", ["new"], QUICK)
    assert sided.comparisons[0].held_out_tasks == 8
    assert "1 tasks of another side than `held_out` are left out" in sided.notes
    unsided = Book(tmp_path / "unsided")
    unsided.model("base", LOW, split="")
    unsided.model("new", HIGH, split="")
    assert any("taken on trust" in note for note in lift(unsided.written(), "base", ["new"], QUICK).notes)


def test_known_candidates_never_count(book: Book) -> None:
    book.model("new", HIGH)
    book.model("new", ["f" * 8] * 8, origin="known", answer="known")
    assert lift(book.written(), "base", ["new"], QUICK).comparisons[0].reading == "gain"


def test_names_that_are_not_there_are_bad_input(book: Book) -> None:
    ledger = book.written()
    with pytest.raises(InputError, match="no evaluation of a model `nobody`"):
        lift(ledger, "base", ["nobody"], QUICK)
    with pytest.raises(InputError, match="its own base"):
        lift(ledger, "base", ["base"], QUICK)
    with pytest.raises(InputError, match="names no trained"):
        lift(ledger, "base", [], QUICK)


@pytest.mark.extra
def test_efforts_of_one_model_are_told_apart(book: Book) -> None:
    book.model("new", HIGH, effort="high")
    book.model("new", LOW, effort="low")
    ledger = book.written()
    with pytest.raises(InputError, match="several efforts: new@high, new@low"):
        lift(ledger, "base", ["new"], QUICK)
    assert lift(ledger, "base", ["new@high"], QUICK).comparisons[0].reading == "gain"


def checkpoint(step: int, *, planned: bool, seed: int = 0, paused: str = "") -> Checkpoint:
    return Checkpoint(model="new", seed=seed, step=step, recipe="r", planned=planned, paused=paused,
                      outage_steps=(7, 8) if step == 20 else ())  # fmt: skip


def test_the_last_planned_checkpoint_counts_and_any_other_is_exploratory(book: Book) -> None:
    for step, marks in ((10, LOW), (20, HIGH), (30, LOW)):
        book.model("new", marks, seed=0, step=step)
    ledger = book.written()
    ledger.append("checkpoints", [checkpoint(20, planned=True), checkpoint(30, planned=False)])
    found = lift(ledger, "base", ["new"], QUICK).comparisons[0]
    assert (found.step, found.other_steps, found.exploratory, found.reading) == (20, (10, 30), False, "gain")
    assert "new, seed 0: steps marked as an outage are part of its training: 7, 8" in found.notes
    later = lift(ledger, "base", ["new"], replace(QUICK, step=30)).comparisons[0]
    assert (later.step, later.exploratory) == (30, True)
    with pytest.raises(InputError, match="no rollout of `new` is of step 99"):
        lift(ledger, "base", ["new"], replace(QUICK, step=99))


@pytest.mark.extra
def test_without_checkpoints_a_step_other_than_the_last_is_exploratory(book: Book) -> None:
    for step in (10, 20):
        book.model("new", HIGH, step=step)
    ledger = book.written()
    assert lift(ledger, "base", ["new"], QUICK).comparisons[0].step == 20
    assert not lift(ledger, "base", ["new"], QUICK).comparisons[0].exploratory
    assert lift(ledger, "base", ["new"], replace(QUICK, step=10)).comparisons[0].exploratory


@pytest.mark.extra
def test_a_seed_that_stopped_early_is_kept_and_said(book: Book) -> None:
    book.model("new", HIGH, seed=0, step=20)
    book.model("new", HIGH, seed=1, step=10)
    ledger = book.written()
    ledger.append("checkpoints", [checkpoint(20, planned=True), checkpoint(10, planned=True, seed=1, paused="hacks")])
    found = lift(ledger, "base", ["new"], QUICK).comparisons[0]
    assert (found.seeds, found.step) == (2, None)
    assert "new: seeds stand at several steps: seed 0 at 20, seed 1 at 10" in found.notes
    assert "new, seed 1: its training was paused: hacks" in found.notes
