"""Trajectories written down in few words, for the tests of this folder."""

from __future__ import annotations

from typing import Any

from fairtrial.checks.process import Trajectory
from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall
from fairtrial.formats.atif import Trajectory as Atif

Event = AtifStep


def call(tool: str, seen: str = "ok", /, **arguments: Any) -> Event:
    """One tool call in a step of its own."""
    return at_once((tool, arguments, seen))


def at_once(*calls: tuple[str, dict[str, Any], str], message: str = "") -> Event:
    """Several calls in one step."""
    return AtifStep(
        source="agent",
        message=message,
        tool_calls=tuple(
            ToolCall(tool_call_id=f"c{n}", function_name=t, arguments=a) for n, (t, a, _) in enumerate(calls)
        ),
        observations=tuple(Observation(content=seen, source_call_id=f"c{n}") for n, (_, _, seen) in enumerate(calls)),
        metrics=Metrics(prompt_tokens=100, completion_tokens=10, cost_usd=0.01),
    )


def sh(command: str, seen: str = "") -> Event:
    """One shell command."""
    return call("bash", seen, command=command)


def write(path: str, content: str = "x = 1\n") -> Event:
    """A file written by a tool."""
    return call("write_file", "File written.", path=path, content=content)


def user(text: str) -> Event:
    """A user's message."""
    return AtifStep(source="user", message=text)


def says(text: str) -> Event:
    """A message of the agent, without a call."""
    return AtifStep(
        source="agent", message=text, metrics=Metrics(prompt_tokens=100, completion_tokens=10, cost_usd=0.01)
    )


def seen(*events: Event, agent: str = "someone's") -> Trajectory:
    """The trajectory of `events`, after an instruction."""
    return Trajectory(Atif(agent=agent, steps=(user("Do the work. Ask, and refund, and say yes."), *events)))
