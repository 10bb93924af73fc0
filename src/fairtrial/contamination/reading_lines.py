"""A stream of bytes as blocks of whole lines, about a megabyte each, and where the whole lines of a range lie.

A line belongs to the range that holds its first byte. A line longer than LONGEST is passed over and told, never held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

BLOCK = 1 << 20
LONGEST = 1 << 28
"""Bytes that a row may have: 256 MiB. Reading one takes some ten times as much memory for as long as it lasts."""

_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Block:
    """Hold whole lines without their ends; `too_long` where one line was passed over instead."""

    lines: list[bytes] = field(default_factory=list)
    bytes: int = 0
    too_long: str = ""


def line_start(stream: BinaryIO, at: int) -> int:
    """Return where the first line begins whose first byte is at `at` or after it (the end of the file, if none)."""
    if at <= 0:
        return 0
    stream.seek(at - 1)
    passed = at - 1
    while read := stream.read(BLOCK):
        end = read.find(b"\n")
        if end >= 0:
            return passed + end + 1
        passed += len(read)
    return passed


def blocks_of(reads: Iterable[bytes], longest: int = LONGEST) -> Iterator[Block]:
    """Yield the lines of `reads`, pieces of a stream that begin with a line; the last line may lack its end."""
    carried: list[bytes] = []
    held = 0
    for number, read in enumerate(reads):
        rest = read.removeprefix(_BOM) if number == 0 else read
        if held > longest:
            end = rest.find(b"\n") + 1
            held += end or len(rest)
            if not end:
                continue
            yield _passed_over(held, longest)
            rest, held = rest[end:], 0
        cut = rest.rfind(b"\n") + 1
        if cut:
            whole = b"".join((*carried, rest[:cut]))
            yield Block(whole[:-1].split(b"\n"), len(whole))
            carried, held = [], 0
        carried.append(rest[cut:])
        held += len(rest) - cut
        if held > longest:
            carried = []
    if held > longest:
        yield _passed_over(held, longest)
    elif held:
        yield Block([b"".join(carried)], held)


def _passed_over(held: int, longest: int) -> Block:
    return Block(bytes=held, too_long=f"longer than {longest:,} bytes ({held:,}): passed over, not compared")
