"""Find the table that a text gives, as a header and rows of cells: CSV and its kin, Markdown, aligned, HTML, JSON.

CSV is parted by tab, semicolon, bar or comma, with quotes and line breaks inside them; aligned text by two blanks or
more. JSON forms stand in table_from_json. The table may stand in a fence, or with prose around it: then it begins at a
line with the column names that are wanted. Several tables in one text must be the same. A first column without a name
that only counts the rows is left out. Not covered: merged cells, headers of several lines, tables on their side.
"""

from __future__ import annotations

import csv
import html
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fairtrial.compare.fences import fenced
from fairtrial.compare.json_in_text import UnreadableError
from fairtrial.compare.surroundings import the_one_given
from fairtrial.compare.table_from_json import rows_in_json

MOST_TABLES, MOST_COLUMNS = 50, 1000
_RULE = re.compile(r"[\s|+:=─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬┏┓┗┛┡┩╇╈┣┫┳┻╋┠┨-]*+")
_STROKES = frozenset("-─━═=")
_BARS = str.maketrans("│┃║", "|||")
_BAR = re.compile(r"(?<!\\)\|")
_WIDE = re.compile(r"\t+|\s{2,}")
_TAG = re.compile(r"<(/?)(table|tr|td|th)\b[^<>]{0,500}>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{0,500}>")
_DRESS = re.compile(r"(\*\*|__|`|\*)(?=\S)(.*)(?<=\S)\1", re.DOTALL)
_TOLD = re.compile(r"\n[ \t]*\n(?!.*\t)[ \t]*(?:[^\s\"|;]+[ ]+){3,}[^\s\"|;]*[.!?:][)*_]{0,3}[ \t]*(?:\n|$)")
"""A sentence behind an empty line: prose below a table."""
_DELIMITERS = ("\t", ";", "|", ",")
_NAME_MARKS = re.compile(r"[^\S\n]+|[_-]+")

Rows = list[list[str]]
Laid = tuple[Rows, int, int]
"""Rows, and between which characters of the text they stand."""


@dataclass(frozen=True, slots=True)
class Table:
    """A header, and rows that should be as wide."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: Counter[str]
    """How often each column name occurs, case and white space aside."""


def name_of(column: str) -> str:
    """Return the name of a column without what does not count: case, white space, `_` and `-`.

    >>> name_of(" Unit_Price ")
    'unitprice'
    """
    return _squeezed(column).replace("\n", "") or column.strip()


def _squeezed(text: str) -> str:
    return _NAME_MARKS.sub("", text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold())


def find_table(text: str, same: Callable[[Table, Table], bool], wanted: Counter[str] | None = None) -> Table:
    """Return the one table that `text` gives; of several forms and places those with the columns `wanted`.

    Several must be the `same`. Raise UnreadableError where there is none, or none alone.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not text.strip():
        raise UnreadableError("it is empty")
    fences = fenced(text)[:MOST_TABLES] if "```" in text else []
    first: Table | None = None
    fenced_ones = (
        (table, fence.start, fence.end) for fence in fences for table, _, _ in _tables(fence.content, wanted)
    )
    for candidates in (fenced_ones, _tables(text, wanted)):
        tables = list(itertools.islice(candidates, MOST_TABLES))
        first = first or next((table for table, _, _ in tables), None)
        fitting = [placed for placed in tables if wanted is None or placed[0].names == wanted]
        given = the_one_given(text, [one[1:] for one in fitting], [one[0] for one in fitting], same) if fitting else -1
        if isinstance(given, str):
            raise UnreadableError(given)
        if given >= 0:
            return fitting[given][0]
    if first is None:
        raise UnreadableError("there is no table in it")
    return first


def _tables(text: str, wanted: Counter[str] | None) -> Iterator[tuple[Table, int, int]]:
    """Yield the tables of a text, and where each stands, in the first form that has one with the columns `wanted`."""
    forms = (
        _all_of(text, _of_json(text)), _of_html(text), _of_bars(text), _all_of(text, _delimited(text, wanted)),
        _all_of(text, _aligned(text)), _inside_prose(text, wanted), _single(text, wanted),
    )  # fmt: skip
    for form in forms:
        laid = itertools.islice(form, MOST_TABLES)
        found = [(_made(rows), start, end) for rows, start, end in laid if rows and rows[0]]
        fitting = [placed for placed in found if wanted is None or placed[0].names == wanted]
        if fitting:
            yield from fitting
            return
        yield from found[:1]


def _all_of(text: str, tables: Iterator[Rows]) -> Iterator[Laid]:
    return ((rows, 0, len(text)) for rows in tables)


def _made(rows: Rows) -> Table:
    """Return the table of `rows`, the first its header, without a nameless column that counts the rows."""
    header, *below = rows
    if len(header) > MOST_COLUMNS:
        raise UnreadableError(f"it has more than {MOST_COLUMNS} columns")
    if not header[0].strip() and len(header) > 1 and _counts([row[0] for row in below if row]):
        header, below = header[1:], [row[1:] for row in below]
    elif below and all(len(row) == len(header) + 1 for row in below) and _counts([row[0] for row in below]):
        below = [row[1:] for row in below]
    return Table(tuple(header), tuple(map(tuple, below)), _names(header))


def _counts(cells: Sequence[str]) -> bool:
    return all(cell.strip() in (str(n), str(n + 1)) for n, cell in enumerate(cells))


def _of_json(text: str) -> Iterator[Rows]:
    if text.lstrip()[:1] in ("{", "["):
        yield from rows_in_json(text)


