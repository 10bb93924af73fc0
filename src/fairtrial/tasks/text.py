"""Text tasks: a prompt, and an answer that is known. One JSON object a line, in one file a suite.

    {"name": "sort-4193", "prompt": "sort 4193=", "answer": "1349", "kind": "exact", "family": "sort"}

`prompt` is text or a list of messages. The answer is the key: `TextTask` is what a policy may see, `TextKey` is not.
Not covered: how an answer is judged (`grade.text`), and tasks with an environment (`load`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fairtrial.records import FormatError
from fairtrial.tasks.hashes import content_hash, suite_hash

AnswerPart = Literal["whole", "first_line", "last_line", "first_word"]
EXACT = "exact"
"""A kind of answer beside those of `compare`: the same text, blanks around it apart."""
_HASH_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTask:
    """The public half."""

    name: str
    prompt: str | tuple[Message, ...]
    suite: str = ""
    """Identity of the suite it was read with, `name@hash`."""
    hash: str = ""
    """Content address of prompt and key."""
    domain: str = ""
    family: str = ""
    cluster: str = ""
    """Near copies share one; empty: a cluster of its own."""
    split: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextKey:
    """The private half: the right answer, and how a completion is held against it."""

    answer: str
    kind: str = EXACT
    """`exact`, or a kind of `compare`."""
    part: AnswerPart = "whole"
    """Which part of the completion is its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSuite:
    """The tasks of one file with their keys, by task name."""

    path: Path
    identity: str
    tasks: tuple[TextTask, ...]
    keys: Mapping[str, TextKey]


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    role: Literal["system", "user", "assistant"]
    content: str


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=400)]
    prompt: Annotated[str, Field(min_length=1)] | Annotated[list[_Said], Field(min_length=1)]
    answer: str
    kind: str = EXACT
    part: AnswerPart = "whole"
    domain: str = ""
    family: str = ""
    cluster: str = ""
    split: str = ""


def read_text_tasks(path: Path, kinds: Sequence[str]) -> TextSuite:
    """Read the text tasks of the JSONL file at `path`, whose answers are of these `kinds`.

    Raise FormatError naming file, line and field where a row is no task, or a name occurs twice.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    read = [_read(path, number, line, kinds) for number, line in enumerate(lines, 1) if line.strip()]
    if not read:
        raise FormatError("holds no task", path=path, hint='One JSON object a line: {"name", "prompt", "answer"}.')
    counts = Counter(task.name for task, _ in read)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise FormatError(f"the name `{twice[0]}` is used {counts[twice[0]]} times", path=path, field="name")
    total = suite_hash((task.name, task.hash) for task, _ in read)
    identity = f"{path.stem}@{total.removeprefix('sha256:')[:_HASH_DIGITS]}"
    return TextSuite(path=path, identity=identity, tasks=tuple(replace(task, suite=identity) for task, _ in read),
                     keys={task.name: key for task, key in read})  # fmt: skip


def _read(path: Path, number: int, line: bytes, kinds: Sequence[str]) -> tuple[TextTask, TextKey]:
    try:
        row = _Row.model_validate(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path, line=number) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FormatError(str(first["msg"]), path=path, line=number, field=where or None) from error
    if row.kind not in kinds:
        raise FormatError(f"no kind `{row.kind}`", path=path, line=number, field="kind",
                          hint=f"There are {', '.join(kinds)}.")  # fmt: skip
    prompt = row.prompt if isinstance(row.prompt, str) else tuple(Message(m.role, m.content) for m in row.prompt)
    key = TextKey(answer=row.answer, kind=row.kind, part=row.part)
    graded = row.model_dump(include={"prompt", "answer", "kind", "part"})
    task = TextTask(name=row.name, prompt=prompt, hash=content_hash("text-task/1", graded), domain=row.domain,
                    family=row.family, cluster=row.cluster, split=row.split)  # fmt: skip
    return task, key
