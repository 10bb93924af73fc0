"""What lies packed or encoded in the bytes of a file: compression, archives, base64 and hex, texts between binary.

Told by content, never by name. How much comes out is bounded: `most` bytes of a file together, a few levels deep. Not
covered: encryption, rarer formats, token ids; pickles and data bases are not interpreted, only their texts are seen.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import codecs
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

import zstandard

from fairtrial.contamination.reading_compressed import gzip_reads, zstd_reads

LEAST_ENCODED = 120
"""Letters from which a word may be encoded data: hashes are shorter."""
MOST_ENCODED = 10_000
"""Encoded words that are looked at of one text."""
_TAR = (b"ustar\0", b"ustar ")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
          (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_ENCODED = re.compile(
    rb"[A-Za-z0-9+/_-](?:[A-Za-z0-9+/_-]|\r?\n(?=[A-Za-z0-9+/_-]{20})|\\n){%d,}={0,2}" % LEAST_ENCODED
)
_TEXTS = (
    (re.compile(rb"[\t\n\r\x20-\x7e\xc2-\xf4\x80-\xbf]{24,}"), "utf-8"),
    (re.compile(rb"(?:[\t\n\r\x20-\x7e]\0\0\0){24,}"), "utf-32-le"),
    (re.compile(rb"(?:[\t\n\r\x20-\x7e]\0){24,}"), "utf-16-le"),
)
_BROKEN = (EOFError, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error, lzma.LZMAError,
           zstandard.ZstdError, zipfile.BadZipFile, tarfile.TarError)  # fmt: skip


def unpacked(data: bytes, most: int) -> Iterator[tuple[str, bytes]] | None:
    """Return (name, content) of what is packed in some bytes, `most` bytes together; None where nothing is.

    What comes before a break is yielded. Raise nothing.
    """
    if data[:2] == b"\x1f\x8b":
        return _stream(gzip_reads(io.BytesIO(data)), most)
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return _stream(zstd_reads(io.BytesIO(data)), most)
    if data[:3] == b"BZh":
        return _stream(_reads(bz2.BZ2File(io.BytesIO(data))), most)
    if data[:6] == b"\xfd7zXZ\0":
        return _stream(_reads(lzma.LZMAFile(io.BytesIO(data))), most)
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zipped(data, most)
    return _tarred(data, most) if data[257:263] in _TAR else None


def encoded_in(data: bytes) -> Iterator[bytes]:
    """Yield what long words of hex or base64 in a text decode to.

    >>> [one[:6] for one in encoded_in(b"ROWS = '" + base64.b64encode(b"Why is it so? " * 20) + b"'")]
    [b'Why is']
    """
    for number, found in enumerate(_ENCODED.finditer(data)):
        if number >= MOST_ENCODED:
            return
        word = re.sub(rb"\s|\\n", b"", found[0]).rstrip(b"=")
        try:
            yield bytes.fromhex(word.decode("ascii"))
            continue
        except ValueError:
            pass
        try:
            yield base64.b64decode(word.translate(bytes.maketrans(b"-_", b"+/")) + b"=" * (-len(word) % 4))
        except binascii.Error:
            continue


def as_text(data: bytes) -> str | None:
    """Return bytes as the text that they are; None where they are none."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            text = data.decode(name, "replace")
            return text if "\0" not in text[:8192] else None
    return None if b"\0" in data[:8192] else data.decode("utf-8", "replace")


def is_plain(data: bytes) -> bool:
    """Say whether bytes are text throughout, as what was decoded by chance is not."""
    try:
        return bool(data) and b"\0" not in data and bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def texts_between(data: bytes) -> Iterator[str]:
    """Yield the passages of text in bytes that are none, of UTF-8, UTF-16 and UTF-32."""
    for pattern, name in _TEXTS:
        for found in pattern.finditer(data):
            yield found[0].decode(name, "replace")


def _reads(file: bz2.BZ2File | lzma.LZMAFile) -> Iterator[bytes]:
    with file:
        while read := file.read(1 << 20):
            yield read


def _stream(reads: Iterator[bytes], most: int) -> Iterator[tuple[str, bytes]]:
    held: list[bytes] = []
    room = most
    try:
        for one in reads:
            held.append(one[:room])
            room -= len(one)
            if room <= 0:
                break
    except _BROKEN:
        pass  # what came before the break counts
    yield "", b"".join(held)


def _zipped(data: bytes, most: int) -> Iterator[tuple[str, bytes]]:
    room = most
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if entry.is_dir() or room <= 0:
                    continue
                with archive.open(entry) as file:
                    content = file.read(room)
                room -= len(content)
                yield entry.filename, content
    except _BROKEN:
        return


def _tarred(data: bytes, most: int) -> Iterator[tuple[str, bytes]]:
    room = most
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for entry in archive:
                file = archive.extractfile(entry) if entry.isreg() and room > 0 else None
                if file is not None:
                    content = file.read(room)
                    room -= len(content)
                    yield entry.name, content
    except _BROKEN:
        return
