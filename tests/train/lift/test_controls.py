"""Controls: an arm that was taught nothing must show no gain, and what that proves is bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.train.lift.boards import QUICK, Book, of_passes

from fairtrial.records import Checkpoint

LEVEL = [2, 4, 1, 5, 3, 2, 4, 3, 2, 1, 5, 4]


def passes(more: int) -> list[str]:
    return of_passes([each + more for each in LEVEL])


@pytest.fixture
def book() -> Book:
    """Return a ledger of a base, a trained model, and an arm that stayed where it was."""
    book = Book()
    book.model("base", passes(0))
    book.model("new", passes(3))
    book.model("idle", of_passes([2, 3, 1, 5, 4, 2, 4, 3, 3, 1, 5, 3]))
    return book


def test_a_named_control_without_a_gain_holds_and_says_what_it_rules_out(book: Book) -> None:
    lifted = book.lift("base", "new", options=replace(QUICK, controls=("idle",)))
    new, idle = lifted.comparisons
    assert lifted.controls_hold is True
    assert (new.control, idle.control, idle.reading) == (False, True, "within_noise")
    assert idle.control_bound is not None
    assert idle.control_bound.one_sided
    assert idle.control_bound.low is None
    assert idle.gain.high is not None
    assert idle.control_bound.high is not None
    assert idle.gain.value is not None
    assert idle.gain.value < idle.control_bound.high < idle.gain.high
    assert new.over_control is not None
    assert new.gain.value is not None
    assert new.over_control.value == pytest.approx(new.gain.value - idle.gain.value)


def test_a_control_that_gains_puts_the_board_in_doubt(book: Book) -> None:
    book.model("leaky", of_passes([each + 1 + task % 3 for task, each in enumerate(LEVEL)]))
    lifted = book.lift("base", "new", options=replace(QUICK, controls=("idle", "leaky")))
    assert lifted.controls_hold is False
    over = lifted.comparisons[0].over_control
    assert over is not None
    assert over.value == pytest.approx(1 / 8)


def test_a_degenerate_checkpoint_makes_a_control_by_itself(book: Book) -> None:
    book.model("random", passes(0), seed=0, step=5)
    book.checkpoints += [Checkpoint(model="random", seed=0, step=5, recipe="r", degenerate="random")]
    unnamed = book.lift("base", "new")
    assert unnamed.controls_hold is None
    assert "the ledger holds a control that was not named: random" in unnamed.notes
    assert any("no control arm" in what for what in unnamed.abstained)
    named = book.lift("base", "new", "random")
    assert named.controls_hold is True
    assert named.comparisons[1].degenerate == "random"


@pytest.mark.extra
def test_a_control_that_lost_still_shows_no_gain(book: Book) -> None:
    book.model("fallen", of_passes([0] * 12))
    lifted = book.lift("base", "new", options=replace(QUICK, controls=("fallen",)))
    assert lifted.controls_hold is True
    assert lifted.comparisons[1].reading == "loss"


@pytest.mark.extra
def test_a_control_is_compared_with_the_trained_model_seed_by_seed() -> None:
    book = Book()
    for seed, level in enumerate((0, 1, 2)):
        book.model("base", passes(0), seed=seed)
        book.model("new", passes(level + 1), seed=seed)
        book.model("idle", passes(level), seed=seed)
    lifted = book.lift("base", "new", options=replace(QUICK, controls=("idle",)))
    over = lifted.comparisons[0].over_control
    assert over is not None
    assert over.value == pytest.approx(1 / 8)
    assert over.low == pytest.approx(over.value, abs=0.31)
    assert "3 training seeds" in over.method
