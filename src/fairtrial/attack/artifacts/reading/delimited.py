"""CSV and TSV: every cell is a leaf, every record after the header a row; quoting and line ends stay as they were.

Not covered: escapes other than doubled quotes, several tables in one file.
"""

from __future__ import annotations

import functools
import re

from fairtrial.attack.artifacts.leaves import Kind, Leaf, Put
from fairtrial.attack.artifacts.reading.spliced import Span, Spliced

DELIMITERS = (",", ";", "\t", "|")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
MOST_CELLS = 20_000


def read_delimited(text: str, encoding: str, *, tabs: bool = False, headed: bool = True) -> Spliced | None:
    """Return a table, or None where `text` holds no record."""
    delimiter = "\t" if tabs else delimiter_of(text)
    records = _records(text, delimiter)
    if not records or sum(len(record) for record in records) > MOST_CELLS:
        return None
    header = [_unquoted(text, span) for span in records[0]]
    has_header = headed and not any(_NUMBER.fullmatch(name.strip()) or not name.strip() for name in header)
    body = records[1:] if has_header else records
    leaves: list[Leaf] = []
    for index, record in enumerate(body):
        for column, span in enumerate(record):
            name = header[column] if has_header and column < len(header) else f"column {column + 1}"
            value = _unquoted(text, span)
            kind: Kind = "number" if _NUMBER.fullmatch(value) else "text"
            leaves.append(Leaf(place=f"row {index + 1}, {name}", group=name, kind=kind, text=value, row=index))
    return Spliced(
        form="csv", text=text, encoding=encoding, leaves=tuple(leaves),
        spans=tuple(span for record in body for span in record),
        row_spans=tuple((record[0][0], record[-1][1]) for record in body),
        joint="\r\n" if "\r\n" in text else "\n", literal=functools.partial(_quoted, delimiter),
    )  # fmt: skip


def delimiter_of(text: str) -> str:
    """Return the separator that the first line holds most of.

    >>> delimiter_of("a;b;c,d")
    ';'
    """
    first = text.lstrip("\r\n").split("\n", 1)[0]
    return max(DELIMITERS, key=lambda mark: (first.count(mark), -DELIMITERS.index(mark)))


def _records(text: str, delimiter: str) -> list[list[Span]]:
    """Return the spans of the cells of each record; blank lines are passed over.

    >>> _records('a,"b,\\n"\\n\\nc,d', ",")
    [[(0, 1), (2, 7)], [(9, 10), (11, 12)]]
    """
    records: list[list[Span]] = []
    cells: list[Span] = []
    start, quoted = 0, False
    for at, mark in enumerate([*text, "\n"]):
        if mark == '"':
            quoted = not quoted
        elif mark == delimiter and not quoted:
            cells.append((start, at))
            start = at + 1
        elif mark == "\n" and (not quoted or at == len(text)):
            end = at - 1 if at > start and text[at - 1] == "\r" else at
            if cells or end > start:
                records.append([*cells, (start, end)])
            cells, start = [], at + 1
    return records


def _unquoted(text: str, span: Span) -> str:
    cell = text[span[0] : span[1]]
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _quoted(delimiter: str, put: Put) -> str:
    if put.kind == "null":
        return ""
    if any(mark in put.text for mark in (delimiter, '"', "\n", "\r")):
        doubled = put.text.replace('"', '""')
        return f'"{doubled}"'
    return put.text
