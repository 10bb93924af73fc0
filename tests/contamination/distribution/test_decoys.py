"""Decoys that are not of the items' kind are refused; near copies between the two are set aside, on both sides."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fairtrial.contamination.distribution import compare_decoys
from fairtrial.contamination.distribution.decoys import _above
from fairtrial.contamination.rows import Row

WORDS = [f"{first}{last}" for first in "bdfgklmnprst" for last in ("ana", "elo", "iru", "ost", "undi", "ami", "eska")]


def rows(number: int, seed: int, words: list[str] = WORDS, length: int = 30) -> list[Row]:
    source = random.Random(seed)
    texts = [" ".join(source.choices(words, k=source.randint(length - 10, length + 10))) for _ in range(number)]
    return [Row(f"{seed}-{at}", (("text", text),), "here", at + 1) for at, text in enumerate(texts)]


def test_draws_of_one_source_are_exchangeable() -> None:
    refused = [compare_decoys(rows(60, seed), rows(60, seed + 100)).unlike for seed in range(15)]
    assert refused == [()] * 15


def test_longer_decoys_are_refused() -> None:
    found = compare_decoys(rows(60, 1), rows(60, 2, length=45))
    assert len(found.unlike) == 1
    assert "shorter than a random decoy" in found.unlike[0]
    assert found.length < 0.2


def test_decoys_on_another_subject_are_refused() -> None:
    found = compare_decoys(rows(60, 1), rows(60, 2, words=WORDS[::2]))
    assert any("words alone" in why for why in found.unlike)
    assert found.vocabulary > 0.9


def test_near_copies_are_set_aside_on_both_sides() -> None:
    items, decoys = rows(40, 1), rows(40, 2)
    words = items[4].text.split()
    decoys[11] = Row("copy", (("text", " ".join([*words[:-3], "other", "words", "here"])),), "here", 12)
    found = compare_decoys(items, decoys)
    assert [(twin.item, twin.decoy) for twin in found.twins] == [(4, 11)]
    assert "1-4 and copy" in found.said
    assert found.unlike == ()


@pytest.mark.parametrize(("items", "decoys"), [([], rows(3, 1)), (rows(3, 1), []), ([], [])])
def test_nothing_to_compare_says_nothing(items: list[Row], decoys: list[Row]) -> None:
    found = compare_decoys(items, decoys)
    assert (found.twins, found.said, found.unlike) == ((), "", ())


def test_the_chance_of_telling_apart_is_that_of_all_pairs() -> None:
    source = np.random.default_rng(3)
    ours, theirs = source.integers(0, 6, 30).astype(float), source.integers(1, 7, 20).astype(float)
    pairs = [(a > b) + 0.5 * (a == b) for a in ours for b in theirs]
    assert _above(ours, theirs)[0] == pytest.approx(np.mean(pairs))


def test_texts_without_words_are_no_error() -> None:
    empty = [Row(str(at), (("text", "?!"),), "here", at) for at in range(25)]
    assert compare_decoys(empty, empty).length == 0.5


def copies(source: list[Row], times: int) -> list[Row]:
    """Each row and others that differ from it by one word."""
    made = []
    for row in source:
        words = row.text.split()
        texts = [" ".join([*words[:at], "another", *words[at + 1 :]]) for at in range(times - 1)]
        made += [row, *(Row(f"{row.id}-{at}", (("text", text),), "here", 1) for at, text in enumerate(texts))]
    return made


def test_near_copies_on_one_side_are_one_family_and_no_reason_to_refuse() -> None:
    """Families wholly on one side: a reader tells their words apart, which says nothing against the decoys."""
    found = compare_decoys(copies(rows(30, 1), 4), copies(rows(30, 2), 4))
    assert found.twins == ()
    assert found.kin == tuple(tuple(range(first, first + 4)) for first in range(0, 240, 4))
    assert found.unlike == ()
    assert found.vocabulary == compare_decoys(rows(30, 1), rows(30, 2)).vocabulary


def test_families_on_one_side_alone_are_refused() -> None:
    found = compare_decoys(copies(rows(30, 1), 4), rows(120, 2))
    assert len(found.unlike) == 1
    assert "among the items come in larger families" in found.unlike[0]
