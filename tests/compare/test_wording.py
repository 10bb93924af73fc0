"""Words are the same without what does not count, and never without what does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.compare.wording import same_words, unaccented, words_of


@given(st.text())
def test_words_are_found_in_any_text_and_stay_what_they_are(text: str) -> None:
    assert same_words(text, text)
    assert same_words(text, f"  {text}\n")
    assert same_words(words_of(text), words_of(text))


@given(st.text(), st.text())
def test_sameness_goes_both_ways(one: str, other: str) -> None:
    assert same_words(one, other) is same_words(other, one)


def test_accents_may_be_left_off_and_not_changed() -> None:
    assert same_words("Malmö", "malmo")
    assert not same_words("Malmö", "Malmó")
    assert not same_words("pâté", "pâte")
    assert unaccented("й") == "й"
