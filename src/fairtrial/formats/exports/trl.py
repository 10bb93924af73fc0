"""`trl`: JSONL that `datasets.load_dataset("json")` reads and TRL's trainers take as it is.

    sft          {prompt, completion} where the reply is one text; {messages, tools} for conversations
    preferences  {prompt, chosen, rejected, tools}
    prompts      {prompt, task, answer, kind, part, family, rate}: GRPO, whose reward function gets all but the prompt

A prompt that is a text stays a text; one of messages makes all fields messages. TRL masks no single turn of a
conversation. So one that holds turns which no model made is told as several rows: what came before as the prompt, a run
of the model's turns as the completion. Columns of one form are one file, for `datasets` wants equal columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from fairtrial.formats.exports.files import read_lines, write_lines
from fairtrial.formats.exports.messages import Place, message, prompt_messages, tools_of, turns_of
from fairtrial.formats.exports.protocol import File, Written
from fairtrial.formats.exports.rows import (
    Demonstration,
    Kind,
    Origin,
    Pair,
    Prompt,
    Question,
    Row,
    Turn,
    is_one_text,
    text_of,
)
from fairtrial.records import FormatError

_FORMS = ("text", "turns", "messages")
_MASKED = ("Conversations are in messages: with assistant_only_loss, which needs a chat template that marks the "
           "assistant's turns, nothing but these is trained on; without it every token is.")  # fmt: skip
_TOOLS_IN_PAIRS = "The loss of a pair counts every token after its prompt, what came back from tools too."


class TrlExporter:
    """Writes and reads TRL's dataset forms."""

    name = "trl"
    kinds: frozenset[Kind] = frozenset({"sft", "preferences", "prompts"})

    def write(self, rows: Sequence[Row], folder: Path) -> Written:
        """Write `train.jsonl`, or `train-FORM.jsonl` where the rows have several forms."""
        by_form: dict[str, list[tuple[int, dict[str, Any]]]] = {}
        for number, row in enumerate(rows):
            for form, document in _documents(row):
                by_form.setdefault(form, []).append((number, document))
        files = []
        for form in sorted(by_form, key=_FORMS.index):
            path = folder / ("train.jsonl" if len(by_form) == 1 else f"train-{form}.jsonl")
            documents = [document for _, document in by_form[form]]
            columns = list(dict.fromkeys(name for document in documents for name in document))
            write_lines(path, ({name: document.get(name) for name in columns} for document in documents))
            files.append(File(path=path, of=tuple(number for number, _ in by_form[form])))
        return Written(files=tuple(files), notes=tuple(_notes(rows, by_form.keys())))

    def read(self, path: Path) -> list[Row]:
        """Read one file of any of the forms."""
        return [_row(document, Place(path, line)) for line, document in read_lines(path)]


def _notes(rows: Sequence[Row], forms: Collection[str]) -> Iterator[str]:
    if "messages" in forms:
        yield _MASKED
    if any(isinstance(row, Pair) and not (is_one_text(row.chosen) and is_one_text(row.rejected)) for row in rows):
        yield _TOOLS_IN_PAIRS


