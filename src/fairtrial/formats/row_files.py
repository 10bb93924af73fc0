"""Rows of trainers' files, read into batches: JSONL or Parquet, a file or a folder; a wrong row is skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.completions import Logged, Making
from fairtrial.formats.exports.files import read_parquet
from fairtrial.formats.exports.messages import Place
from fairtrial.records import FormatError, Rollout, Verdict

ROWS_A_BATCH = 1000
_NUMBERS = re.compile(r"(\d+)")

Reading = Callable[[dict[str, Any], Place], Logged]


def batches(files: Sequence[Path], options: Options, reading: Reading) -> Iterator[Batch]:
    """Yield the rows of `files` as rollouts; `reading` makes one of a row, and raises FormatError for what is none."""
    making = Making(options)
    for at, file in enumerate(files):
        attempts: list[tuple[Rollout, Verdict | None]] = []
        skipped: list[Skipped] = []
        blobs: list[bytes] = []
        for place, row in _rows(file, skipped):
            try:
                logged = reading(row, place)
                rollout, verdict, blob = making.records(logged, file, group=logged.step is not None)
            except FormatError as error:
                skipped.append(Skipped(error.where, error.what))
                continue
            attempts.append((rollout, verdict))
            blobs.append(blob)
            if len(attempts) == ROWS_A_BATCH:
                yield batch_of(attempts, skipped, blobs, at / len(files))
                attempts, skipped, blobs = [], [], []
        yield batch_of(attempts, skipped, blobs, (at + 1) / len(files))


def files_at(path: Path, *suffixes: str) -> list[Path]:
    """Return the files of these suffixes at `path`, numbers in their names in order. Raise FormatError for none."""
    found = [path] if path.is_file() else [file for file in path.rglob("*") if file.suffix in suffixes]
    if not found:
        raise FormatError(f"the folder has no {' or '.join(suffixes)} file", path=path)
    return sorted(found, key=lambda file: [int(part) if part.isdigit() else part for part in _NUMBERS.split(str(file))])


def _rows(file: Path, skipped: list[Skipped]) -> Iterator[tuple[Place, dict[str, Any]]]:
    if file.suffix == ".parquet":
        for number, row in enumerate(read_parquet(file), 1):
            yield Place(file, number), row
        return
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = loaded(line)
        except ValueError as error:
            skipped.append(Skipped(f"{file}:{number}", f"is not JSON: {error}"))
            continue
        if isinstance(row, dict):
            yield Place(file, number), row
        else:
            skipped.append(Skipped(f"{file}:{number}", "is not an object"))


def loaded(line: bytes) -> Any:
    """Return a line's value; NaN and Infinity, which trainers write for a score that broke, are taken as Python does.

    Raise ValueError for what is no JSON, or holds half a character.
    """
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        try:
            found = json.loads(line, parse_int=_whole)
            json.dumps(found, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            raise error from None
        return found


def _whole(text: str) -> int | float:
    """Return a whole number as orjson does: one beyond 64 bits as the nearest float, which can be written again."""
    number = int(text)
    return number if -(2**63) <= number < 2**64 else float(text)
