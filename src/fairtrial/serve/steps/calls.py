"""What a call of a tool is, whatever its harness calls it: a change, a command, code, a file written, or another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.formats.atif import AtifStep, ToolCall
from fairtrial.serve.steps.code import language_of
from fairtrial.serve.steps.diffs import is_change, path_of

CallKind = Literal["edit", "shell", "code", "write", "other"]

_COMMANDS = ("command", "cmd", "keystrokes", "commands", "bash", "script")
_CODE = ("code", "source", "cell")
_WRITTEN = ("file_text", "content", "contents", "text", "new_contents")
RAIL_MARKS: dict[str, str] = {"edit": "±", "write": "±", "shell": "$", "code": "$", "other": "›", "message": "¶"}
"""One sign for what a step does, from what weighs most to what weighs least."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call, as it is shown."""

    name: str
    """Empty for the one that says what the call does."""
    text: str
    language: str = ""


def kind_of(call: ToolCall) -> CallKind:
    """Return what kind of call it is.

    >>> kind_of(ToolCall(tool_call_id="", function_name="bash", arguments={"command": "ls"}))
    'shell'
    """
    arguments = call.arguments
    if is_change(arguments):
        return "edit"
    if path_of(arguments) and _first_text(arguments, _WRITTEN):
        return "write"
    if _first_text(arguments, _COMMANDS) and not path_of(arguments):
        return "shell"
    return "code" if _first_text(arguments, _CODE) else "other"


def arguments_of(call: ToolCall) -> tuple[Argument, ...]:
    """Return the arguments in the order to be read: what the call does first, and no name where there is but one."""
    kind = kind_of(call)
    chosen = {"shell": _COMMANDS, "code": _CODE, "write": _WRITTEN}.get(kind, ())
    main = _first_text(call.arguments, chosen)
    language = {"shell": "bash", "code": "python", "write": language_of(path_of(call.arguments))}.get(kind, "")
    found = [Argument("", call.arguments[main], language)] if main else []
    for name, value in call.arguments.items():
        if name != main:
            told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
            found.append(Argument("" if len(call.arguments) == 1 else name, told,
                                  "" if isinstance(value, str) else "json"))  # fmt: skip
    return tuple(found)


def mark_of(step: AtifStep) -> str:
    """Return the sign of what a step does."""
    kinds = {str(kind_of(call)) for call in step.tool_calls} or {"message"}
    return next(sign for kind, sign in RAIL_MARKS.items() if kind in kinds)


def _first_text(arguments: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if isinstance(arguments.get(name), str)), "")
