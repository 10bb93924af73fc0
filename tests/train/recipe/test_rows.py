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
    first, last = {"prompt": CHAT[:1], "completion": CHAT[1:2]}, {"prompt": CHAT[:3], "completion": CHAT[3:]}
    rows: list[dict[str, Any]] = [{"messages": CHAT, "tools": TOOLS}, {"messages": CHAT, "tools": None}]
    assert read(tmp_path, *rows) == [first | {"tools": TOOLS}, last | {"tools": TOOLS}, first, last]


def test_a_turn_of_weight_0_and_one_that_opens_a_conversation_are_context_alone(tmp_path: Path) -> None:
    scripted = {"role": "assistant", "content": "by a script", "weight": 0}
    (row,) = read(tmp_path, {"messages": [CHAT[3], CHAT[0], scripted, CHAT[0], CHAT[3]]})
    assert row["completion"] == [CHAT[3]]
    assert [said["content"] for said in row["prompt"]] == ["a", "q", "by a script", "q"]


def test_a_conversation_without_a_turn_to_train_on_is_refused_by_line(tmp_path: Path) -> None:
    for said in (CHAT[:1], CHAT[3:], [CHAT[0], CHAT[3] | {"weight": 0}]):
        with pytest.raises(FormatError, match="no turn of the assistant") as caught:
            read(tmp_path, {"messages": CHAT}, {"messages": said})
        assert caught.value.line == 2


def test_a_turn_of_weight_0_within_a_completion_is_refused_by_line(tmp_path: Path) -> None:
    scripted = [{"role": "assistant", "content": "by a script", "weight": 0}, *CHAT[3:]]
    with pytest.raises(FormatError, match="weight 0") as caught:
        read(tmp_path, {"prompt": CHAT[:1], "completion": CHAT[3:]}, {"prompt": CHAT[:1], "completion": scripted})
    assert caught.value.line == 2
