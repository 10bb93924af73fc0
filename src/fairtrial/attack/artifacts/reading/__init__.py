"""Reading artifacts: which format a file has, by its name and its first bytes. What is code is left to others."""

from __future__ import annotations

from pathlib import PurePosixPath

from fairtrial.attack.artifacts.leaves import Rowed
from fairtrial.attack.artifacts.reading.database import MAGIC, Database, read_database
from fairtrial.attack.artifacts.reading.delimited import read_delimited
from fairtrial.attack.artifacts.reading.json_text import IsField, read_json, read_json_lines
from fairtrial.attack.artifacts.reading.spliced import Spliced, decoded
from fairtrial.attack.artifacts.reading.words import read_settings, read_sql, read_words

_CODE = (
    ".py .pyi .sh .bash .js .mjs .cjs .ts .tsx .jsx .c .h .cc .cpp .hpp .rs .go .java .kt .rb .pl .php .lua .r .jl .cs "
    ".swift .scala .hs .ml .cu .ipynb .mk .awk .sed .patch .diff .css"
)
CODE = frozenset(_CODE.split())
SETTINGS = frozenset({".yaml", ".yml", ".toml", ".ini", ".cfg", ".env", ".properties", ".conf"})
CODE_NAMES = frozenset({"Makefile", "Dockerfile", "Justfile", "CMakeLists.txt"})
MOST_BYTES = 1_000_000

__all__ = ["MOST_BYTES", "Database", "Spliced", "is_code", "read"]


def is_code(inside: str, content: bytes) -> bool:
    """Say whether a file is a program, by its name or its first line.

    >>> is_code("/app/run.py", b""), is_code("/app/go", b"#!/bin/sh"), is_code("/app/a.csv", b"a,b")
    (True, True, False)
    """
    path = PurePosixPath(inside)
    return path.suffix.lower() in CODE or path.name in CODE_NAMES or content.startswith(b"#!")


def read(inside: str, content: bytes, before: bytes | None, is_field: IsField) -> Rowed | None:
    """Return the artifact at `inside`, or None where it is no data, or cannot be read."""
    if len(content) > MOST_BYTES or not content.strip() or is_code(inside, content):
        return None
    if content.startswith(MAGIC):
        return read_database(content, before if before and before.startswith(MAGIC) else None)
    text = decoded(content)
    return _read_text(PurePosixPath(inside).suffix.lower(), *text, is_field) if text is not None else None


def _read_text(suffix: str, text: str, encoding: str, is_field: IsField) -> Spliced | None:
    found: Spliced | None = None
    if suffix in (".csv", ".tsv"):
        found = read_delimited(text, encoding, tabs=suffix == ".tsv")
    elif suffix == ".sql":
        found = read_sql(text, encoding)
    elif suffix in SETTINGS:
        found = read_settings(text, encoding)
    elif suffix == ".jsonl" or suffix == ".ndjson":
        found = read_json_lines(text, encoding, is_field)
    elif suffix == ".json" or text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        found = read_json(text, encoding, is_field) or read_json_lines(text, encoding, is_field)
    if found is None:
        found = read_words(text, encoding, "markdown" if suffix in (".md", ".markdown") else "text")
    return found
