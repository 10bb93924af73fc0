"""What a trajectory shows that the agent did: its tool calls with what came back, and what users replied.

Messages, reasoning and answers of the agent are left out on purpose: they are claims. Shell commands are read by
`shell_commands`. Not covered: sub-agents, images, and what a tool does behind its own name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from fairtrial.checks.process.shell_commands import Ran, commands_of
from fairtrial.checks.process.shell_session import Session
from fairtrial.checks.process.status import statuses
from fairtrial.checks.protocol import Given
from fairtrial.formats.atif import AtifStep, Metrics, ToolCall, read_trajectory
from fairtrial.formats.atif import Trajectory as Atif

PATH_ARGUMENTS = ("path", "file_path", "filepath", "filename", "file", "target_file", "notebook_path")
TEXT_ARGUMENTS = ("content", "file_text", "contents", "text", "new_content")
COMMAND_ARGUMENTS = ("command", "cmd", "commands", "script", "keystrokes", "command_line", "bash_command")
CODE_ARGUMENTS = ("code", "python_code", "source")
_VERB = re.compile(r"[a-z]+(?:_[a-z]+)*")
"""What an editor is told to do with a file (`view`, `str_replace`): no command of a shell, as it names one file."""
CLAIMS = frozenset({"finish", "submit", "done", "complete", "final_answer", "attempt_completion", "task_complete",
                    "mark_task_complete", "think", "thought", "plan", "update_plan", "todo_write", "todowrite",
                    "write_todos", "task_tracker", "notes", "message", "respond", "say"})  # fmt: skip
"""Tools that act on nothing: what they are given is what the agent says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One tool call, and what came back of it."""

    step: int
    """Number of its step, from 1."""
    number: int
    """Its place in the whole trajectory."""
    tool: str
    arguments: Mapping[str, Any]
    observation: str
    is_shell: bool = False
    status: int | None = None
    """Exit status of a shell action, where the harness recorded it."""
    commands: tuple[Ran, ...] = ()
    """What a shell action ran."""

    @property
    def path(self) -> str:
        """Return the file that the call names; empty where it names none."""
        return next((str(self.arguments[name]) for name in PATH_ARGUMENTS if self.arguments.get(name)), "")

    @property
    def is_claim(self) -> bool:
        """Say whether the call acts on nothing."""
        return self.tool.lower() in CLAIMS


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a user said."""

    step: int
    text: str
    is_opening: bool
    """Said before the agent did anything: the task, not a reply."""


@dataclass(frozen=True)
class Trajectory(Given):
    """The actions of one attempt, and what they cost."""

    NAME: ClassVar[str] = "the trajectory of the attempt"

    document: Atif = field(default_factory=lambda: Atif(agent=""))

    @classmethod
    def read(cls, source: Path | bytes) -> Trajectory:
        """Read an ATIF file, or the bytes of one. Raise FormatError naming the field that is wrong."""
        return cls(read_trajectory(source))

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Return the tool calls, in order."""
        bare = list(self._bare())
        shells = [act for act in bare if act.is_shell]
        ended = iter(statuses(self.document.agent, [act.observation for act in shells]))
        session = Session()
        return tuple(_understood(act, next(ended) if act.is_shell else None, session) for act in bare)

    @cached_property
    def heard(self) -> tuple[Heard, ...]:
        """Return what users said, in order."""
        found: list[Heard] = []
        has_acted = False
        for number, step in enumerate(self.document.steps, start=1):
            has_acted = has_acted or step.source == "agent"
            if step.source == "user" and step.message:
                found.append(Heard(step=number, text=step.message, is_opening=not has_acted))
        return tuple(found)

    @property
    def turns(self) -> int:
        """Return how often the agent took its turn: its steps, or inferences where a step records several."""
        return sum(max(step.llm_calls or 1, 1) for step in self._own())

    @cached_property
    def spent(self) -> Metrics:
        """Return the totals: as stated or summed, whichever is more; None where some step of a model lacks them."""
        summed = Atif(agent="", steps=tuple(self._own())).totals()
        stated = self.document.stated or Metrics()
        asked = [step for step in self._own() if step.llm_calls != 0]
        return Metrics(**{
            name: _most(getattr(stated, name), getattr(summed, name), name, asked)
            for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
        })  # fmt: skip

    def _own(self) -> Iterator[AtifStep]:
        return (step for step in self.document.steps if step.source == "agent" and not step.is_copied)

    def _bare(self) -> Iterator[Act]:
        place = 0
        for number, step in enumerate(self.document.steps, start=1):
            if step.source != "agent":
                continue
            for call in step.tool_calls:
                yield Act(step=number, number=place, tool=call.function_name, arguments=call.arguments,
                          observation=_came_back(step, call), is_shell=_line(call.arguments) is not None)  # fmt: skip
                place += 1


def _most(stated: Any, summed: Any, name: str, asked: list[AtifStep]) -> Any:
    """Return what was spent: a sum that lacks a step is none, as it would be too small."""
    is_whole = all(step.metrics is not None and getattr(step.metrics, name) is not None for step in asked)
    known = [value for value in (stated, summed if is_whole and asked else None) if value is not None]
    return max(known) if known else None


def _came_back(step: AtifStep, call: ToolCall) -> str:
    """Return what came back of one call; what names no call belongs to the only one there is."""
    own = [seen.content for seen in step.observations if seen.source_call_id == call.tool_call_id]
    if not own and len(step.tool_calls) == 1:
        own = [seen.content for seen in step.observations]
    return "\n".join(own)


def _line(arguments: Mapping[str, Any]) -> str | list[str] | None:
    """Return the command that a call hands to a shell; None where it is no such call."""
    is_of_file = any(arguments.get(name) for name in PATH_ARGUMENTS)
    for name in COMMAND_ARGUMENTS:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip() and not (is_of_file and _VERB.fullmatch(value.strip())):
            return value
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return value
    return None


def _understood(act: Act, status: int | None, session: Session) -> Act:
    """Return the act with what it ran; what it leaves for later ones is remembered."""
    line = _line(act.arguments)
    commands: tuple[Ran, ...] = ()
    if line is not None:
        commands = commands_of(line if isinstance(line, str) else _quoted(line), session)
    elif (code := next((act.arguments[n] for n in CODE_ARGUMENTS if isinstance(act.arguments.get(n), str)), None)) and (
        not act.path
    ):
        commands = (Ran(words=(act.tool,), code=code),)
    elif act.path:
        text = next((act.arguments[n] for n in TEXT_ARGUMENTS if isinstance(act.arguments.get(n), str)), None)
        if text is not None:
            session.put(act.path, text)
    return Act(step=act.step, number=act.number, tool=act.tool, arguments=act.arguments, observation=act.observation,
               is_shell=act.is_shell, status=status, commands=commands)  # fmt: skip


def _quoted(words: list[str]) -> str:
    """Return a command line of separate words: what follows `bash -lc` stays one word."""
    return " ".join("'" + one.replace("'", "'\\''") + "'" for one in words)


def said(arguments: Mapping[str, Any]) -> str:
    """Return the arguments of a call as text that a pattern is searched in: values alone, one a line.

    >>> said({"order_id": "A-1", "amount": 12.5})
    'A-1\\n12.5'
    """
    return "\n".join(value if isinstance(value, str) else json.dumps(value) for value in arguments.values())
