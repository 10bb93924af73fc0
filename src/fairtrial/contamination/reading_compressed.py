"""Compressed files as a stream of pieces of bytes: gzip and zstd, several members or frames in a row too.

All that could be unpacked is yielded before a broken file is told (EOFError, or the error of the library).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

import zstandard

BROKEN = (EOFError, OSError, zlib.error, zstandard.ZstdError)
"""What reading a broken file raises."""

_PACKED = 1 << 14
_UNPACKED = 1 << 20
"""Bytes that come at once from gzip, however well they were packed."""


def gzip_reads(raw: BinaryIO) -> Iterator[bytes]:
    """Yield the unpacked bytes of gzip members."""
    member = zlib.decompressobj(wbits=31)
    packed = b""
    while packed or (packed := raw.read(1 << 17)):
        if member.eof:
            packed = packed.lstrip(b"\0")  # members may be padded
            if not packed:
                continue
            member = zlib.decompressobj(wbits=31)
        yield member.decompress(packed, _UNPACKED)
        packed = member.unused_data if member.eof else member.unconsumed_tail
    if not member.eof:
        yield member.flush()
        raise EOFError("the gzip stream has no end")


def zstd_reads(raw: BinaryIO) -> Iterator[bytes]:
    """Yield the unpacked bytes of zstd frames; windows of up to 2 GiB (`--long=31`) are read."""
    unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    frame = unpacker.decompressobj()
    packed = b""
    while packed or (packed := raw.read(_PACKED)):
        if frame.eof:
            frame = unpacker.decompressobj()
        yield frame.decompress(packed)
        packed = frame.unused_data if frame.eof else b""
    if not frame.eof:
        raise EOFError("the zstd stream has no end")


def plain_reads(raw: BinaryIO, room: float = float("inf")) -> Iterator[bytes]:
    """Yield the next `room` bytes as they stand."""
    while read := raw.read(int(min(1 << 20, room))):
        room -= len(read)
        yield read
