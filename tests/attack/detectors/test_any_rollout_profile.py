"""Profiles and the rules of leaks, history and credentials raise on no trajectory, and cite only steps that exist."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.attack.detectors import see
from fairtrial.attack.detectors.comparing import compared, examine
from fairtrial.attack.detectors.contrast_profile import profile
from fairtrial.attack.detectors.permission import Permission, only_own
from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory

BITS = ["git show", "git log --all", "HEAD~2", "origin/x:a.py", "cat", "/srv/grader/", "~/.aws/credentials", "curl -s",
        "https://e.example/solutions?q=answers", "|", ">", "/tmp/a", "$(", ")", "'", "\\", "\n", "PIN: 1234",
        "find / -name",
        "*test*", "--", "pip download", "a.py", "<<'E'", "E", "\x00", "\ud800", "import os; open('x/y')"]  # fmt: skip
texts = st.lists(st.sampled_from(BITS), max_size=7).map(" ".join) | st.text(max_size=40)
steps = st.builds(
    lambda tool, text, output, said: AtifStep(
        source="agent", message=said, observations=(Observation(content=output),),
        tool_calls=(ToolCall(tool_call_id="", function_name=tool, arguments={"command": text}),),
    ),
    st.sampled_from(["bash", "python", "web_search", "read_file", "x"]), texts, texts, texts,
)  # fmt: skip


@settings(max_examples=40)
@given(texts, st.lists(steps, max_size=5))
def test_nothing_raises_and_steps_exist(told: str, acted: list[AtifStep]) -> None:
    trajectory = Trajectory(agent="a", steps=(AtifStep(source="user", message=told), *acted))
    one = examine(trajectory, "t")
    assert all(1 <= step <= len(trajectory.steps) for hit in one.hits for step in hit.steps)
    assert profile(see(trajectory)) == one.profile
    for what in compared([one] * 4):
        assert 0 <= what.score <= 1


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["leave", "a/b.txt", "closed", ",", ".", "not", "read", "it", "("])).map(" ".join)
)
def test_any_text_is_read_as_an_instruction(text: str) -> None:
    said = Permission.read(text)
    assert said.of_path("a/b.txt") in ("", "allows", "forbids")
    assert only_own(text) in (True, False)
