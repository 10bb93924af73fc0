"""What the kernel tells of writes below a folder (inotify), with links never followed and losses told.

Ours and not a library's: an agent may swap folders for links, make more folders than can be watched, or flood the
queue, and each of these must be told rather than end the watching. One call watches one folder; the caller walks.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
from collections.abc import Iterator
from dataclasses import dataclass

CREATED, CLOSED, GONE = 0x100, 0x8, 0x200
MOVED_FROM, MOVED_TO = 0x40, 0x80
OVERFLOW, IGNORED, IS_FOLDER, ONLY_FOLDERS = 0x4000, 0x8000, 0x4000_0000, 0x0100_0000
_WANTED = CREATED | CLOSED | GONE | MOVED_FROM | MOVED_TO | ONLY_FOLDERS
_NONBLOCK, _CLOEXEC = 0o4000, 0o2000000
_HEAD = struct.Struct("iIII")
MOST_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class Event:
    """One event: in which watched folder, of what kind, of which name."""

    watch: int
    mask: int
    name: bytes


class Inotify:
    """One queue of the kernel's. Raise OSError where this machine has none left."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._queue = self._libc.inotify_init1(_NONBLOCK | _CLOEXEC)
        if self._queue < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def watch(self, folder: int) -> int | None:
        """Watch an open folder; return its number, None where no more can be watched or it is gone."""
        place = f"/proc/self/fd/{folder}".encode()
        number: int = self._libc.inotify_add_watch(self._queue, place, _WANTED)
        return number if number >= 0 else None

    def events(self, seconds: float) -> Iterator[Event]:
        """Yield what has come, after at most `seconds` of waiting."""
        if not select.select([self._queue], [], [], seconds)[0]:
            return
        try:
            data = os.read(self._queue, MOST_BYTES)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EINTR):
                return
            raise
        at = 0
        while at + _HEAD.size <= len(data):
            watch, mask, _, size = _HEAD.unpack_from(data, at)
            at += _HEAD.size
            yield Event(watch, mask, data[at : at + size].rstrip(b"\0"))
            at += size

    def close(self) -> None:
        """Let go of the queue and all that it watches."""
        os.close(self._queue)
