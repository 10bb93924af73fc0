"""Read the cases of a text grader: JSONL, one prompt whose right answer is known a line.

Fields have the names in use in the field (question, ground_truth, target, ...); what no name fits is a column of the
case, and reaches the grader under its own name.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.attack.text import Completion
from fairtrial.records import FormatError, InputError, canonical_json, digest

ID = ("id", "task_id", "example_id", "uid", "idx")
PROMPT = ("prompt", "question", "problem", "query", "instruction", "input", "messages")
ANSWER = ("answer", "ground_truth", "target", "expected", "solution", "label", "gold")
REFERENCE = ("reference", "gold_completion", "reference_completion", "completion")
LISTS = {"wrong": "wrong", "right": "right"}
MOST_BYTES = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderCase:
    """One case as its author wrote it."""

    id: str
    prompt: Completion
    answer: Any = None
    """The ground truth; None where the grader holds it itself, which needs a reference."""
    reference: Completion | None = None
    """The gold completion, where the case declares one."""
    wrong: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    info: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return what the grader's side needs."""
        return {"id": self.id, "prompt": self.prompt, "answer": self.answer, "info": dict(self.info)}


def read_cases(path: Path) -> tuple[GraderCase, ...]:
    """Read every case of a JSONL file. Raise InputError where it cannot be read, FormatError with line and field."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"is larger than {MOST_BYTES >> 20} MB", path=path, hint="Take a part of it.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8: {error.reason} at byte {error.start}", path=path) from error
    cases = [_case(_row(line, path, number), path, number) for number, line in _lines(text)]
    if not cases:
        raise FormatError("holds no case", path=path, hint='One JSON object a line: {"prompt": …, "answer": …}.')
    seen: dict[str, int] = {}
    for (number, _), case in zip(_lines(text), cases, strict=True):
        if case.id in seen:
            raise FormatError(f"`{case.id}` is also the id of line {seen[case.id]}", path=path, line=number, field="id")
        seen[case.id] = number
    return tuple(cases)


def drawn(cases: Sequence[GraderCase], most: int, seed: int) -> tuple[GraderCase, ...]:
    """Return at most `most` of the cases (0: all), drawn without replacement, in the order of the file.

    >>> [case.id for case in drawn([GraderCase(id=str(n), prompt="?") for n in range(9)], 3, seed=1)]
    ['1', '2', '8']
    """
    if not most or most >= len(cases):
        return tuple(cases)
    places = sorted(random.Random(seed).sample(range(len(cases)), most))
    return tuple(cases[place] for place in places)


def cases_of_grader(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[GraderCase, ...]:
    """Return the cases that a grader brought itself. Raise InputError where it has none."""
    if not rows:
        raise InputError(f"`{name}` brings no cases of its own", field="--cases", hint="Name a JSONL file of cases.")
    return tuple(_case(dict(row), Path(name), number + 1) for number, row in enumerate(rows))


def hash_of(cases: Sequence[GraderCase]) -> str:
    """Return the content address of the cases."""
    rows = [[case.document(), case.reference, list(case.wrong), list(case.right)] for case in cases]
    return digest(canonical_json(json.loads(json.dumps(rows, default=str).encode("utf-8", "replace"))))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _row(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is no JSON: {error}", path=path, line=number) from error
    if not isinstance(row, dict):
        raise FormatError("is no JSON object", path=path, line=number)
    return row


def _case(row: dict[str, Any], path: Path, line: int) -> GraderCase:
    _must_be_text(row, path, line)
    left = dict(row)
    prompt_name, prompt = _taken(left, PROMPT)
    _, answer = _taken(left, ANSWER)
    reference_name, reference = _taken(left, REFERENCE)
    _, name = _taken(left, ID)
    lists = {key: _texts(left.pop(key, None), key, path, line) for key in LISTS}
    info = left.pop("info", None) or {}
    if not isinstance(info, dict):
        raise FormatError("is no object", path=path, line=line, field="info")
    if prompt_name is None:
        hint = f"Call it one of {', '.join(PROMPT)}."
        raise FormatError("a case needs a prompt", path=path, line=line, field="prompt", hint=hint)
    if answer is None and reference is None:
        hint = f"Give the ground truth ({', '.join(ANSWER)}) or a gold completion ({', '.join(REFERENCE)})."
        raise FormatError("a case needs an answer or a reference", path=path, line=line, field="answer", hint=hint)
    return GraderCase(
        id=str(line if name is None else name), prompt=_completion(prompt, prompt_name, path, line), answer=answer,
        reference=None if reference is None else _completion(reference, str(reference_name), path, line),
        info={**left, **info}, **lists,
    )  # fmt: skip


def _must_be_text(row: dict[str, Any], path: Path, line: int) -> None:
    """Raise FormatError where a value holds half of a surrogate pair: nothing could be written of such a case."""
    for name, value in row.items():
        try:
            json.dumps([name, value], ensure_ascii=False, default=str).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):04x}"
            raise FormatError(f"holds half of a surrogate pair, {half}", path=path, line=line,
                              field=ascii(name)[1:-1], hint="Write the whole character.") from error  # fmt: skip


def _taken(row: dict[str, Any], names: Sequence[str]) -> tuple[str | None, Any]:
    """Take the first of `names` that the row has; the others stay columns of their own."""
    name = next((one for one in names if row.get(one) is not None), None)
    return (None, None) if name is None else (name, row.pop(name))


def _texts(value: Any, name: str, path: Path, line: int) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise FormatError("is no list of texts", path=path, line=line, field=name)
    return tuple(value)


def _completion(value: Any, name: str, path: Path, line: int) -> Completion:
    if isinstance(value, str):
        return value
    is_chat = isinstance(value, list) and bool(value)
    if is_chat and all(isinstance(one, dict) and isinstance(one.get("role"), str) for one in value):
        return tuple(value)
    if isinstance(value, int | float):
        return str(value)
    raise FormatError("is neither text nor a list of messages with a role", path=path, line=line, field=name)
