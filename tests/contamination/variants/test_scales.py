"""Scales do not collapse: where items say little of what clean rows come to, unrelated rows are not near them."""

from __future__ import annotations

import random

import pytest

from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants import default_threshold, prepare

SENTENCES = (
    "The cat sat on the mat for 12 minutes and left.",
    "Write a poem about 3 rivers in 4 lines",
    "Total 15 and 27",
    "Paris is the capital of France",
    "def f(x): return x + 1",
    "Hello, how can I help you today?",
    "It costs 30 dollars to buy 5 apples",
    "Summarise the text below in 2 sentences",
)
SUBJECTS = ("a circle", "Rome", "gold", "bread", "a violin")


def row(name: str, text: str) -> Row:
    return Row(name, (("text", text),), "here", 1)


def instructions() -> list[Row]:
    """Short items that are all alike: among themselves they come to nearly the same."""
    acts, ends = ("Explain", "Compute", "Draw", "List"), ("in short", "in full")
    texts = [
        f"{act} the {what} of {subject} {end}"
        for act in acts for what in ("area", "history", "price") for subject in SUBJECTS for end in ends
    ]  # fmt: skip
    return [row(str(number), text) for number, text in enumerate(texts[:60])]


def strangers() -> list[Row]:
    """Items that share no word."""
    source = random.Random(1)
    words = ["".join(source.choices("aeioubdgklmnprstvz", k=7)) for _ in range(60 * 25)]
    return [row(str(number), " ".join(words[number * 25 : number * 25 + 25])) for number in range(60)]


@pytest.mark.extra
@pytest.mark.parametrize("items", [instructions(), strangers()], ids=["alike", "unlike"])
@pytest.mark.parametrize("often", [1, 8], ids=["eight rows", "a background of sixty-four"])
def test_eight_unrelated_rows_are_far_from_the_default_threshold(items: list[Row], often: int) -> None:
    """Eight rows against sixty short items, no control: all eight were once above it, at 0.8 to 0.97."""
    rows = [row(f"t{number}", text) for number, text in enumerate(SENTENCES * often)]
    for vectors in (False, None):
        scores = prepare(items, rows, vectors=vectors).nearest(rows).score
        assert scores.max() < default_threshold(0.01).value - 0.1


def test_a_shared_figure_is_no_rewording_under_a_small_background_of_another_kind() -> None:
    """Thirty rows on spoons, two items on trade: a row on a walk of 20 miles was once flagged for the item's 20."""
    items = [
        row("a", "Brook Mill bought flour for 480 on credit, paid back a third of it and returned a sack worth 20."),
        row("b", "Oak Dairy values its stock at 1240 on Monday and sells goods that cost 310. What is it worth?"),
    ]
    spoons = [row(f"c{number}", f"Ada counts {number} spoons in a drawer. How many are left?") for number in range(30)]
    walks = [row(f"t{number}", f"Row {number} tells of a walk of {number} miles by the sea.") for number in range(40)]
    for vectors in (False, None):
        assert prepare(items, spoons, vectors=vectors).nearest(walks).score.max() < 0.6
