"""Read a training set: one JSON object a line, or Parquet; and check that its rows have the form its stage takes.

    sft            {"prompt", "completion"}, {"messages"} or {"text"}
    dpo            {"prompt", "chosen", "rejected"}
    reward_model   {"chosen", "rejected"}, with "prompt" or without

A prompt, completion, chosen or rejected is text or a list of messages; what these say of tools goes along, as do the
definitions in `tools`. Other columns are left out. A conversation in {"messages"} becomes a row for each turn of the
assistant, asked as a model is asked: what came before is the prompt, and that turn alone is trained on. A turn of
`weight` 0, and one that opens the conversation, is context alone. Not covered: writing sets (`train.sets`,
`formats.exports`); turns of `weight` 0 within a completion, which TRL cannot mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.formats.exports.files import read_lines
from fairtrial.records import FormatError

Row = Mapping[str, Any]

_OF_MESSAGE = ("role", "content", "reasoning_content", "tool_calls", "tool_call_id", "name")

FORMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "sft": (("prompt", "completion"), ("messages",), ("text",)),
    "dpo": (("prompt", "chosen", "rejected"),),
    "reward_model": (("prompt", "chosen", "rejected"), ("chosen", "rejected")),
}


def read_rows(path: Path, method: str) -> list[dict[str, Any]]:
    """Return the rows of the set at `path`, cut to the columns of the first form of `method` that they have.

    Raise FormatError naming the line where a row is no object, has another form than the first, or holds a value that
    is neither text nor messages, or a conversation of which no turn is to be trained on.
    """
    form: tuple[str, ...] = ()
    kinds: dict[str, type] = {}
    rows: list[dict[str, Any]] = []
    for number, row in _lines(path):
        form = form or _form_of(path, number, row, method)
        cut = {name: _checked(path, number, name, row.get(name)) for name in form}
        if row.get("tools"):
            cut["tools"] = row["tools"]
        for name, value in cut.items():
            if name in form and kinds.setdefault(name, type(value)) is not type(value):
                raise FormatError("is text in some rows and messages in others", path=path, line=number, field=name)
        rows += _turns(path, number, cut, row["messages"]) if form == ("messages",) else [cut]
    if not rows:
        raise FormatError("holds no row", path=path)
    return rows


def _form_of(path: Path, number: int, row: Row, method: str) -> tuple[str, ...]:
    for form in FORMS[method]:
        if all(name in row for name in form):
            return form
    wanted = " or ".join("{" + ", ".join(form) + "}" for form in FORMS[method])
    raise FormatError(f"has the columns {', '.join(sorted(row)) or 'none'}", path=path, line=number,
                      hint=f"A {method} stage takes {wanted}.")  # fmt: skip


def _turns(path: Path, number: int, row: Row, told: Any) -> list[dict[str, Any]]:
    """Return a conversation as a row for each turn of the assistant that is to be trained on."""
    said = row["messages"]
    if isinstance(said, str):
        raise FormatError("is no list of messages", path=path, line=number, field="messages")
    rest = {name: value for name, value in row.items() if name != "messages"}
    rows = [{"prompt": said[:at], "completion": [said[at]], **rest} for at in range(1, len(said))
            if said[at]["role"] == "assistant" and told[at].get("weight") != 0]  # fmt: skip
    if not rows:
        raise FormatError("holds no turn of the assistant to train on", path=path, line=number, field="messages")
    return rows


def _checked(path: Path, number: int, name: str, value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(_is_message(each) for each in value):
        if name != "messages" and any(each.get("weight") == 0 for each in value):
            hint = "`fairtrial export --format trl` parts such rows."
            raise FormatError("holds a turn of weight 0, which this stage would train on", path=path, line=number,
                              field=name, hint=hint)  # fmt: skip
        return [{part: each[part] for part in _OF_MESSAGE if each.get(part) is not None} for each in value]
    raise FormatError("is neither text nor a list of messages with role and content", path=path, line=number,
                      field=name)  # fmt: skip


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(part), str) for part in ("role", "content"))


def _lines(path: Path) -> Iterator[tuple[int, Row]]:
    if path.suffix == ".parquet":
        try:
            yield from enumerate(pq.read_table(path).to_pylist(), 1)
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            raise FormatError(f"cannot be read as Parquet: {error}", path=path) from error
        return
    yield from read_lines(path)
