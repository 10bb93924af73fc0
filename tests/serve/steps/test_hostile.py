"""Text of unknown origin: no tag of it survives, nothing of it is lost, what is hidden is named."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.serve.steps.hostile import Span, shown

ALPHABET = st.sampled_from("ab <>&\"'\n\r\t\x00\x1b[31m]8;\x07\x9b\u202e\u2066\u200b\ufeff\U000e0041\ud800é漢")
TEXTS = st.text(ALPHABET | st.characters(), max_size=60)


class Reading(HTMLParser):
    """Reads a page back as a script does: text, and the characters that empty elements stand for."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", []
        self.feed(html.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.tags.append((tag, set(said)))
        codes = "".join(chr(int(code, 16)) for code in (said.get("data-codes") or "").split())
        self.text += codes * int(said.get("data-times") or 1)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXTS)
def test_nothing_is_lost_and_no_tag_survives(text: str) -> None:
    read = Reading(str(shown(text)))
    assert read.text == text.replace("\r\n", "\n")
    assert {tag for tag, _ in read.tags} <= {"i"}
    assert all(names <= {"class", "data-codes", "data-times", "data-shown", "title"} for _, names in read.tags)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=5))
def test_marks_that_overlap_change_no_text(text: str, places: list[tuple[int, int]]) -> None:
    marks = [Span(start, min(start + size, len(text)), "hit") for start, size in places if start < len(text)]
    code = (Span(0, len(text) // 2, "k-word"),) if text else ()
    read = Reading(str(shown(text, code, marks)))
    bare = read.text.replace("\r\n", "\n")
    assert bare == text.replace("\r\n", "\n") or "\r\n" in text  # a mark between the two keeps both
    assert {tag for tag, _ in read.tags} <= {"i", "mark", "span"}


def test_a_reversed_name_is_marked_and_turned_no_more() -> None:
    html = str(shown("\u202egnp.exe"))
    assert "\u202e" not in html
    assert 'data-shown="RLO"' in html


def test_a_million_of_one_character_is_one_mark() -> None:
    assert len(str(shown("\x00" * 1_000_000))) < 200


def test_colours_are_one_quiet_mark_and_a_link_shows_where_it_leads() -> None:
    assert str(shown("\x1b[1m\x1b[31mred")).count("<i ") == 1
    assert "http://evil.example" in str(shown("\x1b]8;;http://evil.example\x07x"))


def test_a_citation_is_numbered_where_it_ends() -> None:
    html = str(shown("abc", marks=(Span(0, 3, "cite", "1"), Span(1, 2, "hit"))))
    assert html.count("<sup>1</sup>") == 1
    assert html.endswith('<mark class="cite">c<sup>1</sup></mark>')
