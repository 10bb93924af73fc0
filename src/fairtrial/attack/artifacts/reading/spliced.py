"""A text artifact as spans: a replaced value or row is spliced in, and every other character stays.

Covers any format whose values and rows are stretches of text. Not covered: databases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.attack.artifacts.leaves import Form, Leaf, Put

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spliced:
    """A text with known values and rows."""

    form: Form
    text: str
    encoding: str
    leaves: tuple[Leaf, ...]
    spans: tuple[Span, ...]
    """Of the leaves, in their order."""
    row_spans: tuple[Span, ...] = ()
    joint: str = "\n"
    """What stands between two rows."""
    literal: Callable[[Put], str]
    """How the format writes a value."""

    @property
    def rows(self) -> tuple[str, ...]:
        """Return the text of each row."""
        return tuple(self.text[start:end] for start, end in self.row_spans)

    def write(self, puts: Mapping[int, Put]) -> bytes | None:
        """Return the text with some values replaced."""
        pieces, at = [], 0
        for index in sorted(puts, key=lambda position: self.spans[position]):
            start, end = self.spans[index]
            pieces += [self.text[at:start], self.literal(puts[index])]
            at = end
        return self.encoded("".join([*pieces, self.text[at:]]))

    def rearranged(self, rows: Sequence[str]) -> bytes | None:
        """Return the text with other rows."""
        if not self.row_spans:
            return None
        start, end = self.row_spans[0][0], self.row_spans[-1][1]
        return self.encoded(self.text[:start] + self.joint.join(rows) + self.text[end:])

    def encoded(self, text: str) -> bytes:
        """Return `text` as the bytes of this file; characters that its encoding lacks become question marks."""
        return text.encode(self.encoding, errors="replace")


def decoded(content: bytes) -> tuple[str, str] | None:
    """Return text and encoding, or None for what is no text.

    >>> decoded(b"caf\\xe9"), decoded(b"\\x00\\x01")
    (('café', 'latin-1'), None)
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in content:
        return None
    else:
        encoding = "utf-8-sig" if content.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError:
        return (content.decode("latin-1"), "latin-1") if encoding != "utf-16" else None


def row_of(span: Span, row_spans: Sequence[Span]) -> int | None:
    """Return which row a value lies in.

    >>> row_of((5, 6), [(0, 4), (4, 9)])
    1
    """
    for index, (start, end) in enumerate(row_spans):
        if start <= span[0] and span[1] <= end:
            return index
    return None
