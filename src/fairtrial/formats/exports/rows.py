"""What is exported: one row of a training set, in no format yet. A turn of a conversation is one message.

A prompt is a text, or turns before the first one that the model made. A reply is what the model made, with what came
back from its tools in between; it ends with a turn that is trained on. Not covered: how a row is chosen
(`train.sets`), and how it is written (one file a format).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fairtrial.formats.atif import ToolCall, Trajectory

Kind = Literal["sft", "preferences", "prompts"]
Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message."""

    role: Role
    content: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    call: str = ""
    """Id of the tool call that a `tool` turn answers."""
    tool: str = ""
    """Name of that tool."""
    is_trained: bool = True
    """False for an assistant's turn that no model made; what is not the assistant's is never trained on."""


Prompt = str | tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a row is from. It stands in `origins.jsonl` beside the set, not in the rows that a trainer reads."""

    task: str = ""
    suite: str = ""
    task_hash: str = ""
    family: str = ""
    cluster: str = ""
    rollouts: tuple[str, ...] = ()
    """Ids: the demonstration; chosen and rejected of a pair; none for a prompt."""
    models: tuple[str, ...] = ()
    """Who made them, in that order."""

    def document(self) -> dict[str, Any]:
        """Return the JSON object; what is empty is left out."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """A row to imitate."""

    prompt: Prompt
    reply: tuple[Turn, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    """Definitions of the tools, as OpenAI function schemas."""
    trajectory: Trajectory | None = field(default=None, compare=False)
    """As it is in the ledger; None where it was made from a prompt and an answer."""
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two replies to one prompt, of which one is better."""

    prompt: Prompt
    chosen: tuple[Turn, ...]
    rejected: tuple[Turn, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A prompt to sample from, with what its answer is held against. The answer is for the reward, never the policy."""

    prompt: Prompt
    answer: str | None
    """None where the grader is more than an answer (a task with an environment)."""
    kind: str = "exact"
    """How answers are compared: `exact`, or a kind of `compare`."""
    part: str = "whole"
    """Which part of a completion is its answer."""
    rate: float | None = None
    """Pass rate of the model that was measured; None where it was not asked for."""
    graded: int = 0
    """Attempts that the rate rests on."""
    origin: Origin = Origin()


Row = Demonstration | Pair | Question


def text_of(turns: tuple[Turn, ...]) -> str:
    """Return the text of a reply of one assistant's turn.

    >>> text_of((Turn(role="assistant", content="1349"),))
    '1349'
    """
    return turns[0].content


def is_one_text(turns: tuple[Turn, ...]) -> bool:
    """Say whether a reply is one turn of the assistant, with content alone."""
    return len(turns) == 1 and turns[0].role == "assistant" and not turns[0].tool_calls and not turns[0].reasoning
