"""The criteria of rewardkit, by name, as declared checks of ours."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

DEFAULT_TIMEOUTS = {"command": 30, "http": 10}


@dataclass(frozen=True, slots=True)
class Declares:
    """What one criterion becomes: a check by its name with parameters, and what it means otherwise."""

    use: str
    parameters: Mapping[str, Any]
    differs: str = ""
    paths: tuple[str, ...] = field(default=())


class NoCounterpart(Exception):  # noqa: N818 - a limit of translation, no error
    """The criterion cannot be said with our checks."""


SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "command_output_contains": ("cmd", "text", "cwd", "timeout"),
    "command_output_matches": ("cmd", "expected", "cwd", "timeout"),
    "command_output_matches_regex": ("cmd", "pattern", "cwd", "timeout"),
    "command_succeeds": ("cmd", "cwd", "timeout"),
    "csv_cell_equals": ("path", "row", "col", "expected"),
    "diff_ratio": ("path", "expected"),
    "file_contains": ("path", "text"),
    "file_contains_regex": ("path", "pattern"),
    "file_exists": ("path",),
    "file_matches": ("path", "expected"),
    "file_not_exists": ("path",),
    "files_equal": ("path1", "path2"),
    "http_response_contains": ("url", "text", "timeout"),
    "http_status_equals": ("url", "status", "timeout"),
    "image_similarity": ("path1", "path2"),
    "image_size_equals": ("path", "width", "height"),
    "json_key_equals": ("path", "key", "expected"),
    "json_path_equals": ("path", "json_path", "expected"),
    "sqlite_query_equals": ("db_path", "query", "expected"),
    "trajectory_tool_not_used": ("tool_name", "path"),
    "trajectory_tool_used": ("tool_name", "min_count", "path"),
    "trajectory_turn_count": ("max_turns", "path"),
    "xlsx_cell_equals": ("path", "cell", "expected", "sheet"),
}
"""Criterion -> its parameters in order, without the workspace."""
OF_ALL = ("weight", "name", "isolated")
A_SHARE = "gives a share between 0 and 1 there; here it passes at 1 alone"


def declared(name: str, given: Mapping[str, Any], workspace: str) -> Declares:
    """Return the check that says what the criterion `name` says. Raise NoCounterpart where none does."""
    if name not in TRANSLATIONS:
        raise NoCounterpart("rewardkit has no such criterion, so it is one of the folder's own")
    try:
        return TRANSLATIONS[name](_Given(given, workspace))
    except KeyError as error:
        raise NoCounterpart(f"it lacks the argument {error}") from None


@dataclass(frozen=True, slots=True)
class _Given:
    """The arguments of one criterion."""

    values: Mapping[str, Any]
    workspace: str

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def path(self, name: str = "path") -> str:
        return posixpath.normpath(posixpath.join(self.workspace, str(self.values[name])))

    def text(self, name: str) -> str:
        value = self.values[name]
        if not isinstance(value, str):
            raise NoCounterpart(f"`{name}` should be a text, not {value!r:.40}")
        return value

    def folder(self) -> str:
        cwd = self.values.get("cwd")
        return posixpath.normpath(posixpath.join(self.workspace, str(cwd))) if cwd else self.workspace

    def seconds(self, kind: str) -> float:
        return float(self.values.get("timeout", DEFAULT_TIMEOUTS[kind]))


def _stated(value: Any) -> dict[str, Any]:
    """Return `equals` for a plain value, `equals_json` for what TOML cannot say."""
    if isinstance(value, bool | int | float | str):
        return {"equals": value}
    try:
        return {"equals_json": json.dumps(value)}
    except (TypeError, ValueError):
        raise NoCounterpart(f"{value!r:.40} is no JSON") from None


def _cell(value: Any) -> Any:
    if value is None:
        return {"null": True}
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    if isinstance(value, bool | int | float | str):
        return value
    raise NoCounterpart(f"a cell cannot be {value!r:.40}")


def _command(given: _Given, **other: Any) -> Declares:
    run = {"seconds": given.seconds("command")}
    return Declares("command_output", {"command": given.text("cmd"), "folder": given.folder(), "run": run} | other)


def _file_contains(given: _Given) -> Declares:
    if not given.text("text"):
        return Declares("file_exists", {"path": given.path()})
    return Declares("file_text", {"path": given.path(), "contains": given["text"]})


def _csv(given: _Given) -> Declares:
    column = given["col"]
    if not isinstance(column, int | str) or isinstance(column, bool):
        raise NoCounterpart("`col` should be a name or a number")
    if not isinstance(given["row"], int) or given["row"] < 0:
        raise NoCounterpart("`row` should be a number from 0")
    header = {} if isinstance(column, str) else {"header": False}
    cell = {"column": column, "row": given["row"], "equals": given.text("expected")}
    return Declares("csv_cell", {"path": given.path()} | cell | header)


def _json_path(given: _Given) -> Declares:
    at = "$" + "".join(map(_step, given.text("json_path").split(".")))
    return Declares("json_value", {"path": given.path(), "at": at} | _stated(given["expected"]))


def _step(segment: str) -> str:
    """Return a step of a JSONPath; digits count in a list and name in an object, as they do there.

    >>> _step("a"), _step("0"), _step("a b")
    ('.a', '.0', '["a b"]')
    """
    return f".{segment}" if re.fullmatch(r"[\w-]+", segment) else f"[{json.dumps(segment)}]"


def _similar(given: _Given) -> Declares:
    stated = {"path": given.path(), "text": given.text("expected"), "at_least": 1.0}
    return Declares("file_similar", stated, A_SHARE)


def _image_similar(given: _Given) -> Declares:
    stated = {"path": given.path("path1"), "same_as": given.path("path2"), "measure": "pixels", "at_least": 1.0}
    return Declares("image_similar", stated, A_SHARE)


def _xlsx(given: _Given) -> Declares:
    sheet = given.values.get("sheet")
    stated = {"path": given.path(), "cell": given.text("cell"), "equals": _cell(given["expected"])}
    return Declares("xlsx_cell", stated | ({"sheet": sheet} if sheet else {}))


def _turns(given: _Given) -> Declares:
    differs = "gives a share beyond the limit there, down to 0 at twice as many turns; here it fails beyond it"
    return Declares("turns", {"budget": given["max_turns"]}, differs)


def _used(given: _Given) -> Declares:
    times = given.values.get("min_count", 1)
    if times < 1:
        raise NoCounterpart("`min_count` below 1 holds always")
    return Declares("required", {"action": {"tool": given.text("tool_name")}, "times": times})


TRANSLATIONS: Mapping[str, Callable[[_Given], Declares]] = {
    "command_output_contains": lambda g: _command(g, contains=g.text("text")),
    "command_output_matches": lambda g: _command(g, equals=g.text("expected")),
    "command_output_matches_regex": lambda g: _command(g, regex=g.text("pattern")),
    "command_succeeds": lambda g: Declares(
        "command_succeeds", {"command": g.text("cmd"), "folder": g.folder(), "seconds": g.seconds("command")}
    ),
    "csv_cell_equals": _csv,
    "diff_ratio": _similar,
    "file_contains": _file_contains,
    "file_contains_regex": lambda g: Declares("file_text", {"path": g.path(), "regex": g.text("pattern")}),
    "file_exists": lambda g: Declares("file_exists", {"path": g.path(), "kind": "any"}),
    "file_matches": lambda g: Declares("file_equals", {"path": g.path(), "text": g.text("expected"), "trim": True}),
    "file_not_exists": lambda g: Declares("file_absent", {"path": g.path()}),
    "files_equal": lambda g: Declares(
        "file_equals", {"path": g.path("path1"), "same_as": g.path("path2"), "trim": True}
    ),
    "http_response_contains": lambda g: Declares(
        "http_response", {"url": g.text("url"), "status": 0, "contains": g.text("text"), "seconds": g.seconds("http")}
    ),
    "http_status_equals": lambda g: Declares(
        "http_response", {"url": g.text("url"), "status": g.values.get("status", 200), "seconds": g.seconds("http")}
    ),
    "image_similarity": _image_similar,
    "image_size_equals": lambda g: Declares("image_is", {"path": g.path(), "width": g["width"], "height": g["height"]}),
    "json_key_equals": lambda g: Declares(
        "json_value", {"path": g.path(), "at": f"${_step(g.text('key'))}"} | _stated(g["expected"])
    ),
    "json_path_equals": _json_path,
    "sqlite_query_equals": lambda g: Declares(
        "sqlite_cell",
        {"database": g.path("db_path"), "query": g.text("query"), "equals": _cell(g["expected"]), "first": True},
    ),
    "trajectory_tool_not_used": lambda g: Declares("forbidden", {"action": {"tool": g.text("tool_name")}}),
    "trajectory_tool_used": _used,
    "trajectory_turn_count": _turns,
    "xlsx_cell_equals": _xlsx,
}
