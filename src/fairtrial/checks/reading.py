"""Read what an agent left behind without trusting it: plain files, text, JSON, and databases as copies.

No link is followed to the key, no pipe is waited for, nothing huge is loaded, no database runs on for ever. What is
wrong with the work is raised as `WorkError`, which `of_the_work` turns into a failed result; what is wrong with the
key, read by `key_*`, is a CheckError. Not covered: documents and images (their checks), running programs (`apart`).
"""

from __future__ import annotations

import errno
import functools
import hashlib
import json
import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ParamSpec

from fairtrial.checks.apart import Ended, run_apart
from fairtrial.checks.protocol import CheckError, Result

__all__ = [
    "Ended",
    "WorkError",
    "digest",
    "is_of_the_key",
    "json_from",
    "json_value",
    "key_bytes",
    "key_text",
    "many",
    "named",
    "of_the_work",
    "plain_bytes",
    "plain_text",
    "rows_of",
    "run_apart",
    "said",
    "sqlite_copy",
]

MOST_BYTES = 50_000_000
MOST_JSON_BYTES = 20_000_000  # as objects it may take thirty times as much
MOST_DATABASE_BYTES = 1_000_000_000
MOST_DEPTH = 200
MOST_STEPS = 5_000  # of 10,000 SQLite instructions each: a looping view ends, whatever the machine's speed
MOST_CELL_BYTES = 50_000_000
MOST_ROWS = 1_000_000
MOST_ANSWER_BYTES = 300_000_000
OF_THE_KEY = ("checks.toml", "fairtrial.pyz")
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
_PIECE = 1 << 20

P = ParamSpec("P")


class WorkError(Exception):
    """What was found wrong with the work, as one sentence; becomes a failed result."""


def of_the_work(check: Callable[P, Result]) -> Callable[P, Result]:
    """Make a `WorkError` that `check` raises a failed result.

    >>> @of_the_work
    ... def never() -> Result:
    ...     raise WorkError("there is no file")
    >>> never()
    Result(passed=False, why='there is no file', value=None, evidence={})
    """

    @functools.wraps(check)
    def checked(*args: P.args, **named: P.kwargs) -> Result:
        try:
            return check(*args, **named)
        except WorkError as fault:
            return Result(False, str(fault))

    return checked


def said(value: Any, most: int = 80) -> str:
    r"""Return `value` for a sentence: in quotes, on one line, cut, and printable whatever it holds.

    >>> said("two\nlines")
    "'two\\nlines'"
    """
    text = repr(value[: most + 1]) if isinstance(value, str | bytes | list | tuple) else repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def named(path: str | Path, most: int = 80) -> str:
    """Return a path for a sentence; of a long one, its end.

    >>> named("/app/" + "x" * 90 + "/out.txt", 20)
    "'…xxxxxxxxx/out.txt'"
    """
    text = str(path)
    return repr(text if len(text) <= most else f"…{text[3 - most :]}")


def many(count: int, noun: str) -> str:
    """Return a count of things.

    >>> many(1, "row"), many(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


@contextmanager
def _opened(path: str | Path, most: int) -> Iterator[tuple[int, int]]:
    """Open an ordinary file; give its descriptor and size. Raise WorkError for anything else."""
    name = named(path)
    _refuse_way_to_the_key(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise WorkError(f"there is no file {name}") from None
    except (OSError, ValueError) as error:
        reason = (
            "it is a link"
            if getattr(error, "errno", 0) == errno.ELOOP
            else getattr(error, "strerror", None) or str(error)
        )
        raise WorkError(f"{name} cannot be read: {reason}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise WorkError(f"{name} is no ordinary file")
        if status.st_size > most:
            raise WorkError(f"{name} has {status.st_size} bytes, more than {most}")
        yield descriptor, status.st_size
    finally:
        os.close(descriptor)


def _refuse_way_to_the_key(path: str | Path) -> None:
    """Refuse a path that links lead into the folder of the key: an answer copied from it is no answer."""
    if "\0" in str(path):
        return
    straight, real = Path(os.path.abspath(path)), Path(os.path.realpath(path))  # noqa: PTH100 - no link is followed
    if straight == real:
        return
    for folder in real.parents:
        if folder not in straight.parents and any((folder / name).is_file() for name in OF_THE_KEY):
            raise WorkError(f"{named(path)} leads, over a link, to the grader's own files")


def plain_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of an ordinary file that is no link. Raise WorkError for all else, or above `most`."""
    with _opened(path, most) as (descriptor, _):
        pieces = []
        left = most
        while piece := os.read(descriptor, min(_PIECE, left + 1)):
            left -= len(piece)
            if left < 0:
                raise WorkError(f"{named(path)} has more than {most} bytes")
            pieces.append(piece)
        return b"".join(pieces)


