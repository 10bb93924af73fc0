"""A step of a trajectory as the parts that can be read and cited, each with its place and its text.

What a reviewer sees, what a citation quotes and what a detector reads are these texts, and no others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.formats.atif import AtifStep, ToolCall, Trajectory
from fairtrial.formats.atif_content import Picture

PartKind = Literal["message", "reasoning", "call", "output"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a step."""

    place: str
    """As a citation names it: `step 7 output 1`."""
    step: int
    """Counted from 1."""
    kind: PartKind
    title: str
    """Name of the tool, for a call and for its output; empty otherwise."""
    text: str
    number: int = 0
    """Of a call or an output, counted from 1 within the step; 0 for what a step has once."""
    call: ToolCall | None = None
    """The call itself; of an output, the call that it answers."""
    pictures: tuple[Picture, ...] = ()
    """Of a message or an output; its text may be empty where it has some."""


def parts_of(number: int, step: AtifStep) -> tuple[Part, ...]:
    """Return the parts of step `number` in the order in which they came about.

    >>> from fairtrial.formats.atif import Observation
    >>> call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "ls"})
    >>> step = AtifStep(source="agent", message="Look.", tool_calls=(call,), observations=(Observation(content="a"),))
    >>> [(part.place, part.text) for part in parts_of(3, step)]
    [('step 3 message', 'Look.'), ('step 3 call 1', 'ls'), ('step 3 output 1', 'a')]
    """
    found = []
    if step.reasoning:
        found.append(
            Part(place=f"step {number} reasoning", step=number, kind="reasoning", title="", text=step.reasoning)
        )
    if step.message or step.pictures:
        found.append(Part(place=f"step {number} message", step=number, kind="message", title="", text=step.message,
                          pictures=step.pictures))  # fmt: skip
    calls = {call.tool_call_id: call for call in step.tool_calls if call.tool_call_id}
    for at, call in enumerate(step.tool_calls, start=1):
        found.append(Part(place=f"step {number} call {at}", step=number, kind="call", title=call.function_name,
                          text=call_text(call), number=at, call=call))  # fmt: skip
    for at, output in enumerate(step.observations, start=1):
        answered = calls.get(output.source_call_id)
        found.append(Part(place=f"step {number} output {at}", step=number, kind="output", number=at,
                          title=answered.function_name if answered else "", text=output.content,
                          call=answered, pictures=output.pictures))  # fmt: skip
    return tuple(found)


def all_parts(trajectory: Trajectory) -> Iterator[Part]:
    """Yield the parts of every step."""
    for number, step in enumerate(trajectory.steps, start=1):
        yield from parts_of(number, step)


def call_text(call: ToolCall) -> str:
    """Return the arguments as text: the one argument alone, several as `name: value`, nothing escaped.

    >>> call_text(ToolCall(tool_call_id="c", function_name="edit", arguments={"path": "a.py", "line": 3}))
    'path: a.py\\nline: 3'
    """
    if len(call.arguments) == 1:
        return _text(next(iter(call.arguments.values())))
    return "\n".join(f"{name}: {_text(value)}" for name, value in call.arguments.items())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
