"""Words never say more than the number: fractions only where near, plurals right, nothing hidden in a name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.report import words

_VALUES = {
    "a tenth": 0.1,
    "a fifth": 0.2,
    "a quarter": 0.25,
    "a third": 1 / 3,
    "two fifths": 0.4,
    "half": 0.5,
    "three fifths": 0.6,
    "two thirds": 2 / 3,
    "three quarters": 0.75,
    "four fifths": 0.8,
    "nine tenths": 0.9,
}


@given(st.floats(min_value=0, max_value=1))
def test_a_fraction_in_words_is_right(share: float) -> None:
    said = words.fraction_words(share)
    if not said:
        return
    value = _VALUES[said.removeprefix("nearly ").removeprefix("just over ")]
    assert abs(value - share) <= 0.0250001
    if said.startswith("nearly"):
        assert share < value
    elif said.startswith("just over"):
        assert share > value
    else:
        assert abs(value - share) <= 0.0050001


@pytest.mark.parametrize("share", [0.0, 1.0, 0.02, 0.98, 0.45, 0.55])
def test_no_words_where_no_fraction_is_near(share: float) -> None:
    assert words.fraction_words(share) == ""


@given(st.text())
def test_a_name_made_visible_hides_nothing(text: str) -> None:
    shown = words.visible(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co")]


@given(st.lists(st.text(alphabet="abc", min_size=1), max_size=6), st.integers(min_value=1, max_value=6))
def test_a_list_counts_what_it_leaves_out(items: list[str], most: int) -> None:
    text = words.listed(items, most=most)
    if len(items) > most:
        assert text.endswith(f"{len(items) - most} more")
    assert (text == "") == (not items)


def test_one_takes_the_singular() -> None:
    assert [words.plural(n, "task") for n in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]
