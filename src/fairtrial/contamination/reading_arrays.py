"""A file that is one JSON array and not a row a line, as training sets are often kept: told before it is read.

Read by lines such a file would be one row, or no row at all. Not covered: rows that are arrays themselves, such as a
list of messages a line, which are rows like others.
"""

from __future__ import annotations

import re
from pathlib import Path

from fairtrial.contamination.reading_compressed import BROKEN, gzip_reads, zstd_reads

HEAD = 1 << 16
"""Bytes looked at."""
_OBJECTS = re.compile(rb'\[\s*\{(?!\s*"(role|from|content|value|type)")')
"""An array of objects that are no messages."""
_STARTS = (b"[", b"[{")
"""First lines of an array that is set out over several."""


def is_one_array(path: Path) -> bool:
    """Return whether the file at `path`, compressed or not, is one JSON array of rows; False where it cannot be read.

    A file of a single line that is a list of messages is a row.
    """
    head = _head(path).removeprefix(b"\xef\xbb\xbf").lstrip()
    line, _, rest = head.partition(b"\n")
    return line.strip() in _STARTS or (not rest.strip() and _OBJECTS.match(line) is not None)


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked."""
    try:
        with path.open("rb") as raw:
            magic = raw.read(4)
            raw.seek(0)
            if magic[:2] == b"\x1f\x8b":
                return next(gzip_reads(raw), b"")[:HEAD]
            if magic == b"\x28\xb5\x2f\xfd":
                return next(zstd_reads(raw), b"")[:HEAD]
            return raw.read(HEAD)
    except BROKEN:
        return b""  # whoever reads it for its rows tells why
