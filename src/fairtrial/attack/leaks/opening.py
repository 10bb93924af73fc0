"""Open one layer of a container: compressed files, archives, encodings, databases, JSON, git objects.

Each opener takes bytes and yields what lies inside; damaged or hostile content yields nothing. Nothing is executed, no
path is followed, nothing is written to disk, and no more than a given number of bytes comes out of one layer.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import csv
import io
import json
import lzma
import re
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.leaks.git_objects import loose_object, packed_objects

SQLITE = b"SQLite format 3\0"
MOST_MEMBERS = 2000
MOST_ROWS = 20_000
LEAST_TEXT = 16
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/_-]{4,}\s{0,2}){8,}={0,2}")
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}\s?){24,}")


@dataclass(frozen=True, slots=True)
class Opened:
    """Something that lay in a container."""

    kind: str
    """`gzip`, `zip member`, `git blob`, `table`, `base64` …"""
    name: str
    data: bytes


def opened(data: bytes, most: int) -> Iterator[Opened]:
    """Yield what lies one layer below `data`."""
    for opener in _OPENERS:
        left = most
        for one in opener(data, most):
            left -= len(one.data)
            if left < 0:
                break
            yield one


def _compressed(data: bytes, most: int) -> Iterator[Opened]:
    try:
        if data.startswith(b"\x1f\x8b"):
            yield Opened("gzip", "", zlib.decompressobj(31).decompress(data, most))
        elif data.startswith(b"BZh"):
            yield Opened("bzip2", "", bz2.BZ2Decompressor().decompress(data, most))
        elif data.startswith(b"\xfd7zXZ"):
            yield Opened("xz", "", lzma.LZMADecompressor().decompress(data, most))
    except (OSError, ValueError, EOFError, zlib.error, lzma.LZMAError):
        return


def _git(data: bytes, most: int) -> Iterator[Opened]:
    found = loose_object(data, most)
    for one in [found] if found is not None else packed_objects(data, most):
        if one.kind in ("blob", "tree"):
            yield Opened(f"git {one.kind}", one.name, one.data)
        else:
            yield Opened(f"git {one.kind}", "", one.data)
    if found is None and data[:1] == b"\x78":
        try:
            yield Opened("zlib", "", zlib.decompressobj().decompress(data, most))
        except zlib.error:
            return


def _zipped(data: bytes, most: int) -> Iterator[Opened]:
    if not data.startswith(b"PK\x03\x04"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist()[:MOST_MEMBERS]:
                if not member.is_dir() and member.file_size <= most and not member.flag_bits & 1:
                    yield Opened("zip member", member.filename, archive.read(member))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError, zlib.error):
        return


def _archived(data: bytes, most: int) -> Iterator[Opened]:
    if data[257:262] != b"ustar":
        return
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for count, member in enumerate(archive):
                if count >= MOST_MEMBERS:
                    return
                file = archive.extractfile(member) if member.isreg() and member.size <= most else None
                if file is not None:
                    yield Opened("tar member", member.name, file.read())
    except (tarfile.TarError, ValueError, EOFError, OSError):
        return


def _encoded(data: bytes, most: int) -> Iterator[Opened]:
    if len(data) > most or b"\0" in data:
        return
    for pattern, kind, decode in ((_BASE64, "base64", _of_base64), (_HEX, "hexadecimal", _of_hex)):
        for count, match in enumerate(pattern.finditer(data)):
            if count >= MOST_MEMBERS:
                return
            decoded = decode(b"".join(match[0].split()))
            if len(decoded) >= LEAST_TEXT and not decoded.isspace():
                yield Opened(kind, "", decoded)


def _of_base64(text: bytes) -> bytes:
    text = text.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    try:
        return base64.b64decode(text[: len(text) - (len(text) % 4 == 1)] + b"=" * (-len(text) % 4), validate=True)
    except (ValueError, binascii.Error):
        return b""


def _of_hex(text: bytes) -> bytes:
    return binascii.unhexlify(text[: len(text) // 2 * 2])


def _tables(data: bytes, most: int) -> Iterator[Opened]:
    """Yield each table of a SQLite database as CSV, and its longer cells."""
    if not data.startswith(SQLITE) or len(data) > most:
        return
    # A database in write-ahead mode cannot be read from memory; the two bytes say which mode it is.
    content = data[:18] + b"\1\1" + data[20:]
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(content)
        connection.text_factory = _decoded
        names = [row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")]
        for name in names[:MOST_MEMBERS]:
            quoted = str(name).replace('"', '""')
            cursor = connection.execute(f'select * from "{quoted}" limit {MOST_ROWS}')
            header = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
            yield Opened("table", str(name), _as_csv([header, *rows]))
            for row in rows:
                yield from (Opened("cell", str(name), _bytes(cell)) for cell in row if len(_bytes(cell)) >= LEAST_TEXT)
    except (sqlite3.Error, sqlite3.Warning, UnicodeError, OverflowError):
        return
    finally:
        connection.close()


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _bytes(cell: Any) -> bytes:
    return cell if isinstance(cell, bytes) else cell.encode("utf-8", "replace") if isinstance(cell, str) else b""


def _as_csv(rows: list[Any]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [cell.hex() if isinstance(cell, bytes) else cell for cell in row] for row in rows
    )
    return out.getvalue().encode("utf-8", "replace")


def _texts_in_json(data: bytes, most: int) -> Iterator[Opened]:
    if len(data) > most or data[:1] not in b'{["':
        return
    try:
        waiting: list[Any] = [json.loads(data)]
    except (ValueError, RecursionError):
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and len(value) >= LEAST_TEXT:
            yield Opened("text in JSON", "", value.encode("utf-8", "replace"))


_OPENERS: tuple[Callable[[bytes, int], Iterator[Opened]], ...] = (
    _compressed, _git, _zipped, _archived, _encoded, _tables, _texts_in_json,
)  # fmt: skip
