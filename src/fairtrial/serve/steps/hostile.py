"""Text of unknown origin as HTML: escaped, with control, bidirectional and invisible characters made visible.

Each such character becomes an empty element that a style sheet prints and a script reads back (`data-codes`, in
hexadecimal): it acts on nothing, and what a reader selects is still the text as it was. Colour codes of terminals
become one mark. Not covered: characters that merely look alike, and joiners inside words, which scripts need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markupsafe import Markup, escape

_COLOUR = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]"
"""Escape sequences of ECMA-48: CSI (colours, cursor), OSC (titles, links) and the two-character ones."""
_HIDDEN = re.compile(
    rf"(?P<colour>(?:{_COLOUR})+)"
    r"|(?P<line>\r\n)|(?P<return>\r)"
    r"|(?P<same>([\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef\ud800-\udfff])\\5*)"
)
_C0 = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE",
    "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
]  # fmt: skip
_NAMES = dict(enumerate(_C0)) | {
    0x7F: "DEL", 0xAD: "SHY", 0x61C: "ALM", 0x200B: "ZWSP", 0x200E: "LRM", 0x200F: "RLM", 0x2028: "LSEP",
    0x2029: "PSEP", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
}  # fmt: skip
_BIDI = frozenset({0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)})
_MARK = Markup('<i class="hidden-{}" data-codes="{}" data-shown="{}" title="{}"></i>')
_REPEATED = Markup('<i class="hidden-{}" data-codes="{}" data-times="{}" data-shown="{}" title="{}"></i>')
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a text, by offsets, and the class that it is given."""

    start: int
    end: int
    name: str
    label: str = ""
    """Printed after it, raised: the number of a citation."""


def shown(text: str, spans: Sequence[Span] = (), marks: Sequence[Span] = ()) -> Markup:
    """Return `text` as HTML, with `spans` of code (disjoint, in order) and `marks` over them (which may overlap).

    >>> str(shown("<b>" + chr(0x202E)))
    '&lt;b&gt;<i class="hidden-bidi" data-codes="202e" data-shown="RLO" title="U+202E RLO"></i>'
    >>> str(shown("a b", marks=(Span(2, 3, "hit"),)))
    'a <mark class="hit">b</mark>'
    """
    if not spans and not marks:
        return _visible(text)
    edges = sorted({0, len(text), *(edge for span in (*spans, *marks) for edge in (span.start, span.end))})
    code, over = _Cover(spans), _Covers(marks)
    pieces = []
    for start, end in pairwise(edges):
        piece = _visible(text[start:end])
        name = code.at(start)
        if name:
            piece = Markup('<span class="{}">{}</span>').format(name, piece)
        found = over.at(start)
        if found:
            names = " ".join(dict.fromkeys(name for mark in found for name in mark.name.split()))
            labels = [mark.label for mark in found if mark.label and mark.end == end]
            label = Markup("<sup>{}</sup>").format(",".join(labels)) if labels else ""
            piece = Markup('<mark class="{}">{}{}</mark>').format(names, piece, label)
        pieces.append(piece)
    return Markup("").join(pieces)


class _Cover:
    """Which of several disjoint spans, in order, covers a place; asked for ever later places."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._next = 0

    def at(self, place: int) -> str:
        while self._next < len(self._spans) and self._spans[self._next].end <= place:
            self._next += 1
        if self._next < len(self._spans) and self._spans[self._next].start <= place:
            return self._spans[self._next].name
        return ""


class _Covers:
    """Which of several spans, that may overlap, cover a place; asked for ever later places."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._waiting = sorted(spans, reverse=True)
        self._open: list[Span] = []

    def at(self, place: int) -> list[Span]:
        while self._waiting and self._waiting[-1].start <= place:
            self._open.append(self._waiting.pop())
        self._open = [span for span in self._open if span.end > place]
        return self._open


def _visible(text: str) -> Markup:
    if _HIDDEN.search(text) is None:
        return escape(text)
    parts: list[str] = []
    last = 0
    for found in _HIDDEN.finditer(text):
        parts += [escape(text[last : found.start()]), _mark(str(found.lastgroup), found.group())]
        last = found.end()
    return Markup("".join([*parts, escape(text[last:])]))


@lru_cache(maxsize=256)  # a text may hold ten thousand of the same
def _mark(kind: str, text: str) -> Markup:
    if kind == "line":
        return Markup("\n")
    if kind == "return":
        return _MARK.format("return", "d", "CR", "U+000D carriage return")
    if kind == "colour":
        codes = " ".join(f"{ord(character):x}" for character in text)
        told = "".join(_C0[ord(c)] + " " if ord(c) < 0x20 else c for c in text).strip()
        told = told if "]" in told else "esc"  # a title or a link says something; a colour does not
        return _MARK.format("colour", codes, told, f"terminal code {told[:_LONGEST_TITLE]}")
    code, times = ord(text[0]), len(text)
    name = _NAMES.get(code, f"U+{code:04X}")
    look = "bidi" if code in _BIDI else "control"
    title = f"U+{code:04X} {name}" if code in _NAMES else f"U+{code:04X}"
    if times == 1:
        return _MARK.format(look, f"{code:x}", name, title)
    return _REPEATED.format(look, f"{code:x}", times, f"{name}×{times:,}", f"{times:,} × {title}")
