"""An attempt told as an ATIF trajectory: the instruction as the user's step, then each action as the agent's.

Times are left out: a trajectory is part of a rollout's identity, and times are not.
"""

from __future__ import annotations

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory
from fairtrial.records import storable
from fairtrial.run.attempt import Attempt
from fairtrial.run.protocol import Action


def trajectory_of(attempt: Attempt) -> Trajectory:
    """Return what the agent was told and did, in order."""
    steps: list[AtifStep] = []
    for asked, episode in zip(attempt.assignment.task.steps, attempt.episodes, strict=False):
        steps.append(AtifStep(source="user", message=asked.instruction))
        steps += [_step(action, f"call_{len(steps) + n}") for n, action in enumerate(episode.actions)]
    agent = attempt.assignment.agent
    return Trajectory(agent=agent.name, model=agent.model, steps=tuple(steps))


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
