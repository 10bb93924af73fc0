"""Append lines to a file of a run, whole or not at all: an agent may fill the disk on which it lies.

A line that finds no room waits for some, up to a cap; past that it is counted, and the run tells it.
"""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path

MOST_WAITING = 16 << 20
"""Bytes of lines that wait for room."""


class Lines:
    """One file of lines. For one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.lost = 0
        """Lines that found no room."""
        self.size = 0
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def add(self, line: bytes) -> None:
        """Write a line, after those that wait."""
        if self._waiting_bytes + len(line) > MOST_WAITING:
            self.lost += 1
            return
        self._waiting.append(line)
        self._waiting_bytes += len(line)
        while self._waiting and self._is_written(self._waiting[0]):
            self._waiting_bytes -= len(self._waiting.popleft())

    def _is_written(self, line: bytes) -> bool:
        """Write a line and say whether there was room; half a line is taken back."""
        try:
            written = os.write(self._file, line)
            if written < len(line):
                written += os.write(self._file, line[written:])
        except OSError:
            written = 0
        if written < len(line):
            os.ftruncate(self._file, self.size)
            return False
        self.size += written
        return True

    def close(self) -> None:
        """Write through to the disk; what still waits is lost."""
        while self._waiting and self._is_written(self._waiting[0]):
            self._waiting.popleft()
        self.lost += len(self._waiting)
        try:
            os.fsync(self._file)
        except OSError:
            self.lost += 1
        os.close(self._file)