def plain_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """Return the text of an ordinary UTF-8 file, without a byte order mark. Raise WorkError for anything else."""
    return _decoded(plain_bytes(path, most), path)


def _decoded(data: bytes, path: str | Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkError(f"{named(path)} is not UTF-8 text, at byte {error.start}") from None


def json_value(path: str | Path) -> Any:
    """Return what a JSON file holds. Raise WorkError for what is no JSON, or nested deeper than 200."""
    return json_from(plain_text(path, MOST_JSON_BYTES), named(path))


def json_from(text: str, what: str) -> Any:
    """Return the value of a JSON text; `what` names it where it is none. Raise WorkError as `json_value` does.

    >>> json_from('{"a": [1]}', "the answer")
    {'a': [1]}
    """
    try:
        value = json.loads(text)
    except ValueError as error:
        raise WorkError(f"{what} is not JSON: {str(error)[:100]}") from None
    except RecursionError:
        raise WorkError(f"{what} is nested too deep") from None
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return value
    raise WorkError(f"{what} is nested deeper than {MOST_DEPTH}")


def digest(path: str | Path) -> str:
    """Return the SHA-256 of an ordinary file, in hex. Raise WorkError as `plain_bytes`, above two gigabytes."""
    summed = hashlib.sha256()
    with _opened(path, MOST_DATABASE_BYTES) as (descriptor, size):
        while size > 0 and (piece := os.read(descriptor, min(_PIECE, size))):
            summed.update(piece)
            size -= len(piece)
    return summed.hexdigest()


def is_of_the_key(path: str | Path) -> bool:
    """Say whether `path` lies in a folder with a checks.toml, or below one, so that its faults are the author's."""
    return any((folder / OF_THE_KEY[0]).is_file() for folder in Path(path).parents)


def key_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file of the key. Raise CheckError where it cannot be read."""
    try:
        return plain_bytes(path, most)
    except WorkError as fault:
        raise CheckError(f"the reference: {fault}") from None


def key_text(path: str | Path) -> str:
    """Return the text of a file of the key. Raise CheckError where it cannot be read."""
    try:
        return plain_text(path)
    except WorkError as fault:
        raise CheckError(f"the reference: {fault}") from None


@contextmanager
def sqlite_copy(path: str | Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a SQLite database, write-ahead log or journal included; text that is no UTF-8 is escaped.

    It cannot be written to, and ends by itself: after 50 million instructions a query raises `sqlite3.Error`. Raise
    WorkError for what is no database.
    """
    with tempfile.TemporaryDirectory(prefix="copy-") as folder:
        copy = Path(folder) / "copy.db"
        _copied(path, copy)
        for suffix in ("-wal", "-journal"):
            if os.path.lexists(f"{path}{suffix}"):
                _copied(f"{path}{suffix}", Path(f"{copy}{suffix}"))
        _refuse_super_journal(path, Path(f"{copy}-journal"))
        with closing(sqlite3.connect(copy)) as connection:
            left = [MOST_STEPS]

            def count_down() -> bool:
                left[0] -= 1
                return left[0] < 0

            connection.set_progress_handler(count_down, 10_000)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_CELL_BYTES)
            connection.text_factory = _escaped
            try:
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # takes the log in
                connection.execute("PRAGMA query_only = 1")
                connection.execute("PRAGMA trusted_schema = 0")
            except sqlite3.Error as error:
                raise WorkError(f"{named(path)} is no SQLite database that can be read: {error}") from None
            yield connection


def _escaped(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")


def _copied(path: str | Path, to: Path) -> None:
    with _opened(path, MOST_DATABASE_BYTES) as (descriptor, size), to.open("wb") as copy:
        while size > 0 and (piece := os.read(descriptor, min(_PIECE, size))):
            copy.write(piece)
            size -= len(piece)


def _refuse_super_journal(path: str | Path, journal: Path) -> None:
    """Refuse a journal that names a super-journal: SQLite would delete the file of that name."""
    if journal.exists() and journal.read_bytes()[-8:] == _SUPER_JOURNAL:
        raise WorkError(f"the journal of {named(path)} names another file")


def rows_of(connection: sqlite3.Connection, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of `query`. Raise WorkError with SQLite's words where it has none, or where they are too many."""
    rows: list[tuple[Any, ...]] = []
    held = 0
    try:
        for row in connection.execute(query, values):
            rows.append(row)
            held += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
            if len(rows) > MOST_ROWS or held > MOST_ANSWER_BYTES:
                raise WorkError(f"the query {said(query)} has more than {MOST_ROWS} rows or {MOST_ANSWER_BYTES} bytes")
    except (sqlite3.Error, sqlite3.Warning, OverflowError, MemoryError) as error:
        reason = "it does not end" if "interrupted" in str(error) else str(error)
        raise WorkError(f"the query {said(query)} cannot be answered: {reason}") from None
    return rows
