"""Checks of single files: there or not, their text, their lines, their likeness to another."""

from __future__ import annotations

import difflib
import os
import stat
from collections import Counter
from typing import Literal

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import (
    WorkError,
    digest,
    is_of_the_key,
    key_bytes,
    key_text,
    many,
    named,
    of_the_work,
    plain_bytes,
    plain_text,
    said,
)
from fairtrial.checks.state.wording import Texts, Wording, line_ends

MOST_LINES = 1_000_000


@of_the_work
def file_exists(
    path: Inside,
    least_bytes: int = 0,
    most_bytes: int | None = None,
    mode: str = "",
    sha256: str = "",
    kind: Literal["file", "folder", "any"] = "file",
) -> Result:
    """Check that an ordinary file is there (no link), of a size, with a mode such as "0755", with a hash.

    `kind` asks for a folder instead, or for either.
    """
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        raise WorkError(f"there is no file {named(path)}") from None
    is_kind = {"file": stat.S_ISREG(found.st_mode), "folder": stat.S_ISDIR(found.st_mode)}
    if not is_kind.get(kind, any(is_kind.values())):
        raise WorkError(f"{named(path)} is no {'ordinary file or folder' if kind == 'any' else f'ordinary {kind}'}")
    if found.st_size < least_bytes or (most_bytes is not None and found.st_size > most_bytes):
        upper = "" if most_bytes is None else f" and at most {most_bytes}"
        raise WorkError(f"{named(path)} has {found.st_size} bytes, not at least {least_bytes}{upper}")
    if mode and stat.S_IMODE(found.st_mode) != _mode(mode):
        raise WorkError(f"{named(path)} has the mode {stat.S_IMODE(found.st_mode):04o}, not {mode}")
    if sha256 and digest(path) != sha256.lower():
        raise WorkError(f"{named(path)} has another SHA-256 than {sha256}")
    return Result(True, f"{named(path)} is there, with {found.st_size} bytes", float(found.st_size))


def _mode(mode: str) -> int:
    try:
        return int(mode, 8)
    except ValueError:
        raise CheckError(f"`mode` should be octal digits such as 0644, not {said(mode)}") from None


def file_absent(path: Inside) -> Result:
    """Check that there is nothing at `path`: no file, no folder, no link."""
    if os.path.lexists(path):
        return Result(False, f"{named(path)} is there, and should not be")
    return Result(True, f"there is no {named(path)}")


@of_the_work
def file_text(
    path: Inside,
    contains: Texts = "",
    lacks: Texts = "",
    regex: Texts = "",
    lacks_regex: Texts = "",
    ignore_case: bool = False,
    ignore_spacing: bool = False,
) -> Result:
    """Check the wording of a UTF-8 file: every text that it `contains` or `lacks`, every `regex` that matches."""
    wording = Wording(contains, lacks, regex, lacks_regex, ignore_case, ignore_spacing)
    return wording.judged(plain_text(path), named(path))


@of_the_work
def file_equals(path: Inside, text: str | None = None, same_as: Inside = "", trim: bool = False) -> Result:
    """Check that a file holds exactly `text` (whatever ends its lines), or the bytes of `same_as`.

    `trim` compares as text in both cases, without white space at both ends.
    """
    if (text is None) == (not same_as):
        raise CheckError("state either `text` or `same_as`")
    if not trim and same_as:
        found: str | bytes = plain_bytes(path)
        expected: str | bytes = (key_bytes if is_of_the_key(same_as) else plain_bytes)(same_as)
    else:
        found, expected = line_ends(plain_text(path)), _reference(text, same_as)
    if trim:
        found, expected = found.strip(), expected.strip()
    if found == expected:
        return Result(True, f"{named(path)} holds what it should")
    place = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), None)
    if place is None:
        place = min(len(found), len(expected))
    around = said(found[max(0, place - 20) : place + 40])
    should = said(expected[max(0, place - 20) : place + 40])
    return Result(False, f"{named(path)} differs from what is expected at {place}: {around}, not {should}")


def _reference(text: str | None, same_as: str) -> str:
    if text is not None:
        return line_ends(text)
    return line_ends((key_text if is_of_the_key(same_as) else plain_text)(same_as))


@of_the_work
def file_lines(
    path: Inside,
    equals: list[str] | None = None,
    contains: list[str] | None = None,
    ordered: bool = True,
    least: int = 0,
    most: int | None = None,
) -> Result:
    """Check the lines of a file, without white space at their ends: all of them, some of them, how many."""
    if equals is None and contains is None and not least and most is None:
        raise CheckError("state `equals`, `contains`, `least` or `most`")
    text = plain_text(path)
    if text.count("\n") + text.count("\r") > MOST_LINES:
        raise WorkError(f"{named(path)} has more than {MOST_LINES} lines")
    lines = [line.rstrip() for line in text.splitlines()]
    count = len(lines)
    if count < least or (most is not None and count > most):
        raise WorkError(
            f"{named(path)} has {many(count, 'line')}, not {least} to {'any number' if most is None else most}"
        )
    if equals is not None:
        expected = [line.rstrip() for line in equals]
        if ordered and lines != expected:
            place = next((i for i, (a, b) in enumerate(zip(lines, expected, strict=False)) if a != b), None)
            if place is None:
                raise WorkError(f"{named(path)} has {many(count, 'line')}, not {len(expected)}")
            raise WorkError(f"line {place + 1} of {named(path)} is {said(lines[place])}, not {said(expected[place])}")
        if missing := Counter(expected) - Counter(lines):
            raise WorkError(f"{named(path)} lacks the line {said(next(iter(missing)))}")
        if surplus := Counter(lines) - Counter(expected):
            raise WorkError(f"{named(path)} has the line {said(next(iter(surplus)))}, which is not expected")
    for line in contains or ():
        if line.rstrip() not in lines:
            raise WorkError(f"{named(path)} lacks the line {said(line)}")
    return Result(True, f"{named(path)} has the {many(count, 'line')} that it should", float(count))


@of_the_work
def file_similar(path: Inside, text: str | None = None, same_as: Inside = "", at_least: float = 0.9) -> Result:
    """Check that a file's text is like another: the share of characters in matching runs (difflib), ends trimmed."""
    if (text is None) == (not same_as):
        raise CheckError("state either `text` or `same_as`")
    found, expected = line_ends(plain_text(path)).strip(), _reference(text, same_as).strip()
    work = lambda: difflib.SequenceMatcher(None, found, expected).ratio()  # noqa: E731
    ratio = 1.0 if found == expected else float(limited(work, f"the likeness of {named(path)}"))
    return Result(
        ratio >= at_least, f"{named(path)} is alike by {ratio:.3f}, and should be by {at_least:g} or more", ratio
    )
