"""What is read of a ledger: names, efforts, known candidates, and what was trained on, by the models or before them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.train.lift.boards import QUICK, Book, of_passes

from fairtrial.records import Checkpoint, InputError
from fairtrial.train.lift import lift
from fairtrial.train.lift.reading import read_models

LOW, HIGH = of_passes([1, 2, 1, 2, 1, 2, 3, 1]), of_passes([6, 7, 6, 7, 6, 7, 8, 6])


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """Return a ledger with a base."""
    book = Book(tmp_path / "ledger")
    book.model("base", LOW)
    return book


def test_tasks_of_a_training_ledger_are_not_held_out(book: Book, tmp_path: Path) -> None:
    book.model("new", HIGH)
    sampled = Book(tmp_path / "training")
    sampled.add("whatever", "t1", "p", split="train")
    sampled.written()
    known = replace(QUICK, training=(tmp_path / "training",))
    assert lift(book.written(), "base", ["new"], known).comparisons[0].held_out_tasks == 7


def test_where_every_task_was_trained_on_there_is_no_gain_to_tell(book: Book) -> None:
    book.model("new", HIGH)
    book.model("new", HIGH, split="train")
    with pytest.raises(InputError, match="no task is held out"):
        book.lift("base", "new")


@pytest.mark.extra
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


def test_a_ledger_holds_what_the_tests_of_boards_take_it_to_hold(book: Book) -> None:
    book.model("new", ["pful", "pp", "", "uu"], seed=3, step=20, task_hash="h", cluster="c", family="f")
    book.add("new", "t1", "p", seed=4, step=20, output_tokens=None)
    book.add("new", "t1", "p", origin="known", answer="known")
    book.add("new", "t9", "p", split="train", task_hash="h9", cluster="c9")
    book.checkpoints += [Checkpoint(model="new", seed=3, step=20, recipe="r")]
    expected = book.held("base", "new")
    read = read_models(book.written(), ["base", "new"])
    assert {name: sorted(lines, key=repr) for name, lines in read.lines.items()} == {
        name: sorted(lines, key=repr) for name, lines in expected.lines.items()
    }
    assert (read.trained_on, read.checkpoints) == (expected.trained_on, expected.checkpoints)


def test_what_an_ancestor_was_trained_on_is_not_held_out_for_its_child(book: Book) -> None:
    book.model("child", HIGH, effort="high")
    book.add("child", "t0", "p", split="train")  # sampled in training, where no effort is set
    book.add("parent", "t1", "p", split="train")
    book.add("stranger", "t2", "p", split="train")
    book.checkpoints += [Checkpoint(model="child", seed=0, step=9, recipe="b", base="parent"),
                         Checkpoint(model="parent", seed=0, step=5, recipe="a", base="base")]  # fmt: skip
    lifted = lift(book.written(), "base", ["child@high"], QUICK)
    assert lifted.comparisons[0].held_out_tasks == 6
    assert [note for note in lifted.notes if "not held out" in note] == [
        "left out, for they are not held out: `t0`, `t1` (2 as it was trained on)"
    ]


@pytest.mark.extra
def test_one_model_by_two_names_and_one_that_was_only_trained_are_bad_input(book: Book) -> None:
    book.model("new", HIGH, effort="high")
    book.model("drilled", HIGH, group="g")
    ledger = book.written()
    with pytest.raises(InputError, match="`new` and `new@high` are one model"):
        lift(ledger, "base", ["new", "new@high"], QUICK)
    with pytest.raises(InputError, match="no evaluation") as told:
        lift(ledger, "base", ["drilled"], QUICK)
    assert "sampled in training" in str(told.value.hint)
