"""Append lines to a file of a run, whole or not at all: an agent may fill the disk on which it lies.

A line that found no room is counted and nothing else is lost by it: who records goes on, and the run tells it.
"""

from __future__ import annotations

import os
from pathlib import Path


class Lines:
    """One file of lines. For one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.lost = 0
        """Lines that found no room."""
        self.size = 0
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def add(self, line: bytes) -> None:
        """Write a line; half a line is taken back."""
        try:
            written = os.write(self._file, line)
            if written < len(line):
                written += os.write(self._file, line[written:])
        except OSError:
            written = 0
        if written < len(line):
            os.ftruncate(self._file, self.size)
            self.lost += 1
        else:
            self.size += written

    def close(self) -> None:
        """Write through to the disk."""
        try:
            os.fsync(self._file)
        except OSError:
            self.lost += 1
        os.close(self._file)
