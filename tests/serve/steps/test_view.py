"""Steps as pages show them: windows that meet, hits that are all found, long parts told and not cut."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.serve.holding import call, plain_steps

from fairtrial.formats.atif import AtifStep, Metrics, Observation, Trajectory, document
from fairtrial.formats.atif_parts import all_parts
from fairtrial.ledger import Ledger
from fairtrial.records import Citation, LedgerError
from fairtrial.serve.steps import Shelf, cited, searched, view_of, window
from fairtrial.serve.steps.code import MOST_CHARACTERS, token_spans
from fairtrial.serve.steps.rail import MOST_ENTRIES, rail, signs_of
from fairtrial.serve.steps.search import search
from fairtrial.serve.steps.shelf import MOST
from fairtrial.serve.steps.view import INLINE, MOST_STEPS, window_before

SIZES = st.lists(st.integers(0, 90_000), min_size=1, max_size=120)


def sized(sizes: list[int]) -> Trajectory:
    return Trajectory(agent="a", steps=tuple(AtifStep(source="agent", message="x" * size) for size in sizes))


@given(SIZES)
def test_windows_cover_every_step_once_in_either_direction(sizes: list[int]) -> None:
    trajectory, seen, first = sized(sizes), [], 1
    while first <= len(sizes):
        found = window(trajectory, first)
        assert 1 <= len(found.steps) <= MOST_STEPS
        seen += [step.number for step in found.steps]
        first = found.last + 1
    assert seen == list(range(1, len(sizes) + 1))
    seen, last = [], len(sizes)
    while last >= 1:
        found = window_before(trajectory, last)
        assert found.last == last
        seen = [step.number for step in found.steps] + seen
        last = found.first - 1
    assert seen == list(range(1, len(sizes) + 1))


def test_a_window_beyond_the_end_is_the_last_step_and_of_nothing_is_empty() -> None:
    assert window(sized([1, 1]), 99).first == 2
    assert window(Trajectory(agent="a"), 1).steps == ()
    assert window_before(Trajectory(agent="a"), 5).steps == ()


def test_outputs_stand_below_the_call_that_they_answer() -> None:
    step = AtifStep(source="agent", tool_calls=(call(1, "bash", command="a"), call(2, "bash", command="b")),
                    observations=(Observation(content="of b", source_call_id="c2"), Observation(content="of none"),
                                  Observation(content="of a", source_call_id="c1")))  # fmt: skip
    blocks = view_of(1, step).blocks
    assert [(block.kind, [one.place for one in block.outputs]) for block in blocks] == [
        ("call", ["step 1 output 3"]), ("call", ["step 1 output 1"]), ("output", [])]  # fmt: skip


def test_long_output_is_folded_and_a_very_long_one_stands_apart() -> None:
    outputs = ("first\n" + "x\n" * 40, "short", "y" * (INLINE + 1))
    step = AtifStep(source="agent", observations=tuple(Observation(content=text) for text in outputs))
    folded, short, apart = view_of(1, step).blocks
    assert (folded.is_open, str(folded.first), folded.size) == (False, "first", "41 lines")
    assert short.is_open
    assert apart.is_apart
    assert apart.texts == ()


def test_what_is_cited_or_searched_opens_what_is_folded() -> None:
    step = AtifStep(source="agent", observations=(Observation(content="first\n" + "x\n" * 40 + "wanted"),))
    assert view_of(1, step, needles=searched("WANTED")).blocks[0].is_open
    assert view_of(1, step, needles=cited(["[step 1 output 1] wanted"])).blocks[0].is_open
    assert not view_of(1, step, needles=cited(["[step 2 output 1] wanted"])).blocks[0].is_open


def test_without_costs_neither_time_nor_tokens_are_told() -> None:
    steps = (
        AtifStep(source="agent", message="x", timestamp="2026-01-01T00:00:00Z", metrics=Metrics(completion_tokens=7)),
    )
    told = window(Trajectory(agent="a", steps=steps)).steps[0]
    assert (told.elapsed, told.tokens) == ("+0:00", "7 tok")
    quiet = window(Trajectory(agent="a", steps=steps), with_costs=False).steps[0]
    assert (quiet.elapsed, quiet.tokens) == ("", "")


@given(
    st.text(st.sampled_from("aA b\n"), min_size=1, max_size=4),
    st.lists(st.text(st.sampled_from("aAb \n"), max_size=12)),
)
def test_search_finds_what_plain_reading_finds(query: str, messages: list[str]) -> None:
    trajectory = Trajectory(agent="a", steps=tuple(AtifStep(source="agent", message=text) for text in messages))
    found = search(trajectory, query, most=10_000)
    assert found.total == len(found.hits)
    words = query.split()
    if len(words) == 1:
        expected = sum(part.text.lower().count(words[0].lower()) for part in all_parts(trajectory))
        assert found.total == expected
    pages = [
        hit for first in range(1, found.total + 1, 3) for hit in search(trajectory, query, first=first, most=3).hits
    ]
    assert [hit.number for hit in pages] == [hit.number for hit in found.hits]


def test_a_rail_covers_all_steps_with_few_entries() -> None:
    for count in (1, MOST_ENTRIES, MOST_ENTRIES + 1, 5_000):
        entries = rail(sized([1] * count), {count})
        assert len(entries) <= MOST_ENTRIES
        assert next(entry.first for entry in entries) == 1
        assert all(one.last + 1 == two.first for one, two in itertools.pairwise(entries))
        assert entries[-1].last == count
        assert entries[-1].is_marked


def test_signs_say_what_a_step_does() -> None:
    assert [entry.mark for entry in rail(Trajectory(agent="a", steps=plain_steps()))] == ["¶", "¶", "$", "±", "¶"]


@given(
    st.text(st.sampled_from("def x(): 'a'\"\n#1$ {}<PY"), max_size=80), st.sampled_from(["python", "bash", "json", "c"])
)
def test_coloured_stretches_are_in_order_and_within(text: str, language: str) -> None:
    last = 0
    for span in token_spans(text, language):
        assert last <= span.start < span.end <= len(text)
        last = span.end


def test_a_here_document_is_coloured_as_what_it_is() -> None:
    script = "cd /app  # go\npython3 - <<'PY'\nimport os  # it\nPY\ncat > a.json <<EOF\n{\"a\": 1}\nEOF\necho 'x'"
    coloured = [(span.name, script[span.start : span.end]) for span in token_spans(script, "bash")]
    assert ("k-word", "import") in coloured
    assert ("k-comment", "# it") in coloured
    assert ("k-number", "1") in coloured
    assert coloured[-1] == ("k-text", "'x'")


def test_an_empty_output_says_so() -> None:
    block = view_of(1, AtifStep(source="agent", observations=(Observation(content=""),))).blocks[0]
    assert (block.size, block.texts) == ("empty", ())


def test_what_is_long_is_not_coloured() -> None:
    assert token_spans("x = 1\n" * MOST_CHARACTERS, "python") == ()
    assert token_spans("x = 1", "") == ()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("\n" * 16_000, "java"),
        ((" " * 1_999 + "x\n") * 8, "c"),
        (("\n" * 300 + "a<") * 54, "java"),
    ],
)
def test_what_takes_a_lexer_long_is_coloured_no_further(text: str, language: str) -> None:
    began = time.thread_time()
    token_spans(text, language)
    assert time.thread_time() - began < 1.0


def test_a_place_of_five_thousand_digits_is_no_step() -> None:
    assert Citation.read(f"[step {'9' * 5_000} message] x").step is None


def test_a_shelf_keeps_few_trajectories_and_their_signs(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    addresses = []
    for at in range(MOST + 3):
        steps = (*plain_steps(), AtifStep(source="agent", message=str(at)))
        addresses.append(ledger.put_blob(orjson.dumps(document(Trajectory(agent="a", steps=steps)))))
    shelf = Shelf(ledger)
    for address in addresses:
        assert shelf.signs(address) == signs_of(shelf.trajectory(address))
    assert len(shelf._held) == len(shelf._signs) == MOST
    assert shelf.trajectory(addresses[-1]) is shelf.trajectory(addresses[-1])
    with pytest.raises(LedgerError):
        shelf.trajectory("sha256:" + "0" * 64)