def _of_html(text: str) -> Iterator[Laid]:
    rows: Rows = []
    start = begun = -1
    for tag in _TAG.finditer(text) if "<tr" in text.lower() else ():
        name, is_end = tag[2].lower(), bool(tag[1])
        if begun >= 0 and rows:
            rows[-1].append(_bare(html.unescape(_ANY_TAG.sub(" ", text[begun : tag.start()]))))
        begun = tag.end() if name in ("td", "th") and not is_end else -1
        start = tag.start() if start < 0 else start
        if name == "tr" and not is_end:
            rows.append([])
        elif name == "table" and (rows or is_end):
            yield [row for row in rows if row], start, tag.end()
            rows, start = [], -1 if is_end else tag.start()
    yield [row for row in rows if row], max(start, 0), len(text)


def _of_bars(text: str) -> Iterator[Laid]:
    """Yield the tables whose cells stand between bars, a rule below the header: Markdown, psql, boxes."""
    rows: Rows = []
    is_ruled = False
    start = at = 0
    for line in [*text.translate(_BARS).split("\n"), ""] if "|" in text or "│" in text else ():
        at += len(line) + 1
        if _is_rule(line, is_second=len(rows) == 1):
            is_ruled = is_ruled or bool(rows)
        elif "|" in line:
            inner = line.strip().removeprefix("|")
            inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
            cells = [_bare(cell.replace("\\|", "|")) for cell in _BAR.split(inner)]
            rows.append(cells + [""] * (len(rows[0]) - len(cells) if rows else 0))
        else:
            if is_ruled:
                yield rows, start, at - len(line) - 1
            rows, is_ruled, start = [], False, at


def _is_rule(line: str, *, is_second: bool) -> bool:
    """Say whether a line only draws; dashes in cells do so below the header, or three in a row."""
    if not any(stroke in line for stroke in _STROKES) or not _RULE.fullmatch(line):
        return False
    return is_second or "---" in line or "-+" in line or "|" not in line or any(s in line for s in "─━═")


def _bare(cell: str) -> str:
    """Return a cell without the marks of emphasis around it."""
    cell = cell.strip()
    if "<br>" in cell:
        cell = cell.replace("<br>", " ")
    dressed = _DRESS.fullmatch(cell) if cell[:1] in ("*", "_", "`") else None
    return dressed[2] if dressed and dressed[1] not in dressed[2] else cell


def _delimited(text: str, wanted: Counter[str] | None) -> Iterator[Rows]:
    if wanted is not None and _TOLD.search(text):
        return
    lines = text.split("\n")
    for delimiter in _DELIMITERS:
        if delimiter in lines[0]:
            rows = list(_parsed(lines, delimiter))
            if rows and (all(len(row) == len(rows[0]) for row in rows) or _names(rows[0]) == wanted):
                yield rows
                if wanted is None:
                    return


def _parsed(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Yield the rows of delimited lines, empty ones left out; none from where they cannot be read."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    try:
        yield from (row for row in reader if len(row) > 1 or any(cell.strip() for cell in row))
    except csv.Error:
        return


def _aligned(text: str) -> Iterator[Rows]:
    lines = [line for line in text.split("\n") if line.strip() and not _is_rule(line, is_second=True)]
    rows = [_WIDE.split(line.strip()) for line in lines]
    widths = {len(row) for row in rows[1:]} or {len(rows[0]) if rows else 0}
    if rows and len(widths) == 1 and len(rows[0]) > 1 and max(widths) - len(rows[0]) in (0, 1):
        yield rows


def _inside_prose(text: str, wanted: Counter[str] | None) -> Iterator[Laid]:
    """Yield the tables that begin at a line with the columns `wanted`, down to where the number of cells changes."""
    lines = text.split("\n") if wanted else []
    squeezed = _squeezed(text).split("\n")
    behind = 0
    begins = (n for n, line in enumerate(squeezed) if wanted and n >= behind and all(name in line for name in wanted))
    starts = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    for begin in itertools.islice(begins, 2 * MOST_TABLES):
        below = itertools.islice(lines, begin, None)
        delimiter = next((d for d in _DELIMITERS if _names(next(_parsed([lines[begin]], d), [])) == wanted), None)
        if delimiter is not None:
            rows = _parsed(itertools.takewhile(str.strip, below), delimiter)
        elif _names(_WIDE.split(lines[begin].strip())) == wanted:
            rows = (_WIDE.split(line.strip()) for line in below)
        else:
            continue
        header = next(rows)
        table = [header, *_as_wide(rows, len(header))]
        behind = begin + len(table)
        yield table, starts[begin], min(starts[min(behind, len(lines))], len(text))


def _as_wide(rows: Iterable[list[str]], width: int) -> Iterator[list[str]]:
    return itertools.takewhile(lambda row: len(row) == width, rows)


def _single(text: str, wanted: Counter[str] | None) -> Iterator[Laid]:
    """Yield the one column that the lines of a text are, from the line with its name on."""
    lines = [line.strip() for line in text.split("\n")]
    if wanted is None:
        yield [[line] for line in lines if line], 0, len(text)
    elif wanted.total() == 1:
        begin = next((n for n, line in enumerate(lines) if _names([line]) == wanted), len(lines))
        rows = [[line] for line in itertools.takewhile(bool, lines[begin:])]
        start = sum(len(line) + 1 for line in text.split("\n", begin)[:begin])
        yield rows, start, len(text)


def _names(cells: Iterable[str]) -> Counter[str]:
    return Counter(map(name_of, cells))
