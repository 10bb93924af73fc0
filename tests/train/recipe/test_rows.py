"""Attacks: what a set says of tools must reach the trainer, and what is not to be trained on must not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.records import FormatError
from fairtrial.train.recipe.rows import read_rows

CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": {"at": 1}}}
CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "q"}, {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "content": "seen", "tool_call_id": "c", "name": "look"}, {"role": "assistant", "content": "a"},
]  # fmt: skip
TOOLS = [{"type": "function", "function": {"name": "look"}}]


def read(folder: Path, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_rows(path, "sft")


def test_calls_answers_and_definitions_of_tools_go_along(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"messages": CHAT, "tools": TOOLS}, {"messages": CHAT, "tools": None}]
    assert read(tmp_path, *rows) == [rows[0], {"messages": CHAT}]


def test_a_turn_of_weight_0_is_refused_by_line(tmp_path: Path) -> None:
    scripted = [*CHAT, {"role": "assistant", "content": "by a script", "weight": 0}]
    with pytest.raises(FormatError, match="weight 0") as caught:
        read(tmp_path, {"messages": CHAT}, {"messages": scripted})
    assert caught.value.line == 2
