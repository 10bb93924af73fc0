"""Words come apart the same in every script and way of writing, and stand where they are said to stand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.variants.words import TOKEN, Words, spans_of, tokens_of


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_spans_hold_their_tokens(text: str) -> None:
    assert [text[start:end] for start, end in spans_of(text)] == tokens_of(text)
    Words().of(tokens_of(text))


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=80))
def test_the_quick_way_for_ascii_finds_the_same(text: str) -> None:
    assert tokens_of(text) == TOKEN.findall(text)


def stems(text: str) -> list[int]:
    return [stem for word in Words().of(tokens_of(text)) for stem in word.stems]


def test_writing_does_not_matter() -> None:
    assert stems("readFileLines") == stems("read_file_lines") == stems("read file lines")
    assert stems("Janet’s DUCKS") == stems("janet's ducks") == stems("Janet duck")
    assert stems("printing") == stems("prints")


def test_figures_are_one_however_they_are_written() -> None:
    figures = {word.figure for word in Words().of(["1,200", "1200", "1200.00", "１２００"])}
    assert len(figures) == 1
    assert Words().of(["three"])[0].figure == Words().of(["3"])[0].figure != 0


def test_marks_belong_to_their_word_and_unspaced_scripts_come_apart() -> None:
    assert tokens_of("हिन्दी में लिखा") == ["हिन्दी", "में", "लिखा"]
    assert tokens_of("数学abc") == ["数", "学", "abc"]
    assert tokens_of("cafe\u0301 naïve") == ["cafe\u0301", "naïve"]
