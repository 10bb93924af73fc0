"""The samples of a `.json` log, found without reading the file into memory: where each begins and ends.

One pass over the mapped file finds strings and brackets, and by them the elements of the top `samples`; what is around
them is the header. Pages that were passed are given back. Not covered: whether it is JSON, which is seen when a piece
is read.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.records import FormatError

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
_QUOTE, _OPENINGS, _LIST = ord('"'), frozenset(b"[{"), ord("[")
_A_PIECE = 64_000_000
"""Bytes after which pages are given back."""
_MOST_HEADER = 200_000_000
"""Bytes around the samples: beyond, a file is no log."""


@dataclass(slots=True)
class Layout:
    """Where things stand in the file."""

    samples: list[tuple[int, int]] = field(default_factory=list)
    strays: list[tuple[int, int]] = field(default_factory=list)
    """What stands between samples and is none."""
    begin: int = 0
    end: int = 0
    """Of the list of samples; both 0 where there is none."""


class JsonFile:
    """A mapped file. Raise FormatError where it cannot be mapped: it is empty, or gone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as handle:
                self._data = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise FormatError(f"cannot be read: {error}", path=path) from error

    def close(self) -> None:
        """Give the file back."""
        self._data.close()

    def layout(self) -> Layout:
        """Find the samples, in one pass."""
        found, depth, given_back, named = Layout(), 0, 0, (0, 0)
        for token in _TOKEN.finditer(self._data):
            at, after = token.span()
            kind = self._data[at]
            if kind == _QUOTE:
                named = (at, after) if depth == 1 else named
            elif kind in _OPENINGS:
                depth += 1
                if depth == 2 and kind == _LIST and self._names_samples(*named, at):
                    found = Layout(begin=at + 1)
                elif depth == 3 and found.begin and not found.end:
                    self._between(found, at)
                    found.samples.append((at, at))
            else:
                if depth == 3 and found.begin and not found.end:
                    found.samples[-1] = (found.samples[-1][0], after)
                elif depth == 2 and found.begin and not found.end:
                    self._between(found, at)
                    found.end = at
                depth -= 1
            if at - given_back > _A_PIECE:
                given_back = self._give_back(at)
        return found

    def header(self, layout: Layout) -> bytes:
        """Return the file without its samples. Raise FormatError where that is too much to be a header."""
        if len(self._data) - (layout.end - layout.begin) > _MOST_HEADER:
            raise FormatError("holds no list `samples` that takes most of it: it is no log of Inspect's",
                              path=self.path)  # fmt: skip
        return self._data[: layout.begin] + self._data[layout.end :]

    def pieces(self, spans: list[tuple[int, int]]) -> Iterator[bytes]:
        """Yield the bytes of each span."""
        given_back = 0
        for begin, end in spans:
            yield self._data[begin:end]
            if end - given_back > _A_PIECE:
                given_back = self._give_back(end)

    def _names_samples(self, begin: int, end: int, at: int) -> bool:
        return self._data[begin:end] == b'"samples"' and self._data[end:at].strip() == b":"

    def _between(self, found: Layout, at: int) -> None:
        """Note what stands before `at` and after the last sample, where it is more than a comma."""
        begin = found.samples[-1][1] if found.samples else found.begin
        if self._data[begin:at].strip() not in (b"", b","):
            found.strays.append((begin, at))

    def _give_back(self, at: int) -> int:
        whole = at - at % mmap.PAGESIZE
        if hasattr(self._data, "madvise"):
            self._data.madvise(mmap.MADV_DONTNEED, 0, whole)
        return whole
