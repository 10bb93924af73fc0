"""Keep the head and the tail of what a command prints, however much it prints.

Covers memory only: a flood costs at most the cap. Ending the command that floods is the caller's business.
"""

from __future__ import annotations

FLOOD = 16
"""A command that prints this many times its cap is ended."""


class HeadTail:
    """Hold at most `most` bytes: the first half as it came, and the last half of the rest."""

    def __init__(self, most: int) -> None:
        self.total = 0
        self._most = max(most, 2)
        self._head = bytearray()
        self._tail = bytearray()

    @property
    def truncated(self) -> bool:
        """Say whether bytes were left out."""
        return self.total > self._most

    @property
    def is_flood(self) -> bool:
        """Say whether the command printed so much that it should be ended."""
        return self.total > FLOOD * self._most

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.total += len(data)
        room = self._most // 2 - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._most:
            del self._tail[: -self._most]

    def text(self) -> str:
        """Return what was kept, undecodable bytes replaced, with a line that says how much is missing.

        >>> kept = HeadTail(8)
        >>> kept.add(b"abcdefghijkl")
        >>> kept.text()
        'abcd\\n[... 4 bytes left out ...]\\nijkl'
        """
        if not self.truncated:
            return (self._head + self._tail).decode(errors="replace")
        tail = self._tail[-(self._most - len(self._head)) :]
        missing = self.total - len(self._head) - len(tail)
        head = self._head.decode(errors="replace")
        return f"{head}\n[... {missing} bytes left out ...]\n{tail.decode(errors='replace')}"
