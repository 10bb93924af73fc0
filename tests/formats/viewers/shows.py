"""Rollouts to be shown: one with steps, reviews and leads, one of an answer alone, one ungraded, one of nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory, document
from fairtrial.formats.viewers import Shown
from fairtrial.formats.viewers.shown import Lead
from fairtrial.records import Review, Rollout, digest

STEPS = Trajectory(
    agent="loop", model="m", run="r", notes="kept",
    steps=(
        AtifStep(source="system", message="Be brief."),
        AtifStep(source="user", message="2+2", timestamp="2026-01-01T00:00:00Z"),
        AtifStep(source="agent", message="I look.", reasoning="Easy.",
                 tool_calls=(ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "bc"}),),
                 observations=(Observation(content="4", source_call_id="c"), Observation(content="a notice")),
                 metrics=Metrics(prompt_tokens=5, completion_tokens=2, cost_usd=0.1)),
        AtifStep(source="agent", message="copied", is_copied=True),
        AtifStep(source="agent", message="4", llm_calls=0),
    ),
)  # fmt: skip
DATA = orjson.dumps(document(STEPS), option=orjson.OPT_INDENT_2)
REVIEW = Review(rollout="", reviewer="ada", satisfied=False, hack=True, failure_tags=("guessed",),
                citations=("[step 3 output 1] 4", "[answer] "), note="It guessed.",
                recorded_at="2026-01-02T00:00:00+00:00")  # fmt: skip


def shown(rollout: Rollout | None = None, **more: Any) -> Shown:
    """Return a rollout of an answer that passed."""
    of = rollout or Rollout(task="sum", model="m", attempt=1, suite="s", answer="4", seconds=2.5)
    told: dict[str, Any] = {"outcome": "passed", "score": 1.0, "grader": "g", "verdict": "v", "checks": {"a": "passed"}}
    return Shown(id=of.id, rollout=of, **told | more)


def with_steps(**fields: Any) -> Shown:
    """Return one with steps, a person's review and a lead."""
    rollout = Rollout(**{"task": "sum", "model": "m", "suite": "s", "trajectory": digest(DATA), "steps": 3} | fields)
    lead = Lead(probe="p", family="trajectory", severity="lead", claim="it guessed", steps=(3,), score=0.5)
    return shown(rollout, trajectory=STEPS, document=DATA, reviews=(replace(REVIEW, rollout=rollout.id),),
                 person=False, leads=(lead,), outcome="failed", score=0.25)  # fmt: skip


def everything() -> list[Shown]:
    """Return one of each kind, runs together."""
    ungraded = Rollout(task="late", model="m", suite="s", attempt=2, stop="agent_timeout")
    return [
        with_steps(attempt=0), shown(),
        shown(ungraded, outcome="ungraded", reason="grader_timeout", score=None, verdict="", checks={}),
        with_steps(model="n", seed=3, effort="high", input_tokens=5, output_tokens=2, family="sums"),
    ]  # fmt: skip
