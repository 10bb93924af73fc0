"""Read check results, of one rollout (a JSON object) or of many (JSONL), and score the many by group.

A line is `{"task", "group"?, "rollout"?, "checks": {name: bool or null}, "values"?: {name: number}, "reward"?}`, with
what the rollout cost beside it (`output_tokens`, ...). Rollouts of one task and group are told apart by the measures of
the grading.toml; without `group`, those of one task are one group.
"""

from __future__ import annotations

import contextlib
import json
import math
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from fairtrial.checks.aggregation import OWN_MEASURES, Row, Rules, Score, Scorer
from fairtrial.grade.reward import differs
from fairtrial.records import FormatError, InputError

SCHEMA = "fairtrial.scores/1"


@dataclass(slots=True)
class Rollouts:
    """The lines of a JSONL, by group, in the order of the file."""

    path: Path
    names: list[dict[str, Any]] = field(default_factory=list)
    """What each line is called, and the reward that its grader wrote."""
    rows: list[Row] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    groups: dict[tuple[str, str], list[int]] = field(default_factory=dict)


def read_results(path: Path, rules: Rules) -> dict[str, bool | None] | Rollouts:
    """Return what `path` holds. Raise FormatError with line and field for what is neither."""
    try:
        text = path.read_bytes().removeprefix(BOM_UTF8)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    lines = text.split(b"\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is not None and _is_row(lines[first]):
        return _read_rows(path, lines, _measured(rules))
    try:
        content: Any = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from error
    if not isinstance(content, dict):
        raise FormatError("is not a JSON object of check names to true, false or null", path=path)
    if twin := _twin(text, content):
        raise FormatError("stands twice in one object", path=path, field=twin)
    if wrong := _wrong_result(content):
        raise FormatError("should be true, false or null", path=path, field=wrong)
    return content


def score_rollouts(rules: Rules, rollouts: Rollouts) -> dict[str, Any]:
    """Return the document of many rollouts. Raise FormatError with the line whose checks are not those of `rules`."""
    scorer = Scorer(rules)
    rows: list[dict[str, Any]] = [{}] * len(rollouts.rows)
    for members in rollouts.groups.values():
        try:
            found = scorer.group([rollouts.rows[index] for index in members])
        except InputError:
            _raise_with_line(scorer, rollouts, members)
            raise
        for index, score in zip(members, found, strict=True):
            rows[index] = _row(rollouts.names[index], score)
    known = [row["score"] for row in rows if row["score"] is not None]
    return {
        "schema": SCHEMA,
        "rollouts": len(rows),
        "groups": len(rollouts.groups),
        "correct": sum(row["correct"] is True for row in rows),
        "not_measured": len(rows) - len(known),
        "mean_score": math.fsum(known) / len(known) if known else None,
        "rewards_differ": sum(row.get("reward_differs", False) for row in rows),
        "rows": rows,
    }


def _raise_with_line(scorer: Scorer, rollouts: Rollouts, members: list[int]) -> None:
    for index in members:
        try:
            scorer.score(rollouts.rows[index].checks)
        except InputError as error:
            raise FormatError(error.what, path=rollouts.path, line=rollouts.lines[index], field="checks") from error


def _row(name: Mapping[str, Any], score: Score) -> dict[str, Any]:
    row = {**name, **score.row()}
    if "reward_written" in name:
        row["reward_differs"] = differs(name["reward_written"], score.score)
    return row


def _is_row(line: bytes) -> bool:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and isinstance(value.get("checks"), dict)


def _twin(text: bytes, value: Mapping[str, Any]) -> str:
    """Return a key that stands twice in one object of `text`, whose `value` keeps the last; empty if there is none.

    A key has a colon after it, so as many colons as keys end the search: that is so of most lines, and quick.
    """
    if text.count(b":") == len(value) + sum(len(inner) for inner in value.values() if isinstance(inner, dict)):
        return ""
    twins: list[str] = []

    def seen(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            twins.append(next(name for name in names if names.count(name) > 1))
        return made

    with contextlib.suppress(ValueError, RecursionError):  # numbers and depths that orjson reads and json does not
        json.loads(text, object_pairs_hook=seen)
    return twins[0] or "(empty name)" if twins else ""


def _measured(rules: Rules) -> tuple[str, ...]:
    return tuple(measure.name for measure in rules.efficiency)


def _read_rows(path: Path, lines: list[bytes], measured: tuple[str, ...]) -> Rollouts:
    rollouts = Rollouts(path)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value: Any = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise FormatError(f"is not JSON: {error.msg}", path=path, line=number) from error
        if isinstance(value, dict) and (twin := _twin(line, value)):
            raise FormatError("stands twice in one object", path=path, line=number, field=twin)
        name, row = _read_row(value, measured, path, number)
        rollouts.groups.setdefault((name["task"], name["group"]), []).append(len(rollouts.rows))
        rollouts.names.append(name)
        rollouts.rows.append(row)
        rollouts.lines.append(number)
    return rollouts


def _read_row(value: Any, measured: tuple[str, ...], path: Path, line: int) -> tuple[dict[str, Any], Row]:
    def wrong(what: str, field: str) -> FormatError:
        return FormatError(what, path=path, line=line, field=field)

    if not isinstance(value, dict):
        raise wrong("is not a JSON object", "")
    checks = value.get("checks")
    if not isinstance(checks, dict):
        raise wrong("should be an object: check -> true, false or null", "checks")
    if lacking := _wrong_result(checks):
        raise wrong("should be true, false or null", f"checks.{lacking}")
    name = {"task": value.get("task"), "group": value.get("group") or "", "rollout": value.get("rollout") or ""}
    for field_ in ("task", "group", "rollout"):
        if not isinstance(name[field_], str):
            raise wrong("should be a text", field_)
    reward = value.get("reward")
    if reward is not None:
        if not _is_number(reward):
            raise wrong("should be a number", "reward")
        name["reward_written"] = reward
    try:
        values = _values(value, measured) if measured else {}
    except ValueError as error:
        raise wrong("should be a number, or null", str(error)) from error
    return name, Row(checks=checks, values=values)


def _values(value: Mapping[str, Any], measured: tuple[str, ...]) -> dict[str, float]:
    """Return the figures that the rules measure. Raise ValueError naming one that is no number."""
    stated = value.get("values") or {}
    if not isinstance(stated, dict):
        raise ValueError("values")
    found: dict[str, float] = {}
    for name in measured:
        figure = stated.get(name)
        if figure is None and name in OWN_MEASURES:
            figure = value.get(name)
        if figure is None and name == "tokens" and value.get("input_tokens") is not None:
            figure = _sum(value, ("input_tokens", "output_tokens"))
        if figure is None:
            continue
        if not _is_number(figure):
            raise ValueError(f"values.{name}" if name in stated else name)
        found[name] = figure
    return found


def _sum(value: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    parts = [value.get(name) for name in names]
    for name, part in zip(names, parts, strict=True):
        if part is not None and not _is_number(part):
            raise ValueError(name)
    return None if None in parts else sum(part for part in parts if part is not None)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _wrong_result(checks: Mapping[str, Any]) -> str:
    """Return the name of the first check whose result is neither true, false nor null; empty if there is none."""
    for name, result in checks.items():
        if result is not True and result is not False and result is not None:
            return name or "(empty name)"
    return ""
