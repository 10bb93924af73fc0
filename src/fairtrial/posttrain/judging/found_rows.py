"""Rows in a file that somebody left, whatever its name says: JSON, tables, Arrow, lists in programs, plain text, also
where it is packed or encoded.

A file of which nothing can be read is told (`NotRead`); of one that is no text, the texts in it are rows. Not covered:
token ids, and what `packed` does not see.
"""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.contamination.reading import kind_of
from fairtrial.contamination.rows import Unreadable, read_documents
from fairtrial.posttrain.judging.packed import as_text, encoded_in, is_plain, texts_between, unpacked
from fairtrial.records import InputError

LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst", ".ndjson.gz", ".ndjson.zst", ".parquet")
WEIGHTS = (".safetensors",)
LEAST_ENTRIES = 3
"""Entries from which a list in a program is data."""
LEAST_WORDS = 5
"""Words from which a text in a list of a program is a row by itself."""
MOST_WHOLE = 256 << 20
"""Bytes of a file that is read as one document."""
MOST_UNREAD = 20
MOST_LEVELS = 4
"""An archive in an archive, so many times."""
_MIXED = "is no text; only the texts in it were read"


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One row, and where in its file it stands."""

    place: str
    document: Any


@dataclass(frozen=True, slots=True)
class NotRead:
    """A file, or a part of it, that was not read, and why."""

    why: str


def rows_in(path: Path) -> Iterator[FoundRow | NotRead]:
    """Yield the rows of a file; nothing for weights of models and for empty files."""
    name = path.name.lower()
    try:
        size = path.stat().st_size
        if not size or _is_weights(path, size):
            return
        with path.open("rb") as file:
            head = file.read(8)
        if kind_of(path) == "parquet" or (name.endswith(LINES) and size > MOST_WHOLE):
            yield from _lines(path)
        elif head.startswith(b"ARROW1") or name.endswith(".arrow"):
            yield from _arrow(path)
        elif size > MOST_WHOLE:
            yield NotRead(f"is larger than {MOST_WHOLE >> 20} MB, as which a file is read whole")
        else:
            yield from _held(path.read_bytes(), name, MOST_LEVELS)
    except InputError as error:
        yield NotRead(error.what)
    except (OSError, pa.ArrowException, ValueError, OverflowError) as error:
        yield NotRead(f"cannot be read: {error}")


def rows_of_text(text: str) -> Iterator[FoundRow | NotRead]:
    """Yield the rows in a program or text that was no file, such as an argument of a command."""
    yield from _held(text.encode("utf-8", "replace"), ".py", MOST_LEVELS)


def _is_weights(path: Path, size: int) -> bool:
    """Say whether a file is one of safetensors, not one that is called so."""
    if not path.name.lower().endswith(WEIGHTS):
        return False
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return 2 <= length <= size - 8 and file.read(1) == b"{"


def _held(data: bytes, name: str, levels: int) -> Iterator[FoundRow | NotRead]:
    """Yield the rows in some bytes, with what is packed or encoded in them."""
    parts = unpacked(data, MOST_WHOLE)
    if parts is not None and levels:
        found = False
        for inner, content in parts:
            found = found or bool(content)
            inner_name = inner.lower() or name.removesuffix(".gz").removesuffix(".zst")
            yield from _placed(_held(content, inner_name, levels - 1), f"{inner}:" if inner else "")
        if not found:
            yield from _between(data)
        return
    if data.startswith(b"PAR1"):
        yield from _parquet(data)
        return
    text = as_text(data)
    if text is None:
        yield from _between(data)
        return
    yield from _text(text, name)
    for one in encoded_in(data) if levels else ():
        if is_plain(one) or unpacked(one, 0) is not None:
            yield from _placed(_held(one, "", levels - 1), "decoded ")


def _placed(rows: Iterator[FoundRow | NotRead], before: str) -> Iterator[FoundRow | NotRead]:
    for one in rows:
        yield FoundRow(f"{before}{one.place}", one.document) if isinstance(one, FoundRow) else one


def _between(data: bytes) -> Iterator[FoundRow | NotRead]:
    """Yield the passages of text in a file that is none, and that the rest of it is not known."""
    seen = False
    for number, passage in enumerate(texts_between(data), 1):
        for one in _paragraphs(passage):
            if len(one.document["text"].split()) >= LEAST_WORDS:
                seen = True
                yield FoundRow(f"text {number}", one.document)
    yield NotRead(_MIXED if seen else "is no text; what it holds is not known")


def _parquet(data: bytes) -> Iterator[FoundRow | NotRead]:
    try:
        rows = pq.read_table(pa.BufferReader(data)).to_pylist()
    except (OSError, pa.ArrowException, ValueError, OverflowError) as error:
        yield NotRead(f"cannot be read: {error}")
        return
    for number, row in enumerate(rows, 1):
        yield FoundRow(str(number), row)


def _lines(path: Path) -> Iterator[FoundRow | NotRead]:
    unread = 0
    for one in read_documents(path):
        if isinstance(one, Unreadable):
            unread += 1
            if unread <= MOST_UNREAD:
                yield NotRead(f"line {one.line}: {one.why}")
        else:
            yield FoundRow(str(one[0]), one[1])


def _arrow(path: Path) -> Iterator[FoundRow]:
    with pa.memory_map(str(path)) as held:
        try:
            reader: Any = pa.ipc.open_stream(held)
            batches: Iterator[Any] = iter(reader)
        except pa.ArrowInvalid:
            file = pa.ipc.open_file(held)
            batches = (file.get_batch(number) for number in range(file.num_record_batches))
        line = 0
        for batch in batches:
            batch.validate(full=True)  # offsets that an agent made up would be read beyond the file
            for row in batch.to_pylist():
                line += 1
                yield FoundRow(str(line), row)


def _text(text: str, name: str) -> Iterator[FoundRow]:
    if name.endswith((".csv", ".tsv")):
        yield from _table(text, "\t" if name.endswith(".tsv") else ",")
    elif name.endswith((".py", ".ipynb")):
        yield from _program(text) if name.endswith(".py") else _notebook(text)
    elif text.lstrip()[:1] in ("{", "["):
        yield from _json(text)
    elif name.endswith(LINES):
        yield from _json_lines(text)
    else:
        yield from _paragraphs(text)


def _json(text: str) -> Iterator[FoundRow]:
    """Yield the rows of a JSON document, or of lines of JSON under another name; of neither, its lines."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        yield from _json_lines(text)
        return
    yield from _entries(document, "")


