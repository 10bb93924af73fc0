"""Content addresses of what was handed in, and whether the training set is the one that the training run logged."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fairtrial.records import FormatError, InputError, storable

_CHUNK = 1 << 20
_LINE = re.compile(r"\\?(?:sha256:)?(?P<hash>[0-9a-fA-F]{64})[ \t]+\*?(?P<path>.+)")


def file_hash(path: Path) -> str:
    """Return the content address of a file. Raise InputError where it cannot be read."""
    hashed = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                hashed.update(chunk)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    return f"sha256:{hashed.hexdigest()}"


def files_in(path: Path) -> Iterator[Path]:
    """Yield the file at `path`, or the files below it in the order of their paths; links are not followed."""
    if path.is_dir():
        yield from sorted(one for one in path.rglob("*") if one.is_file() and not one.is_symlink())
    else:
        yield path


def path_hash(path: Path) -> str:
    """Return the content address of a file, or of a folder by the names and addresses of its files."""
    if not path.is_dir():
        return file_hash(path)
    listed = "".join(f"{file_hash(one)}  {one.relative_to(path).as_posix()}\n" for one in files_in(path))
    return f"sha256:{hashlib.sha256(listed.encode('utf-8', 'surrogateescape')).hexdigest()}"


def read_log(path: Path) -> tuple[tuple[str, str], ...]:
    """Read what a training run wrote of its files: (path, address) of each, of one path all that were read of it.

    Raise FormatError for what is no such log.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", path=path) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    found = _as_object(text, path) if text.lstrip().startswith("{") else _as_lines(text, path)
    if not found:
        raise FormatError("names no file", path=path, hint="`sha256sum FILE... > LOG` writes one.")
    return found


def _as_object(text: str, path: Path) -> tuple[tuple[str, str], ...]:
    try:
        told: list[tuple[str, Any]] = json.loads(text, object_pairs_hook=list)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    found = []
    for name, value in told:
        match = _LINE.fullmatch(f"{value} {name}") if isinstance(value, str) else None
        if match is None:
            raise FormatError("is no SHA-256", path=path, field=str(name), hint="64 hex digits, `sha256:` before them.")
        found.append((storable(name), f"sha256:{match['hash'].lower()}"))
    return tuple(found)


def _as_lines(text: str, path: Path) -> tuple[tuple[str, str], ...]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise FormatError("is no line of `sha256sum`", path=path, line=number, hint="HASH, two blanks, PATH.")
        found.append((match["path"], f"sha256:{match['hash'].lower()}"))
    return tuple(found)


def differences(
    log: Sequence[tuple[str, str]], training_set: Sequence[Path], compared: Sequence[Path]
) -> tuple[str, ...]:
    """Return where the files handed in are not those that were logged, by content; names do not matter.

    A file that was trained on and whose rows are not `compared` is one of them.
    """
    handed_in = {file_hash(file): file for path in training_set for file in files_in(path)}
    logged = {address: name for name, address in log}
    read = {file_hash(file) for file in compared}
    lost = [
        f"{name} was trained on and is not handed in" for address, name in logged.items() if address not in handed_in
    ]
    added = [
        f"{file} is handed in and was not trained on" for address, file in handed_in.items() if address not in logged
    ]
    unread = [
        f"{name} was trained on and is not compared, as its name is not of rows"
        for address, name in logged.items() if address in handed_in and address not in read
    ]  # fmt: skip
    return (*lost, *added, *unread)
