"""`verl`: Parquet as verl's RLHFDataset reads it, with the reward function beside it; Parquet of chats for its SFT.

    prompts  train.parquet {data_source, prompt, ability, reward_model{style, ground_truth}, extra_info{split, index,
             task, kind, part, rate, graded}}, reward.py
    sft      train.parquet {messages}

A prompt that is a text becomes one turn of the user: verl puts every prompt through the chat template. Not covered:
preferences, of which verl has no trainer that reads files; chats with tool calls, whose arguments differ from row to
row where a column of Parquet has one type (`trl` writes these).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.formats.exports import verl_reward
from fairtrial.formats.exports.files import read_parquet, write_bytes
from fairtrial.formats.exports.messages import Place, prompt_messages, turns_of
from fairtrial.formats.exports.protocol import File, Written
from fairtrial.formats.exports.rows import Demonstration, Kind, Origin, Question, Row, Turn
from fairtrial.formats.exports.trl import parted
from fairtrial.records import FormatError, InputError

_MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
_PROMPTS = pa.schema([
    ("data_source", pa.string()),
    ("prompt", _MESSAGES),
    ("ability", pa.string()),
    ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
    ("extra_info", pa.struct([("split", pa.string()), ("index", pa.int64()), ("task", pa.string()),
                              ("kind", pa.string()), ("part", pa.string()), ("rate", pa.float64()),
                              ("graded", pa.int64())])),
])  # fmt: skip
_SFT = pa.schema([("messages", _MESSAGES)])
_NO_TOOLS = "tool calls do not fit a column of Parquet; export to trl"
_PARTLY = "holds turns that no model made, which verl's loss cannot leave out; export to trl"
_NO_ANSWER = "no answer is known, and the reward function compares answers"


class VerlExporter:
    """Writes and reads verl's Parquet."""

    name = "verl"
    kinds: frozenset[Kind] = frozenset({"sft", "prompts"})

    def write(self, rows: Sequence[Row], folder: Path) -> Written:
        """Write `train.parquet`, and for prompts `reward.py`. Raise InputError where no prompt has an answer."""
        left_out = {number: why for number, row in enumerate(rows) if (why := _unfit(row))}
        kept = [number for number in range(len(rows)) if number not in left_out]
        if rows and not kept:
            hint = "Tasks with their answers come in by --tasks FILE." if left_out[0] == _NO_ANSWER else None
            raise InputError(f"no row can be said in this format: {left_out[0]}", field="--format", hint=hint)
        asked = bool(rows) and isinstance(rows[0], Question)
        documents = [_document(rows[number], at) for at, number in enumerate(kept)]
        path = folder / "train.parquet"
        table = pa.Table.from_pylist(documents, schema=_PROMPTS if asked else _SFT)
        buffer = pa.BufferOutputStream()
        pq.write_table(table, buffer, compression="zstd")
        write_bytes(path, buffer.getvalue().to_pybytes())
        files = [File(path=path, of=tuple(kept))]
        if asked:
            reward = folder / "reward.py"
            write_bytes(reward, Path(verl_reward.__file__).read_bytes())
            files.append(File(path=reward))
        return Written(files=tuple(files), left_out=left_out, notes=tuple(_notes(rows, kept)))

    def read(self, path: Path) -> list[Row]:
        """Read a file of prompts or of chats."""
        return [_row(found, Place(path, number)) for number, found in enumerate(read_parquet(path), 1)]


def _notes(rows: Sequence[Row], kept: Sequence[int]) -> list[str]:
    mine = [rows[number] for number in kept]
    kinds = sorted({row.kind for row in mine if isinstance(row, Question)} - {"exact"})
    notes = []
    if kinds:
        notes.append(f"reward.py compares answers of kind {', '.join(kinds)} by fairtrial, which must be installed "
                     "where verl computes rewards.")  # fmt: skip
    if any(isinstance(row.prompt, str) for row in mine):
        notes.append("Prompts that are a text are one turn of the user: verl puts them through the chat template.")
    return notes


def _unfit(row: Row) -> str:
    if isinstance(row, Question):
        return _NO_ANSWER if row.answer is None else ""
    assert isinstance(row, Demonstration)  # `kinds` names no other
    if row.tools or any(turn.tool_calls or turn.role == "tool" for turn in (*prompt_messages(row.prompt), *row.reply)):
        return _NO_TOOLS
    return "" if all(turn.is_trained for turn in row.reply) else _PARTLY


def _document(row: Row, index: int) -> dict[str, Any]:
    if isinstance(row, Demonstration):
        return {"messages": _messages((*prompt_messages(row.prompt), *row.reply))}
    assert isinstance(row, Question)
    origin = row.origin
    return {
        "data_source": origin.suite or "fairtrial",
        "prompt": _messages(prompt_messages(row.prompt)),
        "ability": origin.family,
        "reward_model": {"style": "rule", "ground_truth": row.answer},
        "extra_info": {"split": "train", "index": index, "task": origin.task, "kind": row.kind, "part": row.part,
                       "rate": row.rate, "graded": row.graded},
    }  # fmt: skip


def _messages(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"role": turn.role, "content": turn.content} for turn in turns]


def _row(found: dict[str, Any], place: Place) -> Row:
    if "messages" in found:
        return Demonstration(**parted(turns_of(found["messages"], "messages", place), place))
    reward, extra = found.get("reward_model"), found.get("extra_info") or {}
    if not isinstance(reward, dict) or not isinstance(extra, dict):
        hint = "A prompt has `prompt`, `reward_model` and `extra_info`; a chat has `messages`."
        raise FormatError("is not what verl reads", path=place.path, line=place.line, field="reward_model", hint=hint)
    origin = Origin(task=extra.get("task") or "", suite=found.get("data_source") or "",
                    family=found.get("ability") or "")  # fmt: skip
    return Question(
        prompt=turns_of(found.get("prompt"), "prompt", place), answer=reward.get("ground_truth"),
        kind=extra.get("kind") or "exact", part=extra.get("part") or "whole", rate=extra.get("rate"),
        graded=extra.get("graded") or 0, origin=origin,
    )  # fmt: skip
