"""`openai`: chats of a fine-tuning file as rollouts that nobody has graded, for detectors, reviewers and a scan.

Not covered: pairs (`input`, `preferred_output`): which of two is better is a preference, and no rollout.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Batch, Options
from fairtrial.formats.completions import Logged
from fairtrial.formats.exports.messages import Place, turns_of
from fairtrial.formats.exports.rows import Turn
from fairtrial.formats.row_files import batches, files_at
from fairtrial.records import FormatError

_NAMES = ("task", "id")


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the chats at `path`. Raise InputError where no model is named."""
    return batches(files_at(path, ".jsonl"), options, chat)


def chat(row: dict[str, Any], place: Place) -> Logged:
    """Return the rollout of a row {messages}. Raise FormatError for a row that is no chat."""
    if "messages" not in row:
        raise FormatError("is no chat: it has no `messages`", path=place.path, line=place.line)
    turns = turns_of(row["messages"], "messages", place)
    task = next((str(row[name]) for name in _NAMES if row.get(name) not in (None, "")), "")
    return Logged(**split_at_reply(turns, place), task=task)


def split_at_reply(turns: tuple[Turn, ...], place: Place) -> dict[str, Any]:
    """Return prompt and reply: up to the assistant's first turn, and from there to its last."""
    said = [at for at, turn in enumerate(turns) if turn.role == "assistant"]
    if not said:
        raise FormatError("has no turn of the assistant", path=place.path, line=place.line, field="messages")
    return {"prompt": turns[: said[0]], "reply": turns[said[0] : said[-1] + 1]}
