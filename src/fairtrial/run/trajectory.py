"""An attempt told as an ATIF trajectory: the instruction as the user's step, then each action as the agent's.

Times are left out: a trajectory is part of a rollout's identity, and times are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory
from fairtrial.records import storable
from fairtrial.run.agents.submission import SubmissionAgent
from fairtrial.run.attempt import Attempt
from fairtrial.run.protocol import Action, Episode
from fairtrial.tasks import Step


def trajectory_of(attempt: Attempt) -> Trajectory:
    """Return what the agent was told and did, in order."""
    agent = attempt.assignment.agent
    return Trajectory(agent=agent.name, model=agent.model, steps=_told(attempt.assignment.task.steps, attempt.episodes))


def seen_by_grader(attempt: Attempt, step: Step) -> Trajectory | None:
    """Return what was done until the end of `step`, as a grader is given it; None where nobody saw it.

    What was spent is stated as a whole, as an agent may count it by the episode alone. A submission is opaque: of it a
    grader is given the trajectory that was declared with it, and no other.
    """
    agent, steps = attempt.assignment.agent, attempt.assignment.task.steps
    reached = [one.name for one in steps][: [one.name for one in steps].index(step.name) + 1]
    if isinstance(agent, SubmissionAgent):
        return agent.declared(reached)
    episodes = attempt.episodes[: len(reached)]
    spent = Metrics(
        prompt_tokens=_sum([one.input_tokens for one in episodes]),
        completion_tokens=_sum([one.output_tokens for one in episodes]),
        cost_usd=_sum([one.cost_usd for one in episodes]),
    )
    return Trajectory(agent=agent.name, model=agent.model, steps=_told(steps, episodes), stated=spent)


def _told(steps: Sequence[Step], episodes: Sequence[Episode]) -> tuple[AtifStep, ...]:
    told: list[AtifStep] = []
    for asked, episode in zip(steps, episodes, strict=False):
        told.append(AtifStep(source="user", message=asked.instruction))
        told += [_step(action, f"call_{len(told) + n}") for n, action in enumerate(episode.actions)]
    return tuple(told)


def _sum(values: list[Any]) -> Any:
    """Return the sum; None where an episode does not say, as the sum would be too small."""
    return None if None in values else sum(values)


def _step(action: Action, call: str) -> AtifStep:
    asked_a_model = action.input_tokens is not None or action.output_tokens is not None
    metrics = Metrics(prompt_tokens=action.input_tokens, completion_tokens=action.output_tokens,
                      cost_usd=action.cost_usd)  # fmt: skip
    arguments = {storable(name): storable(value) for name, value in (action.arguments or {}).items()}
    calls = (ToolCall(tool_call_id=call, function_name=storable(action.tool), arguments=arguments),)
    return AtifStep(
        source="agent",
        message=storable(action.message),
        reasoning=storable(action.reasoning),
        tool_calls=calls if action.tool else (),
        observations=(Observation(content=storable(action.observation), source_call_id=call if action.tool else ""),)
        if action.observation or action.tool
        else (),
        metrics=metrics if asked_a_model else None,
        llm_calls=None if asked_a_model else 0,
    )
