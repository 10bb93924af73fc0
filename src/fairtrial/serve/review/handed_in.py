"""The files of a deliverable as a reader sees and cites them: plain files alone, texts whole, others by name and size.

What is not kept in the ledger, is damaged, or is too much to show is said; nothing is cut without a word.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from dataclasses import dataclass

from fairtrial.ledger import Ledger
from fairtrial.records import LedgerError

MOST_FILES = 2_000
MOST_TEXT_BYTES = 1_000_000
"""Of one file that is shown as text; larger ones are named with their size."""
MOST_BYTES = 64_000_000
"""Of all files together, unpacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that was handed in."""

    path: str
    size: int
    text: str | None = None
    """None where it is no text, or too long to be shown."""
    why: str = ""
    """Why there is no text."""


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
    try:
        return _unpacked(data)
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, OSError) as error:
        return HandedIn(why=f"The deliverable cannot be unpacked: {error}.")


def _unpacked(data: bytes) -> HandedIn:
    """Files by path; the folder of the step is left out of the path where there was one step only."""
    found: list[tuple[str, File]] = []
    total, why = 0, ""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|gz") as tar:
        for member in tar:
            if not member.isreg():
                continue
            total += member.size
            if len(found) == MOST_FILES or total > MOST_BYTES:
                why = f"Only the first {len(found):,} files are shown: the deliverable is larger than that."
                break
            file = tar.extractfile(member) if member.size <= MOST_TEXT_BYTES else None
            found.append(_file(member.name, member.size, file.read() if file is not None else b""))
    folders = {top for top, _ in found}
    return HandedIn(tuple(file if len(folders) < 2 else _below(top, file) for top, file in found), why)


def _file(name: str, size: int, content: bytes) -> tuple[str, File]:
    top, _, path = name.partition("/")
    if not path:
        top, path = "", name
    if size > MOST_TEXT_BYTES:
        return top, File(path=path, size=size, why="too long to be shown here")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return top, File(path=path, size=size, why="no text")
    if "\0" in text:
        return top, File(path=path, size=size, why="no text")
    return top, File(path=path, size=size, text=text)


def _below(top: str, file: File) -> File:
    return File(path=f"{top}/{file.path}", size=file.size, text=file.text, why=file.why)
