"""Keep a copy of every version of every file that could hold rows or code, by its digest; note the rest.

What a file is, is told by its name, and by its first bytes where the name says nothing. Caps hold for one file, for all
of them together, and for versions of one path; what passes one is noted with why.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter, OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from fairtrial.posttrain.attempt.lines import Lines

CHUNK = 1 << 20
MOST_FILE_BYTES = 256 << 20
MOST_BYTES = 8 << 30
MOST_VERSIONS = 64
"""Of one path: a log that is opened for every line would be thousands."""
VERSIONS = f"of one path {MOST_VERSIONS} versions are copied, and the last"
MOST_LINES = 200_000
MOST_COPIES = 200_000
MOST_PATHS = 200_000
SNIFFED = 4096
_KEPT = re.compile(
    r"\.(?:jsonl?|ndjson|csv|tsv|txt|parquet|arrow|feather|py|ipynb|sh|bash|toml|ya?ml|md|cfg|ini|xml|html?|sql|db|"
    r"sqlite3?|js|ts|rb|go|rs|c|cc|cpp|java|lua|pl|r|jl|jinja2?|env|log)(?:\.(?:gz|zst|bz2|xz))?$|\.(?:zip|tar|tgz)$",
    re.IGNORECASE,
)
_WEIGHTS = re.compile(r"\.(?:safetensors|bin|pt|pth|ckpt|gguf|onnx|pyc|so|distcp)$|\.so\.\d", re.IGNORECASE)
_PACKED = (
    b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0", b"PK\x03\x04", b"PAR1", b"ARROW1", b"SQLite format 3",
    b"\x93NUMPY", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"\xff\xfe", b"\xfe\xff",
)  # fmt: skip
"""How compressed files, archives, tables, data bases, arrays, pickles and wide text begin."""
_HEAD, _TAR_AT = 512, 257
_SUFFIX = re.compile(r"(?:\.[A-Za-z0-9]{1,8}){1,2}$")


@dataclass(frozen=True, slots=True)
class Written:
    """One write that was seen."""

    time: str
    path: str
    """Inside the box."""
    size: int
    digest: str | None
    """Of the copy; None where none was made."""
    why: str
    """Why none was made; or how it came about that one was."""


@dataclass(slots=True)
class _Path:
    """What is known of one path."""

    last: tuple[int, int, int] | None = None
    """File, time of change and size of what was taken last."""
    versions: int = 0


class Kept:
    """Copies versions into `written/` and lists them in writes.jsonl. For one thread at a time."""

    def __init__(self, folder: Path, lines: Path) -> None:
        self.writes = 0
        self.passed: Counter[str] = Counter()
        """Cap -> how many versions were not copied for it."""
        self._folder = folder
        self._lines = Lines(lines)
        self._bytes = 0
        self._copies = 0
        self._ours: dict[bytes, tuple[int, int, int]] = {}
        self._paths: OrderedDict[bytes, _Path] = OrderedDict()

    def take(self, path: bytes, opened: int, *, is_last: bool = False) -> None:
        """Take the file behind a descriptor, which lies at `path` in the box; the same again is not taken twice.

        With `is_last` it is what was left, which is kept however many versions there were.
        """
        state = os.fstat(opened)
        known = (state.st_ino, state.st_ctime_ns, state.st_size)
        held = self._held(path)
        if known in (held.last, self._ours.get(path)):
            return
        why = self._why_not(path, opened, state.st_size, is_last=is_last)
        digest = None if why else self._copied(path, opened, state.st_size)
        if why != VERSIONS:
            held.last = known
        held.versions += 1
        self.note(path, state.st_size, digest, why or ("as it was left" if is_last else ""))

    def forget(self, path: bytes, opened: int) -> None:
        """Hold what lies there as seen: we laid it out, nobody wrote it."""
        state = os.fstat(opened)
        self._ours[path] = (state.st_ino, state.st_ctime_ns, state.st_size)

    def _held(self, path: bytes) -> _Path:
        """Return what is known of a path; of more than MOST_PATHS those that were met longest ago are forgotten."""
        held = self._paths.setdefault(path, _Path())
        self._paths.move_to_end(path)
        if len(self._paths) > MOST_PATHS:
            self._paths.popitem(last=False)
        return held

    def note(self, path: bytes, size: int, digest: str | None, why: str) -> None:
        """Write down one write."""
        self.writes += 1
        if self.writes > MOST_LINES:
            self.passed[f"writes.jsonl lists the first {MOST_LINES:,} writes"] += 1
            return
        row = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "path": shown(path), "size": size,
               "digest": digest, "why": why}  # fmt: skip
        self._lines.add(orjson.dumps(row) + b"\n")

    def close(self) -> None:
        """Write through to the disk."""
        self._lines.close()
        if self._lines.lost:
            self.passed["writes found no room in writes.jsonl"] += self._lines.lost

    def _why_not(self, path: bytes, opened: int, size: int, *, is_last: bool) -> str:
        name = os.fsdecode(path.rpartition(b"/")[2])
        # A name is the agent's to choose: text that is called weights is text, and what is packed may hold rows.
        if _WEIGHTS.search(name) and not _is_text(opened):
            return "weights or a program"
        if not _KEPT.search(name) and not _is_text(opened) and not _is_packed(opened):
            return "neither rows nor code"
        if size > MOST_FILE_BYTES:
            return self._pass(f"files over {MOST_FILE_BYTES >> 20} MB are not copied")
        if self._bytes + size > MOST_BYTES:
            return self._pass(f"copies of written files end at {MOST_BYTES >> 30} GB together")
        if self._copies >= MOST_COPIES:
            return self._pass(f"the first {MOST_COPIES:,} copies of written files are kept")
        if self._held(path).versions >= MOST_VERSIONS and not is_last:
            return self._pass(VERSIONS)
        return ""

    def _pass(self, cap: str) -> str:
        self.passed[cap] += 1
        return cap

    def _copied(self, path: bytes, opened: int, most: int) -> str:
        """Copy at most `most` bytes, the size when opened, and return their digest."""
        hashed = hashlib.sha256()
        part = self._folder / ".part"
        with part.open("wb") as file:
            at = 0
            while at < most and (data := os.pread(opened, min(CHUNK, most - at), at)):
                hashed.update(data)
                file.write(data)
                at += len(data)
        digest = hashed.hexdigest()
        suffix = _SUFFIX.search(os.fsdecode(path.rpartition(b"/")[2]))
        target = self._folder / f"{digest}{suffix[0] if suffix else ''}"
        if target.exists():
            part.unlink()
        else:
            part.rename(target)
            self._bytes += at
            self._copies += 1
        return f"sha256:{digest}"


def _is_text(opened: int) -> bool:
    """Say whether a file begins like a text."""
    head = os.pread(opened, SNIFFED, 0)
    if b"\0" in head:
        return False
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start > 0 and error.end >= len(head) - 3
    return bool(head)


def _is_packed(opened: int) -> bool:
    """Say whether a file begins as a compressed one, an archive, a table or a data base."""
    head = os.pread(opened, _HEAD, 0)
    return head.startswith(_PACKED) or head[_TAR_AT : _TAR_AT + 5] == b"ustar"


def shown(path: bytes) -> str:
    """Return an inside path as text, undecodable bytes as escapes.

    >>> shown(b"workspace/a")
    '/workspace/a'
    """
    return "/" + path.decode("utf-8", "backslashreplace")