def _documents(row: Row) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (form, document) of each row that says `row`."""
    if isinstance(row, Question):
        yield _form_of(row.prompt), {
            "prompt": _prompt(row.prompt), "task": row.origin.task, "answer": row.answer, "kind": row.kind,
            "part": row.part, "family": row.origin.family, "rate": row.rate,
        }  # fmt: skip
    elif isinstance(row, Pair):
        as_text = isinstance(row.prompt, str) and is_one_text(row.chosen) and is_one_text(row.rejected)
        prompt = row.prompt if as_text else prompt_messages(row.prompt)
        said = {"chosen": _said(row.chosen, as_text), "rejected": _said(row.rejected, as_text)}
        yield "text" if as_text else "turns", {"prompt": _prompt(prompt), **said} | _tools(row)
    else:
        yield from _demonstrations(row)


def _demonstrations(row: Demonstration) -> Iterator[tuple[str, dict[str, Any]]]:
    if is_one_text(row.reply) and not row.tools:
        as_text = isinstance(row.prompt, str)
        yield _form_of(row.prompt), {"prompt": _prompt(row.prompt), "completion": _said(row.reply, as_text)}
        return
    turns = (*prompt_messages(row.prompt), *row.reply)
    if all(turn.is_trained for turn in row.reply):
        yield "messages", {"messages": [message(turn) for turn in turns]} | _tools(row)
        return
    start = len(turns) - len(row.reply)
    for begin, end in _runs(turns, start):
        yield "turns", {"prompt": [message(turn) for turn in turns[:begin]],
                        "completion": [message(turn) for turn in turns[begin:end]]} | _tools(row)  # fmt: skip


def _runs(turns: Sequence[Turn], start: int) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) of each run of turns that begins and ends with one to be trained on, none in it not to be.

    >>> said = [Turn(role="user", content="q"), Turn(role="assistant", content="", is_trained=False),
    ...         Turn(role="assistant", content="a"), Turn(role="tool", content="t"),
    ...         Turn(role="assistant", content="b")]
    >>> list(_runs(said, 1))
    [(2, 5)]
    """
    begin = end = -1
    for at in range(start, len(turns)):
        turn = turns[at]
        if turn.role == "assistant" and turn.is_trained:
            begin, end = at if begin < 0 else begin, at + 1
        elif not turn.is_trained:
            if begin >= 0:
                yield begin, end
            begin = -1
    if begin >= 0:
        yield begin, end


def _form_of(prompt: Prompt) -> str:
    return "text" if isinstance(prompt, str) else "turns"


def _prompt(prompt: Prompt) -> str | list[dict[str, Any]]:
    return prompt if isinstance(prompt, str) else [message(turn) for turn in prompt]


def _said(reply: tuple[Turn, ...], as_text: bool) -> str | list[dict[str, Any]]:
    return text_of(reply) if as_text else [message(turn) for turn in reply]


def _tools(row: Demonstration | Pair) -> dict[str, Any]:
    return {"tools": [dict(tool) for tool in row.tools]} if row.tools else {}


def _row(found: dict[str, Any], place: Place) -> Row:
    tools = tools_of(found.get("tools"), place)
    if "messages" in found:
        turns = turns_of(found["messages"], "messages", place)
        return Demonstration(**parted(turns, place), tools=tools)
    if "prompt" not in found:
        raise FormatError("has neither `prompt` nor `messages`", path=place.path, line=place.line)
    prompt = _read_prompt(found["prompt"], place)
    if "chosen" in found:
        return Pair(prompt=prompt, chosen=_read_reply(found, "chosen", place),
                    rejected=_read_reply(found, "rejected", place), tools=tools)  # fmt: skip
    if "completion" in found:
        return Demonstration(prompt=prompt, reply=_read_reply(found, "completion", place), tools=tools)
    origin = Origin(task=str(found.get("task") or ""), family=str(found.get("family") or ""))
    for name in ("answer", "kind", "part", "rate"):
        if not isinstance(found.get(name), float | int | None if name == "rate" else str | None):
            raise FormatError(f"is {found[name]!r}, and not what a prompt has there", path=place.path, line=place.line,
                              field=name)  # fmt: skip
    return Question(prompt=prompt, answer=found.get("answer"), kind=found.get("kind") or "exact",
                    part=found.get("part") or "whole", rate=found.get("rate"), origin=origin)  # fmt: skip


def parted(turns: tuple[Turn, ...], place: Place) -> dict[str, Any]:
    """Return `prompt` and `reply` of a conversation. Raise FormatError where the assistant says nothing."""
    first = next((at for at, turn in enumerate(turns) if turn.role == "assistant"), None)
    if first is None:
        raise FormatError("has no turn of the assistant", path=place.path, line=place.line, field="messages")
    return {"prompt": turns[:first], "reply": turns[first:]}


def _read_prompt(found: Any, place: Place) -> Prompt:
    return found if isinstance(found, str) else turns_of(found, "prompt", place)


def _read_reply(found: dict[str, Any], field: str, place: Place) -> tuple[Turn, ...]:
    said = found.get(field)
    return (Turn(role="assistant", content=said),) if isinstance(said, str) else turns_of(said, field, place)
