"""Read the objects of a git repository from bytes: loose ones and packs, reachable or not, with neither git nor hooks.

Objects are told by their content, so they are found in copies and archives of a repository too. Every object of a pack
is read, whatever refers to it: branches, tags, stashes, notes, the reflog, nothing. Not covered: thin packs whose base
lies elsewhere, and objects over the size that the caller allows.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
MOST_OBJECTS = 20_000


@dataclass(frozen=True, slots=True)
class GitObject:
    """One object."""

    kind: str
    """`commit`, `tree`, `blob` or `tag`."""
    data: bytes

    @property
    def name(self) -> str:
        """Return its hexadecimal name."""
        return hashlib.sha1(
            b"%s %d\0" % (self.kind.encode(), len(self.data)) + self.data, usedforsecurity=False
        ).hexdigest()


def loose_object(data: bytes, most: int) -> GitObject | None:
    """Return the object that a file of objects/xx/ holds; None if it is none.

    >>> loose_object(zlib.compress(b"blob 3" + bytes(1) + b"abc"), 100)
    GitObject(kind='blob', data=b'abc')
    """
    if data[:1] != b"\x78":
        return None
    content = inflated(data, most)
    header, _, body = content.partition(b"\0")
    kind, _, size = header.partition(b" ")
    if kind.decode("ascii", "replace") in _KINDS.values() and size.isdigit() and int(size) == len(body):
        return GitObject(kind.decode(), body)
    return None


def inflated(data: bytes, most: int) -> bytes:
    """Return what zlib data hold, at most `most` bytes; nothing where they are damaged."""
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error:
        return b""


def packed_objects(pack: bytes, most: int) -> Iterator[GitObject]:
    """Yield every object of a pack that can be read; a damaged pack yields what comes before the damage."""
    if pack[:4] != b"PACK" or len(pack) < 12:
        return
    read: dict[int, GitObject] = {}
    names: dict[bytes, GitObject] = {}
    at = 12
    for _ in range(min(int.from_bytes(pack[8:12], "big"), MOST_OBJECTS)):
        entry = _entry(pack, at, most, read, names)
        if entry is None:
            return
        found, end = entry
        if found is not None:
            read[at] = found
            names[bytes.fromhex(found.name)] = found
            yield found
        at = end


def _entry(
    pack: bytes, start: int, most: int, read: dict[int, GitObject], names: dict[bytes, GitObject]
) -> tuple[GitObject | None, int] | None:
    """Return the object at `start`, None if its base is not known, and where the next begins."""
    try:
        kind, at = _header(pack, start)
        base: GitObject | None = None
        if kind == _OFFSET_DELTA:
            distance, at = _distance(pack, at)
            base = read.get(start - distance)
        elif kind == _NAMED_DELTA:
            base, at = names.get(pack[at : at + 20]), at + 20
        inflating = zlib.decompressobj()
        data = inflating.decompress(pack[at:], most)
        if not inflating.eof:
            return None
        end = len(pack) - len(inflating.unused_data)
        if kind in _KINDS:
            return GitObject(_KINDS[kind], data), end
        return (GitObject(base.kind, _patched(base.data, data, most)) if base is not None else None), end
    except (IndexError, zlib.error):
        return None


def _header(pack: bytes, at: int) -> tuple[int, int]:
    kind = pack[at] >> 4 & 7
    while pack[at] & 0x80:
        at += 1
    return kind, at + 1


def _distance(pack: bytes, at: int) -> tuple[int, int]:
    value = pack[at] & 0x7F
    while pack[at] & 0x80:
        at += 1
        value = (value + 1) << 7 | pack[at] & 0x7F
    return value, at + 1


def _size(delta: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (delta[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not delta[at - 1] & 0x80:
            return value, at


def _patched(base: bytes, delta: bytes, most: int) -> bytes:
    """Apply a delta: copies from the base and insertions."""
    _, at = _size(delta, 0)
    _, at = _size(delta, at)
    made = bytearray()
    while at < len(delta) and len(made) <= most:
        step = delta[at]
        at += 1
        if not step & 0x80:
            made += delta[at : at + step]
            at += step
            continue
        numbers = []
        for bits in (range(4), range(4, 7)):
            value = 0
            for place, bit in enumerate(bits):
                if step >> bit & 1:
                    value |= delta[at] << 8 * place
                    at += 1
            numbers.append(value)
        offset, size = numbers[0], numbers[1] or 0x10000
        made += base[offset : offset + size]
    return bytes(made)


def names_in_tree(tree: bytes) -> Iterator[tuple[str, str]]:
    """Yield (name of the object, file name) of a tree's entries."""
    at = 0
    while (space := tree.find(b" ", at)) > 0 and (end := tree.find(b"\0", space)) > 0 and end + 21 <= len(tree):
        yield tree[end + 1 : end + 21].hex(), tree[space + 1 : end].decode("utf-8", "replace")
        at = end + 21