def _entries(document: Any, place: str) -> Iterator[FoundRow]:
    """Yield the entries of an array, those of arrays in an object, else the document as one row."""
    if isinstance(document, list) and document:
        for number, one in enumerate(document, 1):
            yield FoundRow(f"{place}{number}", one)
        return
    if isinstance(document, dict) and sum(len(name.split()) >= LEAST_WORDS for name in document) >= LEAST_ENTRIES:
        for number, (name, one) in enumerate(document.items(), 1):  # a key is no text of a row, and here it is one
            yield FoundRow(f"{place}{number}", {"key": name, "value": one})
        return
    lists = _lists_in(document) if isinstance(document, dict) else []
    if not lists or "messages" in lists:
        yield FoundRow(place or "1", document)
        return
    for name in lists:
        yield from _entries(document[name], f"{name}.")
    rest = {name: value for name, value in document.items() if name not in lists}
    yield FoundRow(place or "1", rest)


def _lists_in(document: dict[str, Any]) -> list[str]:
    """Return the fields of an object that hold rows."""
    return [name for name, value in document.items() if isinstance(value, list) and len(value) > 1
            and all(isinstance(one, dict | list | str) for one in value)]  # fmt: skip


def _json_lines(text: str) -> Iterator[FoundRow]:
    for number, line in enumerate(text.split("\n"), 1):
        try:
            yield FoundRow(str(number), json.loads(line))
        except (ValueError, RecursionError):
            if line.strip():
                yield FoundRow(str(number), {"text": line})


def _table(text: str, separator: str) -> Iterator[FoundRow]:
    rows = csv.reader(text.splitlines(), delimiter=separator)
    try:
        names = next(rows, [])
        yield FoundRow("1", {"text": " ".join(names)})
        for row in rows:
            yield FoundRow(str(rows.line_num), {f"column {at}": value for at, value in enumerate(row)})
    except csv.Error:
        yield from _paragraphs(text)


def _program(text: str) -> Iterator[FoundRow]:
    """Yield the entries of literal lists in a program; one that cannot be parsed is text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from _paragraphs(text)
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            yield from _literal(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count("\n") >= LEAST_ENTRIES:
            yield from _block(node.value, node.lineno)


def _literal(node: ast.List | ast.Tuple | ast.Set | ast.Dict) -> Iterator[FoundRow]:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return
    if len(value) < LEAST_ENTRIES:
        return
    entries = [{"key": key, "value": one} for key, one in value.items()] if isinstance(value, dict) else list(value)
    for number, one in enumerate(entries, 1):
        if not isinstance(one, str) or len(one.split()) >= LEAST_WORDS:
            yield FoundRow(f"{node.lineno}.{number}", {"text": one})


def _block(text: str, line: int) -> Iterator[FoundRow]:
    """Yield the rows of data that stands in a program as one long text."""
    parts = _json_lines(text) if text.lstrip()[:1] in ("{", "[") else _paragraphs(text)
    for one in parts:
        yield FoundRow(f"{line}.{one.place}", one.document)


def _notebook(text: str) -> Iterator[FoundRow]:
    try:
        cells = json.loads(text)["cells"]
        sources = ["".join(one["source"]) for one in cells]
    except (ValueError, KeyError, TypeError, RecursionError):
        yield from _json(text)
        return
    for number, source in enumerate(sources, 1):
        for one in _program(source):
            yield FoundRow(f"cell {number}, {one.place}", one.document)


def _paragraphs(text: str) -> Iterator[FoundRow]:
    """Yield paragraphs where blank lines part them, else lines."""
    lines = text.replace("\r\n", "\n").split("\n")
    if not any(not line.strip() for line in lines[:-1]):
        yield from (FoundRow(str(number), {"text": line}) for number, line in enumerate(lines, 1) if line.strip())
        return
    start = 1
    held: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            start = start if held else number
            held.append(line)
        elif held:
            yield FoundRow(str(start), {"text": "\n".join(held)})
            held = []
