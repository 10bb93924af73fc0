"""The files of a deliverable as a reader sees and cites them: plain files alone, texts whole, others by name and size.

What is not kept in the ledger, is damaged, or is too much to show is said; nothing is cut without a word. Images are
told by their first bytes and read again when they are asked for.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.ledger import Ledger
from fairtrial.records import LedgerError, storable

MOST_FILES = 2_000
MOST_TEXT_BYTES = 1_000_000
"""Of one file that is shown; larger ones are named with their size."""
MOST_BYTES = 32_000_000
"""Of all files together, unpacked."""
INLINE_BYTES = 200_000
"""Of all texts that stand in the page; what is behind them is fetched when it is opened."""
_IMAGES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
_BROKEN = (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that was handed in."""

    path: str
    size: int
    text: str | None = None
    """None where it is no text, or too long to be shown."""
    why: str = ""
    """Why there is no text."""
    is_image: bool = False
    is_inline: bool = False
    """Whether its text stands in the page, or is fetched when it is opened."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """All that was handed in; `why` says what of it cannot be shown, and is empty where all of it can."""

    files: tuple[File, ...] = ()
    why: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """Return the text of each file that has one, by path."""
        return {file.path: file.text for file in self.files if file.text is not None}


def handed_in(ledger: Ledger, address: str) -> HandedIn:
    """Return the files of the deliverable at `address`."""
    if not address:
        return HandedIn(why="No deliverable was recorded.")
    try:
        data = ledger.get_blob(address)
    except LedgerError:
        return HandedIn(why="The deliverable is not kept in the ledger.")
    found: list[File] = []
    why, left = "", INLINE_BYTES
    try:
        for path, size, content in _named(data):
            if len(found) == MOST_FILES:
                why = f"Only the first {MOST_FILES:,} files are shown; the deliverable has more."
                break
            file = _file(path, size, content, left)
            left -= size if file.is_inline else 0
            found.append(file)
    except _TooMuchError:
        why = (
            f"Only the first {len(found):,} files are shown: the deliverable is larger than {MOST_BYTES / 1e6:.0f} MB."
        )
    except _BROKEN as error:
        why = f"The deliverable cannot be unpacked: {error}."
    return HandedIn(tuple(found), why)


def image_of(ledger: Ledger, address: str, path: str) -> tuple[bytes, str] | None:
    """Return an image of the deliverable and its media type; None where there is no such image."""
    try:
        for name, _, content in _named(ledger.get_blob(address)):
            if name == path and (kind := _kind(content)):
                return content, kind
    except (LedgerError, _TooMuchError, *_BROKEN):
        return None
    return None


class _TooMuchError(Exception):
    """More than can be shown."""


def _named(data: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Yield path, size and content (empty where too long) of the plain files.

    The folder of the step is left out of the path, unless there were several steps.
    """
    several = len({entry.partition("/")[0] for entry, _, _ in _entries(data, with_content=False)}) > 1
    for entry, size, content in _entries(data):
        _, _, path = entry.partition("/")
        yield storable(entry if several or not path else path), size, content


def _entries(data: bytes, *, with_content: bool = True) -> Iterator[tuple[str, int, bytes]]:
    total = 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|gz") as tar:
        for member in tar:
            if not member.isreg():
                continue
            total += member.size
            if total > MOST_BYTES:
                if with_content:
                    raise _TooMuchError
                return
            is_read = with_content and member.size <= MOST_TEXT_BYTES
            file = tar.extractfile(member) if is_read else None
            yield member.name, member.size, file.read() if file is not None else b""


def _file(path: str, size: int, content: bytes, left: int) -> File:
    if size > MOST_TEXT_BYTES:
        return File(path=path, size=size, why="too long to be shown here")
    if _kind(content):
        return File(path=path, size=size, why="an image", is_image=True)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return File(path=path, size=size, why="no text")
    if "\0" in text:
        return File(path=path, size=size, why="no text")
    return File(path=path, size=size, text=text, is_inline=size <= left)


def _kind(content: bytes) -> str:
    return next((kind for opening, kind in _IMAGES.items() if content.startswith(opening)), "")
