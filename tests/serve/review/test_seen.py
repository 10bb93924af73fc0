"""A blind reader gets what the agent saw: nothing from after its last act, nothing that names or prices the agent."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory
from fairtrial.serve.review.seen import as_seen, instruction_of

CALL = ToolCall(tool_call_id="a", function_name="bash", arguments={"command": "ls"})
SECRET = "the grader speaks"


def steps(*more: AtifStep) -> Trajectory:
    asked = AtifStep(source="user", message="Fix it.")
    acted = AtifStep(source="agent", message="Done.", model="m", metrics=Metrics(cost_usd=1.0), llm_calls=1)
    return Trajectory(agent="a", model="m", steps=(asked, acted, *more), notes="n", run="r", id="i")


@pytest.mark.parametrize("source", ["system", "user"])
def test_what_a_harness_writes_behind_the_last_act_is_left_out(source: str) -> None:
    seen = as_seen(steps(AtifStep(source=source, message=SECRET)))  # type: ignore[arg-type]
    assert SECRET not in repr(seen.trajectory)
    assert seen.later_steps == 1


def test_an_observation_that_answers_no_call_of_the_last_act_is_left_out() -> None:
    last = AtifStep(source="agent", tool_calls=(CALL,), observations=(
        Observation(content="a.py", source_call_id="a"), Observation(content=SECRET)))  # fmt: skip
    seen = as_seen(steps(last))
    assert [one.content for one in seen.trajectory.steps[-1].observations] == ["a.py"]
    assert seen.later_outputs == 1


def test_where_observations_name_no_call_the_last_act_keeps_as_many_as_it_made_calls() -> None:
    last = AtifStep(source="agent", tool_calls=(CALL,), observations=(
        Observation(content="a.py"), Observation(content=SECRET)))  # fmt: skip
    assert [one.content for one in as_seen(steps(last)).trajectory.steps[-1].observations] == ["a.py"]


def test_what_stands_before_the_last_act_is_whole_and_keeps_its_numbers() -> None:
    told = AtifStep(source="user", message="No, once more.", observations=(Observation(content="free"),))
    seen = as_seen(steps(told, AtifStep(source="agent", message="Again.")))
    assert [one.message for one in seen.trajectory.steps] == ["Fix it.", "Done.", "No, once more.", "Again."]
    assert seen.trajectory.steps[2].observations == told.observations


def test_neither_agent_nor_model_nor_cost_is_in_it() -> None:
    seen = as_seen(steps()).trajectory
    assert (seen.agent, seen.model, seen.notes, seen.run, seen.id, seen.tools) == ("", "", "", "", "", ())
    assert {(one.model, one.metrics, one.llm_calls) for one in seen.steps} == {("", None, None)}


def test_a_trajectory_in_which_no_agent_acts_is_shown_as_it_is() -> None:
    only = Trajectory(agent="a", steps=(AtifStep(source="user", message="Fix it."),))
    assert [one.message for one in as_seen(only).trajectory.steps] == ["Fix it."]


def test_the_instruction_is_what_the_user_said_before_the_agent_acted() -> None:
    assert instruction_of(steps(AtifStep(source="user", message="later"))) == "Fix it."


SOURCES = st.sampled_from(["system", "user", "agent"])
STEP = st.builds(AtifStep, source=SOURCES, message=st.text(max_size=4), observations=st.lists(
    st.builds(Observation, content=st.text(max_size=4), source_call_id=st.sampled_from(["", "a", "b"])), max_size=3
).map(tuple), tool_calls=st.sampled_from([(), (CALL,)]))  # fmt: skip


@given(st.lists(STEP, max_size=8))
def test_only_the_end_is_ever_left_out(some: list[AtifStep]) -> None:
    whole = Trajectory(agent="a", steps=tuple(some))
    seen = as_seen(whole)
    kept = seen.trajectory.steps
    assert len(kept) + seen.later_steps == len(some)
    assert all(step.source != "agent" for step in some[len(kept) :])
    for at, step in enumerate(kept[:-1]):
        assert step == dataclasses.replace(some[at], model="", metrics=None, llm_calls=None)
