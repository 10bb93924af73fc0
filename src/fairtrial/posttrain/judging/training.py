"""The training data that a run may have used, gathered from all that it declared, left and wrote, each row once.

What is ours and lies there unchanged (the evaluator's files, the files that the rules hand out) is left out, unless
the agent declares that it trained on it. A row's id says where it stood. Not covered: rows that were never in a file.
"""

from __future__ import annotations

import hashlib
import posixpath
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.contamination.fields import texts_of
from fairtrial.posttrain.attempt.workspace import EVALUATOR, WORKSPACE
from fairtrial.posttrain.attempt.world import AGENT
from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.evaluating.copying import evaluator_files
from fairtrial.posttrain.folder import Attempted, RunFolder
from fairtrial.posttrain.judging.found_rows import FoundRow, NotRead, rows_in, rows_of_text
from fairtrial.posttrain.judging.versions import version_of, writes_of
from fairtrial.records import storable
from fairtrial.rules.checking.hashes import file_hash, files_in
from fairtrial.rules.fields import is_there
from fairtrial.rules.submission import MOST_TOLD

TRAINING = "training"
ROWS = "rows.jsonl"
OURS = frozenset({"TASK.md", "RULES.md", "training_set.txt", "usage.json", "trajectory.json"})
"""In the workspace, what the agent is told and what it tells: no training data."""
LOGS = tuple(f"/root/{one}/" for one in (".claude", ".codex", ".gemini", ".qwen", ".aider", ".openhands", ".cursor",
             ".config", ".local/share", ".local/state"))  # fmt: skip
"""Where agents' programs write down their own talk, which holds what they read. Anywhere else a file is a file."""
LEAST_ARGUMENT = 200
"""Letters from which what a program was started with may hold rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file that may hold training data."""

    called: str
    """As a reader finds it: a path in the workspace, `PATH (version 0a1b2c3d)`, `/agent/PATH`."""
    path: Path
    declared: bool = False

    @property
    def name(self) -> str:
        """Return it as it can be written down: an agent's file may have any name."""
        return storable(self.called)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was gathered."""

    paths: tuple[str, ...]
    """Of the training set, below the run's folder."""
    rows: int
    declared_rows: int
    files: tuple[tuple[str, int], ...]
    """(name, rows that are in no file before it)."""
    not_read: tuple[tuple[str, str], ...]
    gaps: tuple[str, ...]
    """Why nobody can say that this is all."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"rows": self.rows, "declared_rows": self.declared_rows,
                "files": [{"file": name, "rows": rows} for name, rows in self.files],
                "not_read": [{"file": name, "why": why} for name, why in self.not_read],
                "gaps": list(self.gaps)}  # fmt: skip


def gather(bench: Bench, cell: Cell, folder: RunFolder, attempted: Attempted) -> Gathered:
    """Write training/rows.jsonl, and beside it copies of declared files that are ours; return what was gathered."""
    target = folder.path / TRAINING
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    named = _named(bench)
    ours = _given(bench, cell) | named
    declared, missing = _declared(bench, cell, folder, attempted)
    seen: set[bytes] = set()
    files: list[tuple[str, int]] = []
    not_read: list[tuple[str, str]] = []
    own: list[str] = []
    held: set[str] = set()
    counts: Counter[bool] = Counter()
    with (target / ROWS).open("wb") as out:
        for source in (*declared, *_found(folder, cell)):
            address = file_hash(source.path)
            if address in held:
                continue
            held.add(address)
            if address in ours:
                if source.declared and address in named:
                    own.append(_copied(source, target, len(own)))
                    files.append((source.name, 0))
                if not source.declared or address in named:
                    continue
            rows = 0
            for one in rows_in(source.path):
                if isinstance(one, NotRead):
                    not_read.append((source.name, one.why))
                    continue
                rows += _written(out, one.document, f"{source.name}:{one.place}", seen)
            counts[source.declared] += rows
            if rows or source.declared:
                files.append((source.name, rows))
        for place, one in _arguments(folder):
            rows = _written(out, one.document, f"{place}:{one.place}", seen)
            counts[False] += rows
            files += [(place, rows)] * bool(rows)
    total = sum(counts.values())
    paths = [f"{TRAINING}/{ROWS}"] * bool(total) + own
    gaps = _gaps(attempted, missing, counts, bool(own))
    return Gathered(paths=tuple(paths), rows=total, declared_rows=counts[True], files=tuple(files),
                    not_read=tuple(not_read), gaps=tuple(gaps))  # fmt: skip


def _gaps(attempted: Attempted, missing: list[str], counts: Counter[bool], has_own: bool) -> list[str]:
    if not attempted.declared:
        found = f"the {counts[False]:,} rows that were found are compared" if counts[False] else "none was found"
        return [f"the agent names no training set in training_set.txt: {found}, and nobody knows what was used"]
    gaps = [f"the agent says that it trained on {name}, which is not there" for name in missing]
    if not counts[True] and not has_own and not missing:
        gaps.append("the files that the agent says it trained on hold no row that can be read")
    return gaps


def _given(bench: Bench, cell: Cell) -> set[str]:
    """Return the addresses of the evaluator's files, those of the evaluation that counts among them."""
    given = list(evaluator_files(bench, cell.track).values())
    public = bench.beside(bench.benchmark(cell.track).evaluator)
    given += [one for one in public.rglob("*") if one.is_file()]
    return {file_hash(one) for one in given}


