"""`tasks`: JSONL of text tasks, as a recipe's `[tasks] train` and `--tasks` take them.

    prompts  {name, prompt, answer, kind, part, family, cluster, split}

The name is the task's own, so that rates measured of it are found again. Not covered: a prompt whose answer is not
known, which no text grader can judge; of two tasks of one name, the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairtrial.formats.exports.files import read_lines, write_lines
from fairtrial.formats.exports.messages import Place, prompt_messages, turns_of
from fairtrial.formats.exports.protocol import File, Written
from fairtrial.formats.exports.rows import Kind, Origin, Question, Row
from fairtrial.records import FormatError, InputError

_NO_ANSWER = "no answer is known, and a text task has one"
_ROLES = "a text task's prompt has no turns of tools"
_TWICE = "another task of the set has its name"
_OF_TEXT = ("kind", "part", "family", "cluster")


class TasksExporter:
    """Writes and reads text tasks."""

    name = "tasks"
    kinds: frozenset[Kind] = frozenset({"prompts"})

    def write(self, rows: Sequence[Row], folder: Path) -> Written:
        """Write `train.jsonl`. Raise InputError where no prompt can be said."""
        left_out: dict[int, str] = {}
        documents: dict[str, tuple[int, dict[str, Any]]] = {}
        for number, row in enumerate(rows):
            assert isinstance(row, Question)  # `kinds` names no other
            name = row.origin.task or f"task-{number}"
            if why := _unfit(row) or (_TWICE if name in documents else ""):
                left_out[number] = why
            else:
                documents[name] = (number, _document(row, name))
        if rows and not documents:
            hint = "Tasks with their answers come in by --tasks FILE." if left_out[0] == _NO_ANSWER else None
            raise InputError(f"no row can be said in this format: {left_out[0]}", field="--format", hint=hint)
        path = folder / "train.jsonl"
        write_lines(path, (document for _, document in documents.values()))
        return Written(files=(File(path=path, of=tuple(number for number, _ in documents.values())),),
                       left_out=left_out)  # fmt: skip

    def read(self, path: Path) -> list[Row]:
        """Read text tasks."""
        return [_row(document, Place(path, line)) for line, document in read_lines(path)]


def _unfit(row: Question) -> str:
    if row.answer is None:
        return _NO_ANSWER
    return _ROLES if any(turn.role == "tool" or turn.tool_calls for turn in prompt_messages(row.prompt)) else ""


def _document(row: Question, name: str) -> dict[str, Any]:
    prompt = row.prompt if isinstance(row.prompt, str) else [{"role": t.role, "content": t.content} for t in row.prompt]
    told = {"kind": row.kind, "part": row.part, "family": row.origin.family, "cluster": row.origin.cluster}
    return {"name": name, "prompt": prompt, "answer": row.answer, **told, "split": "train"}


def _row(found: dict[str, Any], place: Place) -> Row:
    for name in ("name", "answer", *(name for name in _OF_TEXT if name in found)):
        if not isinstance(found.get(name), str):
            raise FormatError("is missing, or no text", path=place.path, line=place.line, field=name)
    said = found.get("prompt")
    return Question(
        prompt=said if isinstance(said, str) else turns_of(said, "prompt", place), answer=found["answer"],
        kind=found.get("kind") or "exact", part=found.get("part") or "whole",
        origin=Origin(task=found["name"], family=found.get("family", ""), cluster=found.get("cluster", "")),
    )  # fmt: skip
