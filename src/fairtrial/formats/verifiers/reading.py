"""Which files are verifiers', and their lines as batches: streamed, of at most 16 MB of trajectories each.

A line tells its own kind: an episode or a bare trace of v1, or a row of v0. What is no line of verifiers' is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.json_files import read_fields
from fairtrial.formats.row_files import loaded
from fairtrial.formats.verifiers.records import Kept, Record
from fairtrial.formats.verifiers.results import Results, keeps_replies, scale_is_known
from fairtrial.formats.verifiers.rewards import beyond_one
from fairtrial.formats.verifiers.traces import Traces
from fairtrial.records import FormatError

TRACES, RESULTS = "traces.jsonl", "results.jsonl"
_CONFIGS = ("configs/resolved/eval.json", "configs/eval.json", "eval.json")
_MOST_ROLLOUTS, _MOST_BYTES = 2_000, 16_000_000
_MOST_OPENING = 8_000_000
"""Bytes of a first line that are read to recognise it."""
_MAY_EXCEED = re.compile(
    rb'"score"\s*:\s*(?:[2-9]|1\d|1\.\d*[1-9]|\d+(?:\.\d+)?[eE]\+?[1-9])|"rewards"\s*:\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[-\d]'
)
"""A score above 1, or rewards that are bare numbers; whose they are the line itself tells."""
_POINTER = b"version https://git-lfs"


def looks_like(path: Path) -> bool:
    """Say whether a file, or one in a folder, is of verifiers."""
    if path.is_dir():
        return any(_is_ours(file) for name in (TRACES, RESULTS) for file in sorted(path.rglob(name)) if file.is_file())
    return path.suffix == ".jsonl" and _is_ours(path)


def _is_ours(file: Path) -> bool:
    """Say whether the first line is an episode, or a row of v0."""
    with file.open("rb") as handle:
        row = _first(handle.readline(_MOST_OPENING))
    return _kind(row) == "v1" or (_kind(row) == "v0" and "reward" in row)


def _first(line: bytes) -> dict[str, Any]:
    """Return the object of a first line, empty where it is none or cannot be read."""
    try:
        row = loaded(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def _kind(row: Mapping[str, Any]) -> str:
    """Return `v1` or `v0`; empty for what is neither."""
    if ("traces" in row and "task" in row) or {"nodes", "rewards", "task"} <= row.keys():
        return "v1"
    return "v0" if {"prompt", "completion"} <= row.keys() and ("example_id" in row or "id" in row) else ""


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the rollouts at `path`: a file, or every traces.jsonl and results.jsonl of a folder."""
    files = [path] if path.is_file() else sorted(
        file for name in (TRACES, RESULTS) for file in path.rglob(name) if file.is_file())  # fmt: skip
    if not files:
        raise FormatError(f"the folder has neither {TRACES} nor {RESULTS}", path=path)
    total = max(1, sum(file.stat().st_size for file in files))
    before = 0
    for file in files:
        try:
            reading = _Reading(file, options)
        except FormatError as error:
            yield batch_of([], [Skipped(error.where, error.what)])
            continue
        for batch, at in reading.batches():
            yield batch_of(*batch, done=(before + at) / total)
        before += file.stat().st_size


_Parts = tuple[list[Record], list[Skipped], list[bytes]]


class _Reading:
    """Reads one file."""

    def __init__(self, file: Path, options: Options) -> None:
        self.file = file
        with file.open("rb") as handle:
            opening = handle.readline(_MOST_OPENING)
        if opening.startswith(_POINTER):
            raise FormatError("is a pointer of Git LFS: the file itself was not fetched", path=file)
        self.traces = Traces(file, options, _model_beside(file), _beyond_one(file))
        self.results = Results(file, options)
        if _kind(_first(opening)) != "v1":
            self.results.scale_is_known = scale_is_known(row for _, row in _rows(file) if isinstance(row, dict))
            self.results.keeps_replies = keeps_replies(row for _, row in _rows(file) if isinstance(row, dict))

    def batches(self) -> Iterator[tuple[_Parts, int]]:
        """Yield the parts of each batch, and how many bytes were read."""
        parts: _Parts = ([], [], [])
        at = held = 0
        for number, (size, row) in enumerate(_rows(self.file), 1):
            at += size
            held += self._take(row, f"{self.file}:{number}", parts)
            if len(parts[0]) >= _MOST_ROLLOUTS or held >= _MOST_BYTES:
                yield parts, at
                parts, held = ([], [], []), 0
        yield parts, at

    def _take(self, row: Any, place: str, parts: _Parts) -> int:
        """Add a line's records to `parts`; return the bytes of its trajectories."""
        attempts, skipped, blobs = parts
        if row is None:
            return 0
        kind = _kind(row) if isinstance(row, dict) else ""
        if not kind:
            why = row if isinstance(row, str) else "is neither an episode nor a rollout of verifiers"
            skipped.append(Skipped(place, why))
            return 0
        making = self.traces if kind == "v1" else self.results
        try:
            attempts += making.records(row)
        except FormatError as error:
            skipped.append(Skipped(place, f"{error.field}: {error.what}" if error.field else error.what))
        kept, making.kept = making.kept, Kept()
        skipped += [Skipped(place, note) for note in kept.notes]
        blobs += kept.blobs
        return sum(map(len, kept.blobs))


def _rows(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield the bytes and the value of each line: None for an empty one, why it cannot be read for one that cannot."""
    with file.open("rb") as handle:
        for line in handle:
            row: Any = None
            if not line.isspace():
                try:
                    row = loaded(line)
                except ValueError as error:
                    row = f"is not JSON: {error}"
            yield len(line), row


def _beyond_one(file: Path) -> frozenset[str]:
    """Return the rewards of traces that exceed 1 somewhere; lines are taken apart where their bytes may say so."""
    found: set[str] = set()
    with file.open("rb") as handle:
        for line in handle:
            row = _first(line) if _MAY_EXCEED.search(line) else {}
            traces = row.get("traces", [row])
            for trace in traces if isinstance(traces, list) else ():
                rewards = trace.get("rewards") if isinstance(trace, dict) else None
                found.update(beyond_one(rewards) if isinstance(rewards, dict) else ())
    return frozenset(found)


def _model_beside(file: Path) -> str:
    """Return the model of the run's configuration, empty where there is none."""
    for name in _CONFIGS:
        beside = file.parent / name
        if beside.is_file():
            return read_fields(beside).text("model")
    return ""
