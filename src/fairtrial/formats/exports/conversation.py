"""A trajectory as a conversation to train on: prompt, reply, and which turns a model made.

Steps copied from an earlier trajectory are dropped, steps that no model made (`llm_call_count` 0) are kept as context
and marked as not trained on, and what comes after the model's last turn is cut off. Pictures are not taken along:
a trajectory that has any is for `has_pictures` to tell.
"""

from __future__ import annotations

from dataclasses import replace

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.formats.exports.rows import Turn


def conversation(trajectory: Trajectory) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """Return (prompt, reply); the reply is empty where no model made a turn.

    >>> told = Trajectory(agent="a", steps=(AtifStep(source="user", message="2+2"),
    ...                                     AtifStep(source="agent", message="4")))
    >>> prompt, reply = conversation(told)
    >>> [turn.content for turn in prompt], [turn.content for turn in reply]
    (['2+2'], ['4'])
    """
    steps = [step for step in trajectory.steps if not step.is_copied]
    first = next((at for at, step in enumerate(steps) if step.source == "agent"), len(steps))
    prompt = tuple(turn for step in steps[:first] for turn in _turns(step, first, False))
    reply = [turn for at, step in enumerate(steps[first:], first) for turn in _turns(step, at, at < len(steps) - 1)]
    while reply and not (reply[-1].role == "assistant" and reply[-1].is_trained):
        reply.pop()
    return prompt, tuple(reply)


def has_pictures(trajectory: Trajectory) -> bool:
    """Say whether a step that would be taken along holds an image."""
    return any(
        step.pictures or any(seen.pictures for seen in step.observations)
        for step in trajectory.steps
        if not step.is_copied
    )


def _turns(step: AtifStep, at: int, is_answered: bool) -> list[Turn]:
    """Return a step as turns; `is_answered`: a call of which nothing came back gets an empty answer."""
    if step.source != "agent":
        said = [step.message, *(seen.content for seen in step.observations)]
        return [Turn(role=step.source, content=text) for text in said if text]
    calls = tuple(
        call if call.tool_call_id else replace(call, tool_call_id=f"call_{at}_{n}")
        for n, call in enumerate(step.tool_calls)
    )
    made = Turn(role="assistant", content=step.message, reasoning=step.reasoning, tool_calls=calls,
                is_trained=step.llm_calls != 0)  # fmt: skip
    return [made, *_answers(calls, step.observations, is_answered)]


def _answers(calls: tuple[ToolCall, ...], seen: tuple[Observation, ...], is_answered: bool) -> list[Turn]:
    """Return what came back: of each call in its order, then what is of none, which the environment says as a user."""
    names = {call.tool_call_id for call in calls}
    alone = calls[0].tool_call_id if len(calls) == 1 else ""
    of_call: dict[str, list[str]] = {name: [] for name in names}
    rest: list[str] = []
    for one in seen:
        name = one.source_call_id if one.source_call_id in names else alone
        (of_call[name] if name else rest).append(one.content)
    told = [
        Turn(role="tool", content="\n".join(of_call[name]), call=name, tool=call.function_name)
        for call in calls
        if of_call[name := call.tool_call_id] or is_answered
    ]
    return [*told, *(Turn(role="user", content=text) for text in rest if text)]


def trajectory_of(turns: tuple[Turn, ...], *, agent: str, model: str) -> Trajectory:
    """Return a conversation as a trajectory; what came back from tools belongs to the step that called them."""
    steps: list[AtifStep] = []
    for turn in turns:
        if turn.role == "tool":
            seen = Observation(content=turn.content, source_call_id=turn.call)
            if steps and steps[-1].source == "agent":
                steps[-1] = replace(steps[-1], observations=(*steps[-1].observations, seen))
            else:  # an answer to a call that is not there
                steps.append(AtifStep(source="user", message=turn.content))
        elif turn.role == "assistant":
            steps.append(AtifStep(source="agent", message=turn.content, reasoning=turn.reasoning,
                                  tool_calls=turn.tool_calls, llm_calls=None if turn.is_trained else 0))  # fmt: skip
        else:
            steps.append(AtifStep(source=turn.role, message=turn.content))
    return Trajectory(agent=agent, model=model, steps=tuple(steps))
