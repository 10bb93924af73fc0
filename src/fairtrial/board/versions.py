"""Versions of a board, kept beside its pages: DIR/versions/NNNN/board.json and rules.toml, one each time it changes.

The same board under the same rules file is no new version. A version is written under another name and renamed, so that
a reader sees it whole or not at all. Nothing is deleted.
"""

from __future__ import annotations

import re
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.board.kept import wrong_in
from fairtrial.board.result import SCHEMA
from fairtrial.records import FormatError, InputError

FOLDER = "versions"
BOARD, RULES = "board.json", "rules.toml"
_NUMBER = re.compile(r"\d{4,}")
_MOST_TRIES = 100
_RESTORE = "Bring the folder of this version back as it was, or move it away."


@dataclass(frozen=True, slots=True)
class Version:
    """One version: its number, from 1, the board's document and the rules file as it was."""

    number: int
    document: dict[str, Any]
    rules: str


def numbers(folder: Path) -> list[int]:
    """Return the numbers of the versions kept below `folder`, in order."""
    kept = folder / FOLDER
    if not kept.is_dir():
        return []
    return sorted(int(each.name) for each in kept.iterdir() if _NUMBER.fullmatch(each.name) and each.is_dir())


def read_version(folder: Path, number: int) -> Version:
    """Read one version. Raise InputError where it is not kept, FormatError where it is damaged."""
    place = folder / FOLDER / f"{number:04d}"
    try:
        content, rules = (place / BOARD).read_bytes(), (place / RULES).read_bytes()
        document = orjson.loads(content)
    except FileNotFoundError as error:
        if place.is_dir():
            lacking = next(name for name in (BOARD, RULES) if not (place / name).is_file())
            raise FormatError("is missing from a version of the board", path=place / lacking, hint=_RESTORE) from error
        there = ", ".join(map(str, numbers(folder))) or "none"
        raise InputError(f"there is no version {number} of this board", path=place, field="--since",
                         hint=f"Versions kept: {there}.") from error  # fmt: skip
    except (OSError, orjson.JSONDecodeError) as error:
        raise FormatError(f"cannot be read: {error}", path=place / BOARD, hint=_RESTORE) from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise FormatError(f"is not a board of schema {SCHEMA}", path=place / BOARD, field="schema", hint=_RESTORE)
    if wrong := wrong_in(document):
        raise FormatError(f"was not written so by fairtrial: {wrong[1]}", path=place / BOARD, field=wrong[0],
                          hint=_RESTORE)  # fmt: skip
    return Version(number, document, rules.decode("utf-8", "replace"))


def keep_version(folder: Path, document: dict[str, Any], rules: bytes) -> tuple[Version, bool]:
    """Keep this board as a version if it is not the last one's; return it, and whether it is new.

    Raise InputError where it cannot be written.
    """
    there = numbers(folder)
    content = board_bytes(document)
    if there:
        place = folder / FOLDER / f"{there[-1]:04d}"
        last = read_version(folder, there[-1])
        if (place / BOARD).read_bytes() == content and (place / RULES).read_bytes() == rules:
            return last, False
    number = (there[-1] if there else 0) + 1
    try:
        number = _put(folder / FOLDER, number, content, rules)
    except OSError as error:
        raise InputError(f"could not keep a version of the board: {error.strerror or error}", path=folder / FOLDER,
                         hint="Name another folder with --out.") from error  # fmt: skip
    return Version(number, document, rules.decode("utf-8", "replace")), True


def board_bytes(document: dict[str, Any]) -> bytes:
    """Return the document as indented JSON."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _put(kept: Path, number: int, content: bytes, rules: bytes) -> int:
    """Write a version under the first number from `number` that is free, and return that."""
    kept.mkdir(parents=True, exist_ok=True)
    temporary = kept / f".{uuid.uuid4().hex}"
    temporary.mkdir()
    try:
        (temporary / BOARD).write_bytes(content)
        (temporary / RULES).write_bytes(rules)
        for free in range(number, number + _MOST_TRIES):
            try:
                temporary.rename(kept / f"{free:04d}")
            except OSError:
                if not (kept / f"{free:04d}").exists():
                    raise
                continue
            return free
        raise OSError(f"{_MOST_TRIES} numbers from {number} are taken")
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
