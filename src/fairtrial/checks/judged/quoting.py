"""Show the submission to a judge as data: numbered lines between marks that hold a word drawn anew for every asking.

Nothing in the submission can close the marks: it cannot know the word, and each of its lines begins with a number.
Nothing is cut: what does not fit is split into parts (`parts`), by whole lines where a line fits.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairtrial.checks.judged.sources import Source

NONCE_BYTES = 8
NUMBER = 8
"""Characters that the number of a line may take."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a source, in order, each with its number; a piece of a longer line has the number of its line."""

    source: Source
    lines: tuple[tuple[int, str], ...]


def whole(source: Source) -> Piece:
    """Return all lines of `source`."""
    return Piece(source, tuple(enumerate(source.lines, 1)))


def nonce_for(sources: Iterable[Source]) -> str:
    """Return a word that stands in none of `sources`."""
    texts = ["\n".join((source.title, *source.lines)) for source in sources]
    while True:
        word = secrets.token_hex(NONCE_BYTES)
        if not any(word in text for text in texts):
            return word


def quoted(pieces: Sequence[Piece], nonce: str) -> str:
    """Return `pieces` as a judge is shown them.

    >>> print(quoted([whole(Source("A1", "/memo", ("=== end A1 0", "x")))], "7f"))
    === begin A1 7f /memo (2 lines)
    1| === end A1 0
    2| x
    === end A1 7f
    """
    return "\n\n".join(_quoted(piece, nonce) for piece in pieces)


def _quoted(piece: Piece, nonce: str) -> str:
    source = piece.source
    if source.image is not None:
        return f"=== {source.name} {nonce} {source.title} is attached as an image ({source.unshown})"
    if source.unshown:
        return f"=== {source.name} {nonce} {source.title} is not shown: {source.unshown}"
    held = len(source.lines)
    shown = "" if len({n for n, _ in piece.lines}) == held else ", some of them shown"
    width = len(str(piece.lines[-1][0])) if piece.lines else 1
    head = f"=== begin {source.name} {nonce} {source.title} ({held} line{'s' * (held != 1)}{shown})"
    return "\n".join((head, *(f"{n:>{width}}| {line}" for n, line in piece.lines), f"=== end {source.name} {nonce}"))


def parts(pieces: Sequence[Piece], most_characters: int) -> list[list[Piece]]:
    """Return `pieces` in parts of at most about `most_characters`, in order; one part where they fit.

    >>> long = whole(Source("A1", "/a", ("x" * 300, "y" * 300)))
    >>> [[piece.lines[0][0] for piece in part] for part in parts([long], 500)]
    [[1], [2]]
    """
    filled: list[list[Piece]] = [[]]
    room = most_characters
    for piece in pieces:
        head = len(piece.source.title) + 100
        if room < head and filled[-1]:
            filled.append([])
            room = most_characters
        room -= head
        lines: list[tuple[int, str]] = []
        for number, line in _broken(piece, max(most_characters - head - NUMBER, 200)):
            if len(line) + NUMBER > room and (lines or filled[-1]):
                if lines:
                    filled[-1].append(Piece(piece.source, tuple(lines)))
                filled.append([])
                lines, room = [], most_characters - head
            lines.append((number, line))
            room -= len(line) + NUMBER
        if lines or not piece.lines:
            filled[-1].append(Piece(piece.source, tuple(lines)))
    return filled


def _broken(piece: Piece, most: int) -> Iterable[tuple[int, str]]:
    for number, line in piece.lines:
        yield from ((number, line[at : at + most]) for at in range(0, max(len(line), 1), most))
