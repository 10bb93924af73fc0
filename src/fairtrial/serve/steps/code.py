"""Code, coloured by pygments: offsets and one of five classes; in bounds, since what is coloured is hostile input.

A text above 16 KB, or with a line above 2,000 characters or a gap above 300, is shown plain, and one that has taken a
tenth of a second of processor time is coloured no further: lexers are regular expressions, whose cost can grow with the
square of a text (16 KB of blank lines as Java take eleven seconds). Languages are those of the names below; others are
shown plain.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Comment, Keyword, Literal, Name, Number, String  # type: ignore[import-untyped]

from fairtrial.serve.steps.hostile import Span

MOST_CHARACTERS = 16_384
LONGEST_LINE = 2_000
MOST_SECONDS = 0.1
"""Of the thread's own processor time, so that a busy machine colours the same; a plain text of 16 KB takes 20 ms."""

_GAP = re.compile(r"\s{301}")
_OPENS = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
_WRITTEN_TO = re.compile(r">>?[ \t]*['\"]?([^\s'\"<>|;&]+)")
_BY_SUFFIX = {
    ".bash": "bash", ".c": "c", ".cc": "cpp", ".cpp": "cpp", ".css": "css", ".go": "go", ".h": "c", ".hpp": "cpp",
    ".html": "html", ".ini": "ini", ".java": "java", ".js": "javascript", ".json": "json", ".jsx": "javascript",
    ".lua": "lua", ".md": "markdown", ".php": "php", ".py": "python", ".r": "r", ".rb": "ruby", ".rs": "rust",
    ".sh": "bash", ".sql": "sql", ".toml": "toml", ".ts": "typescript", ".tsx": "typescript", ".xml": "xml",
    ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip
_BY_NAME = {"makefile": "make", "dockerfile": "docker"}
_CLASSES: tuple[tuple[Any, str], ...] = (
    (Comment, "k-comment"), (Keyword, "k-word"), (String, "k-text"), (Number, "k-number"), (Literal, "k-text"),
    (Name.Function, "k-name"), (Name.Class, "k-name"), (Name.Tag, "k-name"), (Name.Builtin, "k-name"),
    (Name.Decorator, "k-name"),
)  # fmt: skip


def language_of(path: str) -> str:
    """Return the language of a file by its name, empty where unknown.

    >>> language_of("src/reader.c"), language_of("Makefile"), language_of("notes")
    ('c', 'make', '')
    """
    name = PurePosixPath(path).name.lower()
    return _BY_NAME.get(name) or _BY_SUFFIX.get(PurePosixPath(name).suffix, "")


def token_spans(text: str, language: str) -> tuple[Span, ...]:
    """Return the coloured stretches of `text` in order; none where the language is unknown or the text too long.

    A here-document within a shell script is coloured as what it is fed to, or as the file that it is written to.

    >>> token_spans("x = 1  # one", "python")
    (Span(start=4, end=5, name='k-number', label=''), Span(start=7, end=12, name='k-comment', label=''))
    """
    if not language or len(text) > MOST_CHARACTERS or max(map(len, text.split("\n"))) > LONGEST_LINE:
        return ()
    if _GAP.search(text):
        return ()
    until = time.thread_time() + MOST_SECONDS
    if language != "bash":
        return tuple(_spans(text, language, 0, until))
    found: list[Span] = []
    last = 0
    for inner, start, end in _documents(text):
        found += _spans(text[last:start], language, last, until)
        found += _spans(text[start:end], inner, start, until)
        last = end
    return (*found, *_spans(text[last:], language, last, until))


def _documents(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the here-documents of a script whose language is known, with their places; one pass over the lines."""
    place, start, word, inner = 0, 0, "", ""
    for line in text.split("\n"):
        opens = None if word else _OPENS.search(line)
        if opens:
            word, inner, start = opens[2], _language_within(line), place + len(line) + 1
        elif word and line.strip() == word:
            if inner and start < place:
                yield inner, start, place
            word = ""
        place += len(line) + 1


def _language_within(head: str) -> str:
    """Return the language of a here-document by the line that opens it."""
    if "python" in head:
        return "python"
    written = _WRITTEN_TO.search(head)
    return language_of(written[1]) if written else ""


def _spans(text: str, language: str, offset: int, until: float) -> list[Span]:
    """Return the coloured stretches of `text`, as far as it gets until the thread has used `until` seconds."""
    found: list[Span] = []
    for start, kind, value in _lexer(language).get_tokens_unprocessed(text + "\n"):  # lexers end lines with it
        if time.thread_time() > until:
            break
        name, end = _class_of(kind), min(start + len(value), len(text))
        if not name or end <= start:
            continue
        if found and found[-1].name == name and found[-1].end == start + offset:
            found[-1] = Span(found[-1].start, end + offset, name)
        elif not found or found[-1].end <= start + offset:
            found.append(Span(start + offset, end + offset, name))
    return found


@cache
def _class_of(kind: Any) -> str:
    return next((name for wanted, name in _CLASSES if kind in wanted), "")


@cache
def _lexer(language: str) -> Any:
    return get_lexer_by_name(language)