def _named(bench: Bench) -> set[str]:
    """Return the addresses of the files that the rules hand out, which their check knows by their bytes."""
    return {file_hash(one) for track in bench.rules.tracks for path in (*track.against, *track.control)
            for one in files_in(bench.rules.beside(path))}  # fmt: skip


def _declared(bench: Bench, cell: Cell, folder: RunFolder, attempted: Attempted) -> tuple[list[Source], list[str]]:
    """Return the files that the agent names, with every version of them, and the names that lead to none."""
    found: list[Source] = []
    missing: list[str] = []
    for name in attempted.declared:
        path = posixpath.normpath(posixpath.join(WORKSPACE, name))
        mine = list(_lying_at(bench, cell, folder, path)) + _written_at(folder, path)
        found += mine
        missing += [] if mine else [storable(name[:MOST_TOLD])]
    return found, missing


def _lying_at(bench: Bench, cell: Cell, folder: RunFolder, path: str) -> Iterator[Source]:
    """Yield the files at an inside path, as far as what the box showed there is still at hand; no link is followed."""
    places = [(EVALUATOR, folder.evaluator), (WORKSPACE, folder.workspace)]
    places += [(AGENT, cell.agent.files)] if cell.agent.files is not None else []
    places += [(inside, bench.beside(host)) for host, _, inside in
               (one.rpartition(":") for one in bench.toml.world.mounts)]  # fmt: skip
    for inside, root in places:
        if path != inside and not path.startswith(f"{inside}/"):
            continue
        place = root / posixpath.relpath(path, inside)
        if is_there(place) and place.resolve().is_relative_to(root.resolve()):
            for one in files_in(place):
                below = posixpath.join(inside, one.relative_to(root).as_posix())
                yield Source(called=below.removeprefix(f"{WORKSPACE}/"), path=one, declared=True)
        return


def _written_at(folder: RunFolder, path: str) -> list[Source]:
    """Return the recorded versions of a declared file, or of the files in a declared folder."""
    found = []
    for write in writes_of(folder):
        version = version_of(folder, write) if write["path"] == path or write["path"].startswith(f"{path}/") else None
        if version is not None:
            found.append(_version(write["path"], version, declared=True))
    return found


def _version(path: str, version: Path, *, declared: bool = False) -> Source:
    below = path.removeprefix(f"{WORKSPACE}/")
    return Source(called=f"{below} (version {version.name[:8]})", path=version, declared=declared)


def _found(folder: RunFolder, cell: Cell) -> Iterator[Source]:
    """Yield every file that the agent left, wrote or brought along."""
    for place, prefix in ((folder.workspace, ""), (folder.evaluator, "evaluator/")):
        for one in files_in(place) if place.is_dir() else ():
            below = one.relative_to(place).as_posix()
            if prefix or below not in OURS:
                yield Source(called=f"{prefix}{below}", path=one)
    for write in writes_of(folder):
        path, version = write["path"], version_of(folder, write)
        below = path.removeprefix(f"{WORKSPACE}/")
        if version is None or below in OURS or path.startswith(LOGS):
            continue
        yield _version(path, version)
    if cell.agent.files is not None:
        for one in files_in(cell.agent.files):
            yield Source(called=f"{AGENT}/{one.relative_to(cell.agent.files).as_posix()}", path=one)


def _arguments(folder: RunFolder) -> Iterator[tuple[str, FoundRow]]:
    """Yield the rows in what programs were started with: data that was in no file."""
    path = folder.path / "processes.jsonl"
    if not path.is_file():
        return
    held: set[str] = set()
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            told = _argv(line)
            for text in [one for one in told if len(one) >= LEAST_ARGUMENT and one not in held]:
                held.add(text)
                for row in rows_of_text(text):
                    if isinstance(row, FoundRow):
                        yield f"processes.jsonl:{number}", row


def _argv(line: bytes) -> list[str]:
    """Return what a recorded program was started with; nothing of a line that was cut by a kill."""
    try:
        told = orjson.loads(line)
    except orjson.JSONDecodeError:
        return []
    argv = told.get("argv") if isinstance(told, dict) else None
    return [one for one in argv if isinstance(one, str)] if isinstance(argv, list) else []


def _copied(source: Source, target: Path, number: int) -> str:
    """Copy a file of ours that the agent says it trained on, as it is: the check knows it by its bytes."""
    name = f"declared-{number}{source.path.suffix if source.path.suffix.isascii() else ''}"
    shutil.copyfile(source.path, target / name)
    return f"{TRAINING}/{name}"


def _written(out: Any, document: Any, name: str, seen: set[bytes]) -> int:
    """Write a row that holds text and was not written before; return how many were."""
    texts = [text for _, text in texts_of(document)]
    if not any(text.strip() for text in texts):
        return 0
    key = hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if key in seen:
        return 0
    seen.add(key)
    row = dict(document) if isinstance(document, dict) else {"texts": document}
    out.write(_encoded(row | {"id": name}) + b"\n")
    return 1


def _encoded(row: dict[Any, Any]) -> bytes:
    """Return a row as a line of JSON, with what orjson refuses: huge numbers, halves of surrogate pairs."""
    try:
        return orjson.dumps(row, default=str, option=orjson.OPT_NON_STR_KEYS)
    except orjson.JSONEncodeError:
        texts = [storable(text) for _, text in texts_of(row)]
        return orjson.dumps({"id": row["id"], "texts": texts})
