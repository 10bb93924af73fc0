"""What a tool call asks for, told by its arguments: a line, a program, changes of files, a file, an address."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.attack.detectors.patches import Change, changes_of_diff, is_diff
from fairtrial.checks.process.trajectory import (
    CLAIMS,
    CODE_ARGUMENTS,
    COMMAND_ARGUMENTS,
    PATH_ARGUMENTS,
    TEXT_ARGUMENTS,
)
from fairtrial.formats.atif import ToolCall
from fairtrial.formats.atif_parts import call_text

_VERB = re.compile(r"[a-z]+(?:_[a-z]+)*")
_OLD = ("old_str", "old_string", "old", "search", "find", "old_text", "before", "original")
_NEW = ("new_str", "new_string", "new", "replace", "replacement", "new_text", "after", "updated", "insert_text", "text",
        "new_content")  # fmt: skip
_ADDRESS = ("url", "uri", "urls", "link", "href")
_QUERY = ("query", "q", "search_query", "search_term")
_PATCH = ("patch", "diff", "input", "patch_text")
_FETCHERS = re.compile(r"web|fetch|brows|http|search_(?:web|internet)|google|url", re.IGNORECASE)
_DELETES = re.compile(r"delete|remove|unlink", re.IGNORECASE)
_LANGUAGES = re.compile(r"javascript|node|ruby|perl|\bR\b|julia|bash|shell", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call, understood."""

    tool: str
    kind: Literal["shell", "code", "write", "edit", "read", "fetch", "say", "call"]
    text: str = ""
    language: str = "python"
    paths: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


def asked(call: ToolCall) -> Asked:
    """Return what a call asks for.

    >>> asked(ToolCall(tool_call_id="c", function_name="bash", arguments={"command": "ls"})).kind
    'shell'
    >>> asked(ToolCall(tool_call_id="c", function_name="view", arguments={"path": "a.py"})).paths
    ('a.py',)
    """
    tool, given = call.function_name, call.arguments
    path = next((str(given[name]) for name in PATH_ARGUMENTS if isinstance(given.get(name), str) and given[name]), "")
    line = _line(given, path)
    if line is not None:
        return Asked(tool=tool, kind="shell", text=line)
    if tool.lower() in CLAIMS:
        return Asked(tool=tool, kind="say", text=call_text(call))
    patch = next((given[n] for n in (*_PATCH, *given) if isinstance(given.get(n), str) and is_diff(given[n])), None)
    if patch is not None and (changes := changes_of_diff(patch)):
        return Asked(tool=tool, kind="edit", changes=changes)
    code = next((given[n] for n in CODE_ARGUMENTS if isinstance(given.get(n), str)), None)
    if code is not None and not path:
        named = _LANGUAGES.search(f"{tool} {given.get('language', '')}")
        return Asked(tool=tool, kind="code", text=code, language=named[0].lower() if named else "python")
    if path and (changes := _changes(tool, given, path)):
        return Asked(tool=tool, kind="write" if changes[0].is_new else "edit", changes=changes)
    return _looked(call, tool, given, path)


def _looked(call: ToolCall, tool: str, given: Mapping[str, Any], path: str) -> Asked:
    """Return a call that changes no file: a fetch, a look at a file, or a tool of the task's own."""
    address = next((str(given[name]) for name in _ADDRESS if given.get(name)), "")
    if address or _FETCHERS.search(tool):
        sought = address or next((str(given[name]) for name in _QUERY if given.get(name)), "")
        return Asked(tool=tool, kind="fetch", text=call_text(call), paths=(sought,) if sought else ())
    if path:
        return Asked(tool=tool, kind="read", text=call_text(call), paths=(path,))
    return Asked(tool=tool, kind="call", text=call_text(call))


def _line(given: Mapping[str, Any], path: str) -> str | None:
    for name in COMMAND_ARGUMENTS:
        value = given.get(name)
        if isinstance(value, str) and value.strip() and not (path and _VERB.fullmatch(value.strip())):
            return value
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return " ".join("'" + one.replace("'", "'\\''") + "'" for one in value)
    return None


def _changes(tool: str, given: Mapping[str, Any], path: str) -> tuple[Change, ...]:
    verb = f"{given.get('command', '')} {tool}".lower()
    if any(word in verb for word in ("view", "read", "cat ", "open", "grep", "search", "list")) and not any(
        given.get(name) for name in (*_OLD, *TEXT_ARGUMENTS)
    ):
        return ()
    if isinstance(given.get("edits"), list):
        pairs = [one for one in given["edits"] if isinstance(one, dict)]
        return tuple(Change(path, _first(one, _OLD), _first(one, _NEW)) for one in pairs)
    old = next((name for name in _OLD if isinstance(given.get(name), str)), None)
    if old is not None:
        return (Change(path, str(given[old]), _first(given, _NEW)),)
    text = next((given[name] for name in TEXT_ARGUMENTS if name in given), None)
    if text is not None and "insert" not in verb and "append" not in verb:
        whole = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str)
        return (Change(path, "", whole, is_new=True),)
    new = _first(given, (*_NEW, *TEXT_ARGUMENTS))
    if new:
        return (Change(path, "", new),)
    return (Change(path, "", "", is_removed=True),) if _DELETES.search(verb) else ()


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((given[name] for name in names if isinstance(given.get(name), str)), "")
