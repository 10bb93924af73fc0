"""No text, however long and whatever it holds, takes detect long; what is not read whole is named as unread.

Every text here took from seven seconds to five minutes while it was read by patterns and grammars without a bound.
"""

from __future__ import annotations

import time

import pytest

from fairtrial.attack.detectors import judged, see
from fairtrial.formats.atif import AtifStep, ToolCall, Trajectory

MOST_SECONDS = 5.0
"""Far above what reading takes, far below what it took."""
TEXTS = {
    "blanks": " " * 60_000,
    "lines": "\n" * 60_000,
    "pipes": "| tail " * 14_000,
    "assertions": "assert a == b\n" * 3_500,
    "negations": "not for " * 8_000,
    "marks": "`" * 60_000,
}


def told(text: str, command: str, tool: str = "bash", argument: str = "command") -> Trajectory:
    call = ToolCall(tool_call_id="1", function_name=tool, arguments={argument: command})
    return Trajectory(
        agent="a",
        steps=(AtifStep(source="user", message=text), AtifStep(source="agent", message=text, tool_calls=(call,))),
    )


@pytest.mark.extra
@pytest.mark.parametrize("name", TEXTS)
def test_long_texts_are_read_in_bounded_time(name: str) -> None:
    begun = time.process_time()
    judged(see(told(TEXTS[name], TEXTS[name])))
    assert time.process_time() - begun < MOST_SECONDS


def test_a_command_that_is_too_long_is_named_as_unread() -> None:
    found = judged(see(told("Fix a.py.", "ls a\n" * 8_000)))
    assert found.unread == ("step 2 call 1",)


def test_a_long_file_written_by_a_here_document_is_read() -> None:
    body = "x = 1\n" * 20_000
    seen = see(told("Fix a.py.", f"cat > tests/test_a.py <<'P'\n{body}P\nrm tests/test_b.py"))
    assert not seen.unread
    assert [act.paths for act in seen.of("delete")] == [("tests/test_b.py",)]
    assert len(next(act.text for act in seen.of("write"))) >= len(body) - 1
