"""A log of Inspect's, `.eval` or `.json`: its header, and its samples one at a time.

A run that ended has `header.json`; one that did not has `_journal/start.json`, and is read for what it holds. A sample
that is only summarised (`summaries.json`, or the journal's) is given by its summary; where not even that is there and
each sample ran once, by the scores of the reductions. JSON is read as Python writes it, NaN and Infinity included.
Of a `.json` log too a sample at a time is held. Not covered: a log whose `samples` stand twice; the last ones count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.batch import Skipped
from fairtrial.formats.inspect.archive import Archive
from fairtrial.formats.inspect.json_file import JsonFile, Layout
from fairtrial.formats.inspect.scores import PLACEHOLDER
from fairtrial.records import FormatError

HEADER, START = "header.json", "_journal/start.json"
_REDUCTIONS = "reductions.json"
_SUMMARIES = re.compile(r"summaries\.json|_journal/summaries/\d+\.json")
MOST_BRACKETS = 40_000_000
"""Of one sample, opening ones: each is 60 bytes of memory or more once read, and a bomb of 1 GB has 500 million."""
_HALF_A_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Found:
    """A sample as the log has it, or its summary."""

    where: str
    """Name of the archive's member, `samples/3_epoch_1.json`, or place in the file, `samples[3]`."""
    content: dict[str, Any]
    stored_bytes: int = 0
    """What it takes in the file."""
    is_summary: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """An open log, to be closed. Its samples are read as they are asked for, once."""

    path: Path
    header: Mapping[str, Any]
    samples: Iterator[Found | Skipped]
    file: Archive | JsonFile

    def close(self) -> None:
        """Close its file."""
        self.file.close()


def open_log(path: Path) -> Log:
    """Open the log at `path`. Raise FormatError where it is none, or its header cannot be read."""
    return _json_log(path) if path.suffix == ".json" else _archived_log(path)


def loads(data: bytes) -> Any:
    """Return the value of JSON, NaN and Infinity included. Raise ValueError for no JSON, no Unicode, or a bomb."""
    if len(data) > MOST_BRACKETS and data.count(b"{") + data.count(b"[") > MOST_BRACKETS:
        raise ValueError(f"it holds more than {MOST_BRACKETS:,} objects and lists")
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            found = json.loads(data)
            if _HALF_A_CHARACTER.search(data):
                json.dumps(found, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            raise error from None
        return found


def _archived_log(path: Path) -> Log:
    archive = Archive(path)
    try:
        name = next((name for name in (HEADER, START) if name in archive), "")
        if not name:
            raise FormatError(f"has neither {HEADER} nor {START}: it is no log of Inspect's", path=path)
        return Log(path, _header(_member(archive, name), path), _archived(archive), archive)
    except FormatError:
        archive.close()
        raise


def _archived(archive: Archive) -> Iterator[Found | Skipped]:
    """Yield the samples, then the summaries of those that are not there, then what only the reductions say."""
    seen: set[tuple[str, str]] = set()
    for name in archive.names:
        if name.startswith("samples/") and name.endswith(".json"):
            yield _sample(archive, name, seen)  # not held here: two at once would take twice the memory
    for found in _summarised(archive):
        if isinstance(found, Skipped):
            yield found
        elif (key := _key(found.content)) not in seen:
            seen.add(key)
            yield found
    if not seen and _REDUCTIONS in archive:
        yield from _reduced_in(archive)


def _sample(archive: Archive, name: str, seen: set[tuple[str, str]]) -> Found | Skipped:
    try:
        content = _member(archive, name)
        if not isinstance(content, dict):
            raise FormatError("is not an object", path=archive.path, field=name)
    except FormatError as error:
        return Skipped(error.where, error.what)
    seen.add(_key(content))
    return Found(name, _as_today(content), archive.stored_bytes(name))


def _as_today(sample: dict[str, Any]) -> dict[str, Any]:
    """Return a sample as logs have it since 2025: before, events stood in a transcript, and a score alone."""
    transcript, score = sample.get("transcript"), sample.get("score")
    if isinstance(transcript, dict):
        sample |= {"events": transcript.get("events"), "attachments": transcript.get("content")}
    if isinstance(score, dict) and not sample.get("scores"):
        sample["scores"] = {PLACEHOLDER: score}
    return sample


def _key(content: Mapping[str, Any]) -> tuple[str, str]:
    return str(content.get("id")), str(content.get("epoch"))


def _summarised(archive: Archive) -> Iterator[Found | Skipped]:
    """Yield the summaries, written as samples are: the latest of each first."""
    names = [name for name in archive.names if _SUMMARIES.fullmatch(name)]
    for name in sorted(names, key=lambda name: (name != "summaries.json", -_number(name))):
        try:
            summaries = _member(archive, name)
        except FormatError as error:
            yield Skipped(error.where, error.what)
            continue
        for summary in reversed(summaries) if isinstance(summaries, list) else ():
            if isinstance(summary, dict) and summary.get("completed") is not False:
                halted, limit = summary.get("error"), summary.get("limit")
                told = {
                    "error": None if halted is None else {"message": halted},
                    "limit": {"type": limit} if limit else None,
                }
                yield Found(name, {**summary, **told}, is_summary=True)


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name) or 0)


