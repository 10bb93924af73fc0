"""Groups of near copies: figures swapped, reworded, edited; not what shares a preamble alone; chains told or cut."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.near_copies import NearCopies, find_vectors, near_copies
from fairtrial.contamination.near_copies.joined import joined, members_of
from fairtrial.contamination.near_copies.likeness import likeness_of
from fairtrial.contamination.near_copies.wording import without_boilerplate, wording_of

DISTINCT = (
    "A robe takes 2 bolts of blue fiber and half that much white fiber. How many bolts in total does it take?",
    "Josh buys a house for 80000 dollars and puts in 50000 dollars of repairs. How much profit did he make?",
    "Write a function that returns the longest palindromic substring of a string in linear time.",
    "Which of these minerals scratches glass: gypsum, calcite, quartz or talc?",
    "Wendi feeds each of her chickens three cups of mixed feed a day. How many cups does the last meal need?",
    "Summarise the quarterly report for the board in five bullet points and name the two largest risks.",
    "Find the file that fills the disk, remove it and restart the queue without losing a message.",
    "Kylar wants to buy 16 glasses, and every second one costs 60% of the price. What does he pay?",
    "Translate the lease into plain English and list every deadline the tenant has to keep.",
    "A train leaves San Rafael at noon and travels west at 80 miles an hour for two days.",
)


def together(found: NearCopies, *numbers: int) -> bool:
    return any(set(numbers) <= set(group) for group in found.groups)


def test_distinct_texts_are_alone() -> None:
    assert near_copies(DISTINCT, None).groups == tuple((number,) for number in range(len(DISTINCT)))


@pytest.mark.parametrize(
    "copy",
    [
        "A robe takes 7 bolts of blue fiber and half that much white fiber. How many bolts in total does it take?",
        "a robe takes 2 bolts of blue fiber, and half that much white fiber -- how many bolts in total does it take",
        "A  robe takes 2 bolts\nof blue fiber and half\nthat much white fiber.\nHow many bolts in total does it take?",
        "A coat takes 3 bolts of blue fiber and half that much white fiber. How many bolts in total does it take?",
        "A robe takes 2 bolts of blue fiber and half that much white fiber. In total, how many bolts are needed?",
    ],
)
def test_small_changes_make_near_copies(copy: str) -> None:
    assert together(near_copies([*DISTINCT, copy], None), 0, len(DISTINCT))


def test_a_template_filled_in_is_one_group_even_where_it_is_most_of_the_rows() -> None:
    draw = random.Random(3)
    names, things = ("Ada", "Bo", "Cy", "Dee", "Eli"), ("apples", "kites", "stamps", "shells")
    rows = [
        f"{draw.choice(names)} has {draw.randint(2, 99)} {draw.choice(things)} and gives {draw.randint(1, 9)} of them "
        "away to a neighbour. How many are left in the basket by the door?"
        for _ in range(80)
    ]
    found = near_copies([*rows, *DISTINCT], None)
    assert together(found, *range(80))
    assert len(found.groups) == 1 + len(DISTINCT)
    assert not found.cut


def test_a_preamble_that_all_share_joins_nothing() -> None:
    preamble = "You are a careful engineer. Work in the folder /app. Do not touch the tests. Write what you find out. "
    texts = [preamble + text for text in DISTINCT]
    found = near_copies(texts, None)
    assert len(found.groups) == len(DISTINCT)
    assert found.boilerplate == 4


def test_reworded_texts_are_found_by_meaning() -> None:
    vectors = find_vectors()
    if vectors is None:
        pytest.skip("the extra `vectors` is not installed")
    reworded = (
        "To make a robe you need two bolts of blue fiber plus half as much white fiber. What is their total number?"
    )
    found = near_copies([*DISTINCT, reworded], vectors)
    assert together(found, 0, len(DISTINCT))
    assert len(found.groups) == len(DISTINCT)
    assert not found.not_measured


def test_without_vectors_that_is_said() -> None:
    assert any("vectors" in why for why in near_copies(DISTINCT, None).not_measured)


texts = st.lists(st.sampled_from([*DISTINCT, DISTINCT[0].replace("2", "9"), DISTINCT[2] + " Explain.", "", "12", "13"]),
                 min_size=1, max_size=14)  # fmt: skip


@settings(max_examples=25)
@given(texts, st.randoms(use_true_random=False))
def test_the_order_of_texts_changes_no_group_and_every_text_is_in_one(found: list[str], draw: random.Random) -> None:
    shuffled = list(range(len(found)))
    draw.shuffle(shuffled)
    here = near_copies(found, None).groups
    there = near_copies([found[number] for number in shuffled], None).groups
    assert sorted(number for group in here for number in group) == list(range(len(found)))
    assert {frozenset(group) for group in here} == {frozenset(shuffled[n] for n in group) for group in there}


@pytest.mark.parametrize("some", [(), ("",), ("", " ", "\n"), ("7", "8"), ("…", "…"), ("\ud800",)])
def test_texts_of_nothing_much_are_no_error(some: Sequence[str]) -> None:
    found = near_copies(some, None)
    assert sum(map(len, found.groups)) == len(some)


def test_figures_alone_are_near_only_where_they_are_equal() -> None:
    assert near_copies(["12 7 9", "13 8 1", "12 7  9"], None).groups == ((0, 2), (1,))


def chained(count: int) -> list[str]:
    """Return texts of which each shares most of its words with the next, and the ends none."""
    draw = random.Random(5)
    words = ["".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(20 + 4 * count)]
    return [" ".join(words[4 * number : 4 * number + 20]) for number in range(count)]


def test_a_small_chain_stays_whole_and_is_told() -> None:
    found = near_copies([*chained(8), *(" ".join(wording_of(text).words) for text in DISTINCT * 9)], None)
    assert together(found, *range(8))
    (chain,) = found.chains
    assert len(chain.members) == 8
    assert chain.distinct >= 1
    assert chain.weakest < found.threshold * 0.6


def test_a_chain_of_most_rows_is_cut_and_what_was_cut_is_told() -> None:
    found = near_copies([*chained(40), *DISTINCT], None)
    (cut,) = found.cut
    assert len(cut.members) == 40
    assert cut.parts > 1
    assert cut.links >= 1
    assert max(map(len, found.groups)) <= 5


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_joined_is_reachability(pairs: list[tuple[int, int]]) -> None:
    reach = [{number} for number in range(12)]
    for _ in range(12):
        for left, right in pairs:
            both = reach[left] | reach[right]
            for one in both:
                reach[one] = reach[one] | both
    group = joined(12, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    assert group.tolist() == [min(some) for some in reach]
    assert [part.tolist() for part in members_of(group)] == [sorted(s) for n, s in enumerate(reach) if min(s) == n]


def test_likeness_is_the_same_both_ways_and_1_with_itself() -> None:
    likeness = likeness_of(DISTINCT, [wording_of(text) for text in DISTINCT], None)
    left, right = np.triu_indices(len(DISTINCT))
    there, back = likeness.of(np.stack([left, right], 1)), likeness.of(np.stack([right, left], 1))
    assert np.allclose(there, back)
    assert np.allclose(there[left == right], 1, atol=1e-5)
    assert (there[left != right] < 0.3).all()


def test_what_few_rows_share_is_no_boilerplate() -> None:
    assert without_boilerplate([f"Same start. {number} end." for number in range(9)])[1] == 0
    assert without_boilerplate([f"Same start. {number} end." for number in range(10)]) == (
        [f"{number} end." for number in range(10)], 1,
    )  # fmt: skip
