"""Members of a `.eval` archive: a zip whose members are stored, deflated or compressed with zstd (method 93).

The standard library of Python 3.11 reads the directory (zip64 too) and inflates, and cannot read zstd: a member's
bytes are found by its local header and unpacked here, never beyond the size that the directory states, and checked by
their CRC. Where a name stands twice, as after a sample was run again, the last one counts. Not covered: encrypted
members, archives of several volumes, and finding members of an archive whose directory is lost.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType

import zstandard

from fairtrial.records import FormatError

MOST_BYTES = 1_000_000_000
"""Of one member, unpacked: a sample beyond that is not one that anybody could open, and may be a bomb."""
_MAGIC = b"PK\x03\x04"
_ZSTD = 93
_ENCRYPTED = 0x1
_LOCAL_HEADER = struct.Struct("<4s22xHH")
"""Signature, then after what the directory says again the lengths of name and extra field."""
_BROKEN = (zipfile.BadZipFile, zlib.error, zstandard.ZstdError, struct.error, EOFError, ValueError, NotImplementedError)


def is_zip(path: Path) -> bool:
    """Say whether a file opens as zip archives do."""
    with path.open("rb") as handle:
        return handle.read(len(_MAGIC)) == _MAGIC


class Archive:
    """An open archive. Raise FormatError where it is none, or is cut short."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
        try:
            self._members = {info.filename: info for info in zipfile.ZipFile(self._file).infolist()}
        except _BROKEN as error:
            self._file.close()
            raise FormatError("is no whole zip archive; a log that was cut short has no directory", path=path,
                              hint="Copy the file again, or let Inspect recover it.") from error  # fmt: skip

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    @property
    def names(self) -> list[str]:
        """Return the names of the members, as they follow in the directory."""
        return list(self._members)

    def stored_bytes(self, name: str) -> int:
        """Return how many bytes a member takes in the file."""
        return self._members[name].compress_size

    def read(self, name: str) -> bytes:
        """Return the content of a member. Raise FormatError naming it where it is broken, encrypted or too large."""
        member = self._members[name]
        if member.flag_bits & _ENCRYPTED:
            raise self._wrong(name, "is encrypted")
        if member.file_size > MOST_BYTES:
            raise self._wrong(name, f"would take {member.file_size:,} bytes, more than {MOST_BYTES:,}")
        try:
            content = _unpacked(self._packed(member), member)
        except _BROKEN as error:
            raise self._wrong(name, f"cannot be unpacked: {error}") from error
        if len(content) != member.file_size:
            raise self._wrong(name, "has another size than the archive's directory says")
        if zlib.crc32(content) != member.CRC:
            raise self._wrong(name, "is damaged: its checksum differs")
        return content

    def _packed(self, member: zipfile.ZipInfo) -> bytes:
        self._file.seek(member.header_offset)
        signature, name, extra = _LOCAL_HEADER.unpack(self._file.read(_LOCAL_HEADER.size))
        if signature != _MAGIC:
            raise zipfile.BadZipFile("there is no member where the directory says")
        self._file.seek(name + extra, 1)
        packed = self._file.read(member.compress_size)
        if len(packed) != member.compress_size:
            raise EOFError("the file ends within it")
        return packed

    def _wrong(self, name: str, what: str) -> FormatError:
        return FormatError(what, path=self.path, field=name)


def _unpacked(packed: bytes, member: zipfile.ZipInfo) -> bytes:
    """Unpack at most one byte more than the directory states, so that what is too long is seen and not held."""
    bound = member.file_size + 1
    if member.compress_type == zipfile.ZIP_STORED:
        return packed
    if member.compress_type == zipfile.ZIP_DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, bound)
    if member.compress_type == _ZSTD:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
            return stream.read(bound)
    raise NotImplementedError(f"compression method {member.compress_type} is neither deflate nor zstd")