def _reduced_in(archive: Archive) -> Iterator[Found | Skipped]:
    try:
        header = _header(_member(archive, HEADER), archive.path) if HEADER in archive else {}
        yield from _reduced(archive.path, header, _member(archive, _REDUCTIONS))
    except FormatError as error:
        yield Skipped(error.where, error.what)


def _reduced(path: Path, header: Mapping[str, Any], scorers: Any) -> Iterator[Found | Skipped]:
    """Yield what the reductions say of each sample, where a sample ran once and was thus not reduced."""
    config = header.get("eval", {}).get("config")
    epochs = config.get("epochs") if isinstance(config, dict) else None
    place = f"{path}, {_REDUCTIONS.removesuffix('.json')}"
    if epochs not in (None, 1):
        why = f"the log holds no samples, only scores reduced over {epochs} epochs: there is no attempt"
        yield Skipped(place, why)
        return
    told: dict[str, dict[str, Any]] = {}
    for scorer in scorers if isinstance(scorers, list) else ():
        for score in scorer.get("samples") or () if isinstance(scorer, dict) else ():
            if isinstance(score, dict) and score.get("sample_id") is not None:
                sample = {"id": score["sample_id"], "epoch": 1, "scores": {}}
                told.setdefault(str(score["sample_id"]), sample)["scores"][str(scorer.get("scorer"))] = score
    for content in told.values():
        yield Found(_REDUCTIONS, content, is_summary=True)
    results = header.get("results")
    total = results.get("total_samples") if isinstance(results, dict) else None
    if type(total) is int and total > len(told):
        why = f"{total - len(told)} of {total} samples have no score there, as after an error: nothing is known of them"
        yield Skipped(place, why)


def _member(archive: Archive, name: str) -> Any:
    try:
        return loads(archive.read(name))
    except ValueError as error:
        raise FormatError(f"is not JSON: {error}", path=archive.path, field=name) from error


def _header(content: Any, path: Path) -> Mapping[str, Any]:
    if not isinstance(content, dict) or not isinstance(content.get("eval"), dict):
        raise FormatError("has no object `eval`: it is no log of Inspect's", path=path)
    return content


def _json_log(path: Path) -> Log:
    file = JsonFile(path)
    try:
        layout = file.layout()
        header = _header(loads(file.header(layout)), path)
    except ValueError as error:
        file.close()
        raise FormatError(f"is not JSON: {error}", path=path) from error
    except FormatError:
        file.close()
        raise
    is_reduced = not layout.samples and not layout.strays and bool(header.get("reductions"))
    samples = _reduced(path, header, header["reductions"]) if is_reduced else _listed(file, layout)
    return Log(path, header, samples, file)


def _listed(file: JsonFile, layout: Layout) -> Iterator[Found | Skipped]:
    for number, piece in enumerate(file.pieces(layout.samples)):
        yield _listed_one(file.path, number, piece)
    for piece in file.pieces(layout.strays):
        yield Skipped(f"{file.path}, samples", f"is not an object: {piece.strip(b', ')[:60].decode(errors='replace')}")


def _listed_one(path: Path, number: int, piece: bytes) -> Found | Skipped:
    place = f"{path}, samples[{number}]"
    try:
        sample = loads(piece)
    except ValueError as error:
        return Skipped(place, f"is not JSON: {error}")
    if not isinstance(sample, dict):
        return Skipped(place, "is not an object")
    return Found(f"samples[{number}]", _as_today(sample), len(piece))
