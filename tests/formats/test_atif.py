"""Attacks: trajectories survive the way out and back; what v1.8 forbids is never written; wrong fields are named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.formats import Options, atif_import
from fairtrial.formats.atif import (
    AtifStep,
    Metrics,
    Observation,
    ToolCall,
    Trajectory,
    document,
    read_trajectory,
)
from fairtrial.records import FormatError

SHARED = Path(__file__).parents[3] / "shared" / "rollouts" / "trajectories"

_text = st.text(max_size=6)
_name = st.text(min_size=1, max_size=6)
_count = st.one_of(st.none(), st.integers(0, 10**9))
_metrics = st.builds(Metrics, prompt_tokens=_count, completion_tokens=st.integers(0, 9), cached_tokens=_count)
_calls = st.lists(
    st.builds(ToolCall, tool_call_id=_name, function_name=_name, arguments=st.dictionaries(_name, _text)), max_size=2
)
_steps = st.one_of(
    st.builds(AtifStep, source=st.sampled_from(["system", "user"]), message=_text),
    st.builds(
        AtifStep,
        source=st.just("agent"),
        message=_text,
        reasoning=_text,
        model=_text,
        metrics=st.one_of(st.none(), _metrics),
        tool_calls=_calls.map(tuple),
        observations=st.lists(st.builds(Observation, content=_text), max_size=2).map(tuple),
        is_copied=st.booleans(),
        llm_calls=st.one_of(st.none(), st.integers(1, 3)),
        timestamp=st.sampled_from(["", "2026-01-01T00:00:00Z"]),
    ),
)
_trajectories = st.builds(
    Trajectory,
    agent=_name,
    model=_text,
    run=_text,
    id=_text,
    notes=_text,
    steps=st.lists(_steps, max_size=4).map(tuple),
)

_STEP_KEYS = {
    "step_id",
    "timestamp",
    "source",
    "model_name",
    "message",
    "reasoning_content",
    "tool_calls",
    "observation",
    "metrics",
    "is_copied_context",
    "llm_call_count",
}


@settings(max_examples=60, deadline=None)
@given(_trajectories)
def test_a_trajectory_survives_the_way_out_and_back(trajectory: Trajectory) -> None:
    found = read_trajectory(orjson.dumps(document(trajectory)))
    assert replace(found, stated=None) == trajectory
    assert found.totals() == trajectory.totals()


@settings(max_examples=60, deadline=None)
@given(_trajectories)
def test_nothing_is_written_that_the_format_forbids(trajectory: Trajectory) -> None:
    written = document(trajectory)
    assert [step["step_id"] for step in written["steps"]] == list(range(1, len(trajectory.steps) + 1))
    for step in written["steps"]:
        assert set(step) <= _STEP_KEYS
        agent_only = {"model_name", "reasoning_content", "tool_calls", "metrics"}
        assert step["source"] == "agent" or agent_only.isdisjoint(step)


def test_a_step_that_no_model_made_has_neither_metrics_nor_reasoning() -> None:
    step = AtifStep(source="agent", llm_calls=0, reasoning="none", metrics=Metrics(prompt_tokens=1))
    (written,) = document(Trajectory(agent="a", steps=(step,)))["steps"]
    assert written == {"step_id": 1, "source": "agent", "message": "", "llm_call_count": 0}


def test_totals_stated_win_and_copied_steps_are_not_counted_twice() -> None:
    steps = (
        AtifStep(source="agent", metrics=Metrics(prompt_tokens=5, cost_usd=0.5), is_copied=True),
        AtifStep(source="agent", metrics=Metrics(prompt_tokens=7)),
    )
    assert Trajectory(agent="a", steps=steps).totals() == Metrics(prompt_tokens=7)
    assert Trajectory(agent="a", steps=steps, stated=Metrics(prompt_tokens=9)).totals() == Metrics(prompt_tokens=9)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"schema_version": "OTHER-1"}, "schema_version"),
        ({"schema_version": 1}, "schema_version"),
        ({"agent": None}, "agent"),
        ({"agent": {"name": 1}}, "agent.name"),
        ({"steps": None}, "steps"),
        ({"steps": {}}, "steps"),
        ({"steps": [1]}, "steps[0]"),
        ({"steps": [{"source": "robot"}]}, "steps[0].source"),
        ({"steps": [{"source": "agent", "tool_calls": [{"arguments": "x"}]}]}, "steps[0].tool_calls[0].arguments"),
        ({"steps": [{"source": "agent", "observation": {"results": [3]}}]}, "steps[0].observation.results[0]"),
        ({"steps": [{"source": "agent", "metrics": {"prompt_tokens": 1.5}}]}, "steps[0].metrics.prompt_tokens"),
        ({"final_metrics": {"total_cost_usd": "1"}}, "final_metrics.total_cost_usd"),
    ],
)
def test_the_field_that_is_wrong_is_named(change: dict[str, Any], field: str) -> None:
    good = document(Trajectory(agent="a", steps=(AtifStep(source="user", message="x"),)))
    with pytest.raises(FormatError) as caught:
        read_trajectory(orjson.dumps(good | change))
    assert caught.value.field == field


def test_other_versions_unknown_keys_and_content_parts_are_taken() -> None:
    parts = [{"type": "text", "text": "see"}, {"type": "image", "source": {}}, {"type": "text", "text": "this"}]
    found = read_trajectory(
        orjson.dumps(
            {
                "schema_version": "ATIF-v9.9",
                "new": 1,
                "agent": {"name": "a", "version": "1", "mood": "good"},
                "steps": [{"source": "user", "message": parts, "extra": {"x": 1}}],
            }
        )
    )
    assert (found.schema_version, found.steps[0].message) == ("ATIF-v9.9", "see\nthis")


def test_files_become_rollouts_that_nobody_has_graded(tmp_path: Path) -> None:
    step = AtifStep(source="agent", message="x", metrics=Metrics(prompt_tokens=3))
    data = orjson.dumps(document(Trajectory(agent="a", model="m", steps=(step,))))
    (tmp_path / "fix-bug__1.json").write_bytes(data)
    (tmp_path / "other.json").write_text('{"not": "one"}')
    (tmp_path / "add-test__x").mkdir()
    (tmp_path / "add-test__x" / "agent").mkdir()
    (tmp_path / "add-test__x" / "agent" / "trajectory.json").write_bytes(data.replace(b'"x"', b'"y"'))
    (tmp_path / "odd__1.json").write_bytes(data[:-30])
    (batch,) = atif_import.read(tmp_path, Options())
    assert batch.verdicts.num_rows == 0
    assert sorted(batch.rollouts.column("task").to_pylist()) == ["add-test", "fix-bug"]
    assert batch.rollouts.column("input_tokens").to_pylist() == [3, 3]
    assert [skip.where.endswith("odd__1.json") for skip in batch.skipped] == [True]
    assert len(batch.blobs) == 2
    with pytest.raises(FormatError, match="no ATIF files"):
        list(atif_import.read(tmp_path / "add-test__x" / "agent" / ".." / "none", Options()))


def test_the_labelled_trajectories_are_all_read() -> None:
    if not SHARED.exists():
        pytest.skip("../shared is not here, and the labelled trajectories are nowhere else")
    batches = list(atif_import.read(SHARED, Options()))
    assert sum(batch.rollouts.num_rows for batch in batches) == 48
    assert [skip for batch in batches for skip in batch.skipped] == []
