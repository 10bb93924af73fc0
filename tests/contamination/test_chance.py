"""Attacks what is called a finding: chance flags some clean rows, and that alone is none; a leak among them is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fairtrial.contamination.chance import alone_of, is_more
from fairtrial.contamination.document import Scan, SetThreshold
from fairtrial.contamination.keeping import holds_of, summary_of
from report.contamination.scans import full, pair

BY = SetThreshold(detector="reworded", value=0.6, how="said", n_control=3_000, alone=0.95)


def scan(flagged: int, rows: int = 1_000, threshold: SetThreshold = BY, **more: Any) -> Scan:
    """A scan with so many rows flagged as reworded, none of them nearer than .9."""
    pairs = [pair(number, "item-1") for number in range(flagged)]
    pairs = [replace(one, flag=replace(one.flag, score=0.9 - one.flag.train_row / 1_000)) for one in pairs]
    fields: dict[str, Any] = {"distribution": None, "items": (), "flagged": tuple(pairs), "train_rows": rows}
    return replace(full(), thresholds=(threshold,), **(fields | more))


def test_what_chance_flags_is_no_finding_and_is_told() -> None:
    told = scan(11)
    assert told.found is False
    assert holds_of(told) is True
    assert "11 of 1,000 training rows flagged" in summary_of(told)
    assert "no more than chance flags of clean rows at this rate, about 10" in summary_of(told)


def test_more_than_chance_flags_is_a_finding() -> None:
    assert scan(25).found is True


@pytest.mark.parametrize("threshold", [replace(BY, holds=False), replace(BY, n_control=0, alone=None)])
def test_where_no_rate_is_known_every_flag_counts(threshold: SetThreshold) -> None:
    assert scan(1, threshold=threshold).found is True
    assert scan(0, threshold=threshold).found is False


def test_one_row_word_for_word_or_nearer_than_chance_is_a_finding() -> None:
    flags = scan(3).flagged
    word_for_word = (*flags[1:], replace(flags[0], flag=replace(flags[0].flag, detector="verbatim")))
    assert replace(scan(3), flagged=word_for_word).found is True
    near = (*flags[1:], replace(flags[0], flag=replace(flags[0].flag, score=0.96)))
    assert replace(scan(3), flagged=near).found is True
    again = (*flags[1:], replace(flags[0], flag=replace(flags[0].flag, score=0.96, detector="reranked")))
    assert replace(scan(3), flagged=again).found is False


def test_a_set_built_around_items_is_a_finding_without_a_flag() -> None:
    told = full()
    assert told.distribution is not None
    around = replace(told.distribution, built_around=True, effects={})
    assert scan(0, distribution=around).found is True
    assert scan(0, distribution=replace(around, built_around=False)).found is False


def test_a_clean_set_is_called_a_finding_by_its_nearest_row_at_most_once_in_twenty() -> None:
    draw = np.random.default_rng(2)
    called = 0
    for _ in range(400):
        control, rows = (draw.beta(2, 8, size).astype(np.float32) for size in (1_500, 1_000))
        alone = alone_of(control, 1_000)
        assert alone is not None
        called += bool(rows.max() > alone)
    assert called <= 400 * 0.05 + 3 * (400 * 0.05 * 0.95) ** 0.5


def test_a_clean_set_is_called_a_finding_by_its_count_at_most_once_in_twenty() -> None:
    counts = np.random.default_rng(3).binomial(2_000, 0.01, 4_000)
    assert np.mean([is_more(int(count), 2_000, 0.01) for count in counts]) <= 0.05 + 3 * (0.05 * 0.95 / 4_000) ** 0.5


def test_without_a_control_no_score_is_beyond_chance() -> None:
    assert alone_of(np.zeros(0, np.float32), 100) is None


def test_a_smaller_level_asks_for_more_of_each_question() -> None:
    assert is_more(17, 1_000, 0.01)
    assert not is_more(17, 1_000, 0.01, 0.01)
    clean = np.linspace(0, 0.5, 3_000, dtype=np.float32)
    lenient, strict = alone_of(clean, 300), alone_of(clean, 300, 0.01)
    assert lenient is not None
    assert strict is not None
    assert lenient < strict
    for level in (0.05, 0.01):
        assert scan(17, level=level).found is (level == 0.05)
