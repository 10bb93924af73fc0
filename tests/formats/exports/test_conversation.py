"""Attacks: what was copied, made by no model, or said after the model's last turn must not be learnt as the model's."""

from __future__ import annotations

from typing import Any

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.exports import conversation, has_pictures


def told(*steps: AtifStep) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    prompt, reply = conversation(Trajectory(agent="a", steps=steps))
    return [(t.role, t.content) for t in prompt], [(t.role, t.content, t.is_trained) for t in reply]


ASKED = AtifStep(source="user", message="do it")


def call(name: str, identity: str = "c") -> ToolCall:
    return ToolCall(tool_call_id=identity, function_name=name)


def test_copied_steps_are_dropped() -> None:
    copied = AtifStep(source="agent", message="old", is_copied=True)
    assert told(ASKED, copied, AtifStep(source="agent", message="new"))[1] == [("assistant", "new", True)]


def test_steps_that_no_model_made_are_context_alone() -> None:
    scripted = AtifStep(source="agent", message="by hand", llm_calls=0)
    assert told(ASKED, scripted, AtifStep(source="agent", message="x"))[1] == [
        ("assistant", "by hand", False), ("assistant", "x", True)
    ]  # fmt: skip
    assert told(ASKED, scripted)[1] == []


def test_what_comes_after_the_models_last_turn_is_cut_off() -> None:
    acts = AtifStep(source="agent", message="x", tool_calls=(call("f"),), observations=(Observation(content="out"),))
    assert told(ASKED, acts, AtifStep(source="user", message="thanks"))[1] == [("assistant", "x", True)]


def test_an_output_without_a_call_is_said_by_the_environment_and_a_lone_calls_output_is_its_own() -> None:
    bare = AtifStep(source="agent", message="ls", observations=(Observation(content="a.txt"),))
    last = AtifStep(source="agent", message="done")
    assert told(ASKED, bare, last)[1][1] == ("user", "a.txt", True)
    acts = AtifStep(source="agent", tool_calls=(call("f"),), observations=(Observation(content="out"),))
    assert told(ASKED, acts, last)[1][1] == ("tool", "out", True)


def test_every_call_in_the_middle_is_answered_in_its_order() -> None:
    seen = (Observation(content="second", source_call_id="d"),)
    acts = AtifStep(source="agent", tool_calls=(call("f", "c"), call("g", "d")), observations=seen)
    _, reply = conversation(Trajectory(agent="a", steps=(ASKED, acts, AtifStep(source="agent", message="x"))))
    assert [(turn.call, turn.content) for turn in reply if turn.role == "tool"] == [("c", ""), ("d", "second")]


def test_calls_without_an_id_are_told_apart() -> None:
    acts = AtifStep(source="agent", tool_calls=(call("f", ""), call("g", "")))
    _, reply = conversation(Trajectory(agent="a", steps=(ASKED, acts)))
    assert len({one.tool_call_id for one in reply[0].tool_calls}) == 2


def test_pictures_are_seen_wherever_they_are_taken_along() -> None:
    shot = (Picture(media_type="image/png", path="x"),)
    assert has_pictures(Trajectory(agent="a", steps=(AtifStep(source="user", pictures=shot),)))
    assert has_pictures(Trajectory(agent="a", steps=(
        AtifStep(source="agent", observations=(Observation(content="", pictures=shot),)),)))  # fmt: skip
    assert not has_pictures(Trajectory(agent="a", steps=(AtifStep(source="user", pictures=shot, is_copied=True),)))
