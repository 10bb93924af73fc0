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


@given(st.text(min_size=1), st.integers(0, 5), st.integers(0, 9))
def test_any_piece_of_an_output_can_be_quoted_as_it_is_or_as_it_is_shown(text: str, start: int, length: int) -> None:
    citable = Citable(trajectory=Trajectory(agent="a", steps=(AtifStep(source="user", message=text),)))
    piece = text[start : start + length]
    assert why_not(Citation("step 1 message", piece), citable) == ""
    shown = visible(text.replace("\r\n", "\n"))
    assert why_not(Citation("step 1 message", shown[start : start + length]), citable) == ""
