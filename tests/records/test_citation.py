"""Attacks: names with brackets in a place, brackets in the words, places that hold anything but a line's end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Citation

PLACES = [
    "check test_sum[1-2]",
    "artifact /app/pages/[id].tsx line 3",
    "artifact /app/a].txt",
    "artifact /app/[[...all]].ts",
    "artifact /app/a[0",
    "check x[y[z[w]]]",
    "step 7 output 1",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("quote", ["2 failed", "] x [y] z", "", "a\nb"])
def test_a_citation_is_read_back_as_it_was_written(place: str, quote: str) -> None:
    assert Citation.read(Citation(place, quote).text) == Citation(place, quote)


@given(
    st.text(alphabet="ab[]\\ /.", min_size=1).filter(lambda place: not place.endswith("\\")),
    st.text(alphabet="ab[] \n"),
)
def test_any_brackets_in_a_place_are_read_back(place: str, quote: str) -> None:
    found = Citation.read(Citation(place, quote).text)
    assert found.place == place
    assert found.quote.lstrip(" ") == quote.lstrip(" ")


def test_what_was_written_before_brackets_nested_is_read_as_it_was() -> None:
    assert Citation.read("[step 7] [x] y") == Citation("step 7", "[x] y")
    assert Citation.read("[a[b] quote") == Citation("a[b", "quote")
    assert Citation.read("no place") == Citation("", "no place")


def test_a_hostile_text_is_read_in_a_moment() -> None:
    began = time.process_time()
    for text in (
        "[" * 50_000,
        "[a" * 50_000,
        "[" + "[]" * 50_000,
        "[" + "\\[" * 50_000,
        "[[[" + "[]" * 30_000,
        "[" + "[\\[a\\]" * 20_000,
        "[" + "\\[a\\][" * 20_000,
    ):
        Citation.read(text)
    assert time.process_time() - began < 10
