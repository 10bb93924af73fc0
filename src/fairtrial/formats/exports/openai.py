"""`openai`: JSONL of chats as OpenAI's fine-tuning takes it; arguments of tool calls are JSON strings.

    sft          {messages, tools}; a turn that no model made has `weight` 0
    preferences  {input: {messages, tools}, preferred_output, non_preferred_output}, each one turn of the assistant

Reasoning is not part of the format, and is left away. Not covered: prompts (its reinforcement fine-tuning has graders
of its own).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.formats.exports.files import read_lines, write_lines
from fairtrial.formats.exports.messages import Place, message, prompt_messages, tools_of, turns_of
from fairtrial.formats.exports.protocol import File, Written
from fairtrial.formats.exports.rows import Demonstration, Kind, Pair, Row, Turn
from fairtrial.formats.exports.trl import parted
from fairtrial.records import FormatError

_SEVERAL_TURNS = "a preferred output is one turn of the assistant in this format"


class OpenAiExporter:
    """Writes and reads OpenAI's chat files."""

    name = "openai"
    kinds: frozenset[Kind] = frozenset({"sft", "preferences"})

    def write(self, rows: Sequence[Row], folder: Path) -> Written:
        """Write `train.jsonl`."""
        left_out = {
            number: _SEVERAL_TURNS
            for number, row in enumerate(rows)
            if isinstance(row, Pair) and not (len(row.chosen) == 1 and len(row.rejected) == 1)
        }
        kept = [number for number in range(len(rows)) if number not in left_out]
        path = folder / "train.jsonl"
        write_lines(path, (_document(rows[number]) for number in kept))
        unsaid = sum(any(turn.reasoning for turn in _turns(rows[number])) for number in kept)
        notes = (f"Reasoning is not part of the format: left away in {unsaid:,} rows.",) if unsaid else ()
        return Written(files=(File(path=path, of=tuple(kept)),), left_out=left_out, notes=notes)

    def read(self, path: Path) -> list[Row]:
        """Read chats and pairs."""
        return [_row(document, Place(path, line)) for line, document in read_lines(path)]


def _turns(row: Row) -> tuple[Turn, ...]:
    if isinstance(row, Pair):
        return (*row.chosen, *row.rejected)
    return row.reply if isinstance(row, Demonstration) else ()


def _document(row: Row) -> dict[str, Any]:
    if isinstance(row, Pair):
        asked = {"messages": _messages(prompt_messages(row.prompt)), **_tools(row.tools), "parallel_tool_calls": True}
        return {"input": asked, "preferred_output": _messages(row.chosen),
                "non_preferred_output": _messages(row.rejected)}  # fmt: skip
    assert isinstance(row, Demonstration)  # `kinds` names no other
    return {"messages": _messages((*prompt_messages(row.prompt), *row.reply)), **_tools(row.tools)}


def _messages(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [
        message(replace(turn, reasoning="", tool=""), as_text=True) | ({} if turn.is_trained else {"weight": 0})
        for turn in turns
    ]


def _tools(tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"tools": [dict(tool) for tool in tools]} if tools else {}


def _row(found: dict[str, Any], place: Place) -> Row:
    if "messages" in found:
        turns = turns_of(found["messages"], "messages", place)
        return Demonstration(**parted(turns, place), tools=tools_of(found.get("tools"), place))
    asked = found.get("input")
    if not isinstance(asked, Mapping):
        raise FormatError("has neither `messages` nor `input`", path=place.path, line=place.line)
    return Pair(
        prompt=turns_of(asked.get("messages"), "input.messages", place),
        chosen=turns_of(found.get("preferred_output"), "preferred_output", place),
        rejected=turns_of(found.get("non_preferred_output"), "non_preferred_output", place),
        tools=tools_of(asked.get("tools"), place),
    )
