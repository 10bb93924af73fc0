"""Markdown, plain text, SQL scripts and settings files: words, numbers, dates or literals as leaves.

Markdown and text: each word and number (`0.12`, `2024-05-31` and `08:30` are one). SQL: each literal. Settings
(YAML, TOML, INI): each value after a key. Rows are the lines of a text in which every line is data,
as is the one line of a text that is one value. Not covered: grammar of any kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from fairtrial.attack.artifacts.leaves import Form, Kind, Leaf, Put
from fairtrial.attack.artifacts.reading.spliced import Span, Spliced, row_of

_WORD = re.compile(r"[^\W_]+(?:[.,:'’/_-][^\W_]+)*")
_NUMERIC = re.compile(r"\d[\d.,:/T-]*%?")
_MARKUP = re.compile(r"<[^<>]*>|\]\([^)]*\)")
_SQL = re.compile(r"--[^\n]*|/\*.*?\*/|(?P<text>'(?:[^']|'')*')|(?<![\w.])(?P<number>\d+(?:\.\d+)?)(?![\w.])", re.S)
_SETTING = re.compile(
    r"^[ \t]*(?:- )?(?P<key>[\w .-]+?)[ \t]*[:=][ \t]+(?P<value>[^\s#{\[|>][^\n#]*?)[ \t]*(?:#.*)?$", re.M
)
MOST_LEAVES = 5_000
Found = tuple[str, str, Kind, str, Span]
"""Place, group, kind, text and span of a leaf."""
LONGEST_DATA_LINE = 6
"""Words in a line of a text that is a table in all but name."""


def read_words(text: str, encoding: str, form: Form) -> Spliced | None:
    """Return a document of words; None where there is none, or too many to be worth replacing."""
    row_spans = _data_lines(text) if form == "text" else ()
    found: list[Found] = []
    masked = [match.span() for match in _MARKUP.finditer(text)]
    for match in _WORD.finditer(text):
        if any(start <= match.start() < end for start, end in masked):
            continue
        kind: Kind = "number" if _NUMERIC.fullmatch(match[0]) else "text"
        found.append((_line(text, match.start()), _group(text, match.start(), kind), kind, match[0], match.span()))
    return _document(text, encoding, form, found, row_spans)


def read_sql(text: str, encoding: str) -> Spliced | None:
    """Return a document of the literals of a SQL script; None where it has none."""
    found: list[Found] = []
    for match in _SQL.finditer(text):
        line = _line(text, match.start())
        if match["text"]:
            value = match["text"][1:-1].replace("''", "'")
            found.append((line, "text literals", "text", value, match.span("text")))
        elif match["number"]:
            found.append((line, "numbers", "number", match["number"], match.span("number")))
    return _document(text, encoding, "sql", found, ())


def read_settings(text: str, encoding: str) -> Spliced | None:
    """Return a document of the values of a settings file; None where it has none."""
    found: list[Found] = []
    for match in _SETTING.finditer(text):
        value, span = match["value"], match.span("value")
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value, span = value[1:-1], (span[0] + 1, span[1] - 1)
        kind: Kind = "number" if re.fullmatch(r"[+-]?\d+(\.\d+)?", value) else "text"
        found.append((f"{match['key'].strip()}", match["key"].strip(), kind, value, span))
    return _document(text, encoding, "settings", found, ())


def _document(text: str, encoding: str, form: Form, found: list[Found], row_spans: tuple[Span, ...]) -> Spliced | None:
    if not 0 < len(found) <= MOST_LEAVES:
        return None
    ordinals: Counter[str] = Counter()
    leaves = tuple(
        Leaf(
            place=_numbered(place, ordinals),
            group=group,
            kind=kind,
            text=value,
            row=row_of(span, row_spans) if row_spans else None,
        )
        for place, group, kind, value, span in found
    )
    return Spliced(
        form=form, text=text, encoding=encoding, leaves=leaves, spans=tuple(span for *_, span in found),
        row_spans=row_spans, literal=_sql if form == "sql" else _plain,
    )  # fmt: skip


def _numbered(place: str, ordinals: Counter[str]) -> str:
    """Tell the values of one place apart."""
    ordinals[place] += 1
    return f"{place}, {ordinals[place]}"


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def _group(text: str, at: int, kind: Kind) -> str:
    """Tell headings, numbers and words apart."""
    start = text.rfind("\n", 0, at) + 1
    return "heading" if text.startswith("#", start) else "numbers" if kind == "number" else "words"


def _data_lines(text: str) -> tuple[Span, ...]:
    """Return the lines of a text in which every line is short and looks like the others; none for prose.

    A line alone is data where it is one value: a number, or a single word.

    >>> len(_data_lines("ada 30\\nbo 12\\n")), len(_data_lines("It went well.\\n\\nWe then left for the day.\\n"))
    (2, 0)
    >>> len(_data_lines("15.28\\n")), len(_data_lines("All is well\\n"))
    (1, 0)
    """
    spans = tuple(_lines(text))
    if len(spans) == 1 and len(_WORD.findall(text)) == 1:
        return spans
    counts = [len(_WORD.findall(text[start:end])) for start, end in spans]
    is_data = len(spans) > 1 and all(0 < count <= LONGEST_DATA_LINE for count in counts) and len(set(counts)) <= 2
    is_data = is_data and not any(text[end - 1] in ".!?:" for _, end in spans)
    return spans if is_data else ()


def _lines(text: str) -> Iterator[Span]:
    for match in re.finditer(r"[^\r\n]+", text):
        yield match.span()


def _plain(put: Put) -> str:
    return put.text


def _sql(put: Put) -> str:
    if put.kind == "null":
        return "NULL"
    doubled = put.text.replace("'", "''")
    return f"'{doubled}'" if put.kind == "text" else put.text
