"""What the agent saw and did, and nothing that came after it: the trajectory as a blind reader gets it.

A harness may write its grading behind the agent's last step, as a step of its own or as an observation that answers no
call. Both are left out alike of passes and of failures, and counted. Not covered: a model or a verdict that is named in
what the agent itself saw; that text stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fairtrial.formats.atif import AtifStep, Observation, Trajectory


@dataclass(frozen=True, slots=True)
class Seen:
    """A trajectory up to the agent's last act, and how much stands behind it."""

    trajectory: Trajectory
    later_steps: int = 0
    later_outputs: int = 0


def as_seen(whole: Trajectory) -> Seen:
    """Return `whole` without what the agent cannot have seen, and without what names the agent.

    Numbers of steps stay what they are, since only the end is left out.

    >>> said, graded = AtifStep(source="agent", message="Done."), AtifStep(source="system", message="reward 1.0")
    >>> seen = as_seen(Trajectory(agent="a", model="m", steps=(said, graded)))
    >>> len(seen.trajectory.steps), seen.later_steps, seen.trajectory.model
    (1, 1, '')
    """
    acts = [at for at, step in enumerate(whole.steps) if step.source == "agent"]
    kept = [_unnamed(step) for step in whole.steps[: acts[-1] + 1 if acts else len(whole.steps)]]
    later_steps, later_outputs = len(whole.steps) - len(kept), 0
    if acts:
        answers = _answers(kept[-1], has_names=_has_names(whole))
        later_outputs = len(kept[-1].observations) - len(answers)
        kept[-1] = replace(kept[-1], observations=answers)
    bare = Trajectory(agent="", steps=tuple(kept), schema_version=whole.schema_version)
    return Seen(bare, later_steps, later_outputs)


def instruction_of(trajectory: Trajectory) -> str:
    """Return what the user said before the agent's first step; empty where nothing is recorded.

    >>> ask = AtifStep(source="user", message="Fix it.")
    >>> instruction_of(Trajectory(agent="a", steps=(AtifStep(source="system", message="You are."), ask)))
    'Fix it.'
    """
    said = []
    for step in trajectory.steps:
        if step.source == "agent":
            break
        if step.source == "user" and step.message:
            said.append(step.message)
    return "\n\n".join(said)


def _unnamed(step: AtifStep) -> AtifStep:
    """A step without the model's name, and without tokens and money, which tell models apart.

    Every field is named: over thousands of steps `replace` takes three times as long.
    """
    return AtifStep(
        source=step.source, message=step.message, pictures=step.pictures, timestamp=step.timestamp,
        reasoning=step.reasoning, tool_calls=step.tool_calls, observations=step.observations, is_copied=step.is_copied,
    )  # fmt: skip


def _has_names(whole: Trajectory) -> bool:
    return any(observation.source_call_id for step in whole.steps for observation in step.observations)


def _answers(last: AtifStep, *, has_names: bool) -> tuple[Observation, ...]:
    """The observations of the last act that answer a call of it: by name, or by place where no step has names."""
    if not has_names:
        return last.observations[: len(last.tool_calls)]
    calls = {call.tool_call_id for call in last.tool_calls}
    return tuple(one for one in last.observations if one.source_call_id in calls)
