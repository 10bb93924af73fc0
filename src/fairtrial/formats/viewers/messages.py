"""A rollout as chat messages, in the one shape that Inspect, Scout and Docent share.

Every step is written, copied ones and those that no model made too; each message names in its metadata the place that
citations name (`step 7 output 1`). Pictures are not carried: a line stands where one was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairtrial.formats.atif import AtifStep, Trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.viewers.shown import Shown

Message = dict[str, Any]


def messages_of(shown: Shown) -> list[Message]:
    """Return the messages; where no steps are known the answer alone, and none where there is none either."""
    if shown.trajectory is None:
        answer = shown.rollout.answer
        found = [] if answer is None else [_message("assistant", answer, place="answer")]
    else:
        found = list(_of_trajectory(shown.trajectory))
    return [{"id": f"{shown.id}-{number}", **message} for number, message in enumerate(found, 1)]


def pictures_in(trajectory: Trajectory | None) -> int:
    """Return how many pictures a trajectory names."""
    steps = trajectory.steps if trajectory else ()
    return sum(len(step.pictures) + sum(len(seen.pictures) for seen in step.observations) for step in steps)


def _of_trajectory(trajectory: Trajectory) -> Iterator[Message]:
    for number, step in enumerate(trajectory.steps, 1):
        if step.source == "agent":
            yield _said(number, step, trajectory.model)
        elif step.message or step.pictures or not step.observations:
            yield _message(step.source, _text(step.message, step.pictures), step=number, place=f"step {number} message",
                           **_times(step))  # fmt: skip
        yield from _seen(number, step)


def _said(number: int, step: AtifStep, model: str) -> Message:
    text = _text(step.message, step.pictures)
    content: str | list[dict[str, Any]] = text
    if step.reasoning:
        content = [{"type": "reasoning", "reasoning": step.reasoning}]
        content += [{"type": "text", "text": text}] if text else []
    marks: dict[str, Any] = {"is_copied": True} if step.is_copied else {}
    marks |= {"llm_calls": step.llm_calls} if step.llm_calls is not None else {}
    told = _message("assistant", content, step=number, place=f"step {number}", **_times(step), **marks)
    calls = [
        {"id": call.tool_call_id or f"step-{number}-call-{at}", "function": call.function_name,
         "arguments": dict(call.arguments), "type": "function"}
        for at, call in enumerate(step.tool_calls, 1)
    ]  # fmt: skip
    told |= {"tool_calls": calls} if calls else {}
    return told | ({"model": step.model or model} if step.model or model else {})


def _seen(number: int, step: AtifStep) -> Iterator[Message]:
    """Yield what came back: of a call as its tool's message, of none as the user's."""
    named = {call.tool_call_id: call.function_name for call in step.tool_calls if call.tool_call_id}
    alone = step.tool_calls[0] if len(step.tool_calls) == 1 else None
    for at, seen in enumerate(step.observations, 1):
        where: dict[str, Any] = {"step": number, "place": f"step {number} output {at}"}
        text = _text(seen.content, seen.pictures)
        if seen.source_call_id in named:
            yield {**_message("tool", text, **where), "tool_call_id": seen.source_call_id,
                   "function": named[seen.source_call_id]}  # fmt: skip
        elif alone is not None:
            yield {**_message("tool", text, **where), "tool_call_id": alone.tool_call_id or f"step-{number}-call-1",
                   "function": alone.function_name}  # fmt: skip
        else:
            yield _message("user", text, **where)


def _message(role: str, content: str | list[dict[str, Any]], **metadata: Any) -> Message:
    return {"role": role, "content": content, "metadata": metadata}


def _times(step: AtifStep) -> dict[str, Any]:
    return {"timestamp": step.timestamp} if step.timestamp else {}


def _text(text: str, pictures: tuple[Picture, ...]) -> str:
    r"""Return a text with a line where each picture stood.

    >>> _text("before", (Picture(media_type="image/png", path="a.png", at=6),))
    'before\n[a picture, image/png, that is not carried along]'
    """
    told, begun = [], 0
    for picture in sorted(pictures, key=lambda one: one.at):
        told += [text[begun : picture.at].removeprefix("\n")] if picture.at > begun else []
        told.append(f"[a picture, {picture.media_type or 'of no stated kind'}, that is not carried along]")
        begun = max(begun, picture.at)
    return "\n".join([*told, text[begun:].removeprefix("\n")] if begun < len(text) else told) if pictures else text
