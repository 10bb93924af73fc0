"""Attacks: quotes that stand nowhere or elsewhere, places that do not exist, files not at hand, unseen characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.audit.citations import Citable, failing, why_not
from fairtrial.checks.judged.visible import visible
from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.records import Citation

CALL = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "make  total"})
STEPS = (
    AtifStep(source="user", message="Add it up."),
    AtifStep(source="agent", reasoning="hm", message="Done.\r\nAll of it.", tool_calls=(CALL,),
             observations=(Observation(content="\x1b[31m42\x1b[0m\x0bend", source_call_id="c"),)),
    AtifStep(source="agent"),
)  # fmt: skip
CITABLE = Citable(
    trajectory=Trajectory(agent="a", steps=STEPS), instruction="Add it up.", verifier="1 failed\n0 passed",
    artifacts={"/app/total.txt": "42\nend", "/app/line 3": "odd name"}, key={"tests/test.sh": "test 42 = 43"},
    checks={"total": "is 42"}, answer="42",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[step 2 call 1] make total", ""),
        ("[step 2 message] Done. All", ""),
        ("[step 2] 42", ""),
        ("[step 3] ", ""),
        ("[step 2 output 1] ␛[31m42", ""),
        ("[step 2 output 1] ␋end", ""),
        ("[artifact /app/total.txt line 1] 42", ""),
        ("[artifact /app/line 3] odd", ""),
        ("[key tests/test.sh line 1] = 43", ""),
        ("[verifier] 1 failed", ""),
        ("[check total] is 42", ""),
        ("[answer] 42", ""),
        ("end", ""),
        ("[step 1] 42", "is not what stands"),
        ("[step 2 output 2] 42", "there is no step 2 output 2"),
        ("[step 4] ", "there is no step 4"),
        ("[artifact /app/total.txt line 3] 42", "there is no"),
        ("[artifact /app/other] ", "there is no"),
        ("[key tests/none.sh] ", "there is no"),
        ("[check other] is", "there is no"),
        ("43 is right", "is nowhere"),
        ("", "cites nothing"),
    ],
)
def test_a_citation_stands_where_it_says_or_is_named(text: str, why: str) -> None:
    found = why_not(Citation.read(text), CITABLE)
    assert bool(found) == bool(why)
    assert why in found


def test_what_is_not_at_hand_cannot_be_cited() -> None:
    bare = Citable(trajectory=Trajectory(agent="a"))
    wanted = ["[key tests/test.sh] ", "[artifact /app/a] ", "[verifier] ", "[answer] ", "[instruction] "]
    assert len(failing(wanted, bare)) == len(wanted)


def cuts_a_number(text: str, start: int, end: int) -> bool:
    """Say whether a piece of `text` begins or ends beside a digit that goes on: then it may be refused, or not."""
    return any(0 < at < len(text) and (text[at - 1].isdecimal() or text[at].isdecimal()) for at in (start, end))


@given(st.text(min_size=1), st.integers(0, 5), st.integers(0, 9))
def test_any_piece_of_an_output_can_be_quoted_as_it_is_or_as_it_is_shown(text: str, start: int, length: int) -> None:
    citable = Citable(trajectory=Trajectory(agent="a", steps=(AtifStep(source="user", message=text),)))
    for whole in (text, visible(text.replace("\r\n", "\n"))):
        if not cuts_a_number(whole, start, start + length):
            assert why_not(Citation("step 1 message", whole[start : start + length]), citable) == ""


@pytest.mark.parametrize(
    ("quote", "text", "stands_there"),
    [
        ("0 failed", "10 failed, 3 passed", False),
        ("0 failed", "10 failed\n0 failed", True),
        ("score: 0", "score: 0.98", False),
        ("98", "score: 0.98", False),
        ("1", "21 12 11 1.5", False),
        ("2,3", "[1,2,3]", True),
        ("42", "42. Done", True),
        ("3f9", "3f9e12ab", True),
        ("12", "12ab", True),
        ("v1", "v1.2", False),
        ("٤", "٤٢", False),
    ],
)
def test_a_quote_that_cuts_a_number_is_another_number(quote: str, text: str, stands_there: bool) -> None:
    citable = Citable(trajectory=Trajectory(agent="a", steps=(AtifStep(source="user", message=text),)))
    why = why_not(Citation("step 1 message", quote), citable)
    assert why == ("" if stands_there else "cuts a number that stands at step 1 message")


def test_where_the_words_do_stand_is_found() -> None:
    citable = Citable(trajectory=Trajectory(agent="a", steps=STEPS), artifacts={"/app/a": "one\ntwo words\nthree"})
    assert citable.places_of("two  words", "artifact /app/a line 3") == ["artifact /app/a line 2"]
    assert citable.places_of("make total", "step 1 message") == ["step 2 call 1"]
    assert citable.places_of("nothing of the kind", "artifact /app/a") == []


def test_a_path_is_the_same_with_and_without_its_slash() -> None:
    for place in ("artifact app/total.txt", "artifact app/total.txt line 1", "key /tests/test.sh"):
        assert why_not(Citation(place, "4"), CITABLE) == f"cuts a number that stands at {place}"
        assert why_not(Citation(place, "42"), CITABLE) == ""


@pytest.mark.parametrize("place", ["artifact /app/total.txt line {}", "step {} message", "key tests/test.sh line {}"])
def test_a_number_of_five_thousand_digits_is_no_place(place: str) -> None:
    assert why_not(Citation(place.format("9" * 5_000), "42"), CITABLE).startswith("there is no")
