"""Append-only Parquet tables: a folder a table, a file a part, written to a temporary name, synced, renamed.

    LEDGER/ledger.json              schema and version
    LEDGER/rollouts/part-*.parquet  one table
    LEDGER/blobs/ab/abcd...         trajectories and deliverable manifests, by content address
    LEDGER/.tmp/                    parts being written; left-overs of a killed writer are ignored

Nothing is ever edited. Two writers need no lock: a part's name is unique, ids are hashes of content, and the views
count an id once. Verdicts are written before the rollouts they speak of, so a rollout that can be seen has its verdict.
Not covered: compaction, and deleting.
"""

from __future__ import annotations

import hashlib
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.ledger.ids import IdSet, Mask, keys_of
from fairtrial.ledger.schema import TABLES, VERSION
from fairtrial.records import LedgerError

_MARKER = "ledger.json"
_SCHEMA = "fairtrial.ledger"
_SINGULAR = {"id", "rollout", "answer", "evidence", "recorded_at"}
"""Columns whose values hardly repeat: a Parquet dictionary of them would only cost time."""
_SYNCS_AT_ONCE = 16


class Record(Protocol):
    """Anything with a content id and a ledger row."""

    @property
    def id(self) -> str: ...

    def row(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Appended:
    """How many records were new, and how many the ledger held already."""

    added: int
    duplicates: int


class Ledger:
    """Read and append to one ledger folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._appender = Appender(self)

    @classmethod
    def open(cls, path: Path | str, *, create: bool = False) -> Ledger:
        """Open the ledger at `path`; make it first if `create`.

        Raise LedgerError if it is no ledger, of a later version, or cannot be made.
        """
        folder = Path(path)
        marker = folder / _MARKER
        if not marker.exists():
            if not create:
                what = "not a ledger (no ledger.json)" if folder.exists() else "there is no such ledger"
                raise LedgerError(what, path=folder, hint="`fairtrial import` and `fairtrial run` make one.")
            if folder.exists() and not (folder.is_dir() and _is_half_made(folder)):
                what = "folder is not empty and is not a ledger" if folder.is_dir() else "is a file, not a ledger"
                raise LedgerError(what, path=folder, hint="Name another folder.")
            _make(folder)
        _check_version(marker)
        return cls(folder)

    def parts(self, table: str) -> list[Path]:
        """Return the part files of `table` as they were written. Raise LedgerError where its folder cannot be read."""
        folder = self.path / table
        try:
            return sorted(part for part in folder.iterdir() if part.match("part-*.parquet"))
        except FileNotFoundError:
            return []
        except OSError as error:  # `glob` would pass over it, and every rollout would look ungraded
            raise LedgerError(f"cannot be read: {error.strerror or error}", path=folder) from error

    def ids(self, table: str) -> IdSet:
        """Return the ids that `table` holds now, 16 bytes each. Raise LedgerError naming a part that is damaged."""
        held = IdSet()
        for part in self.parts(table):
            try:
                with pq.ParquetFile(part) as file:
                    held.add_new(keys_of(file.read(columns=["id"]).column("id")))
            except (pa.ArrowException, OSError, ValueError, KeyError) as error:
                raise damaged(part, error) from error
        return held

    def append(self, table: str, records: Iterable[Record]) -> Appended:
        """Append the records that `table` does not hold yet, as one part that is safe on disk on return."""
        rows = [record.row() for record in records]
        added = int(self._appender.add(table, rows_of(table, rows)).sum())
        return Appended(added=added, duplicates=len(rows) - added)

    def write_part(self, table: str, rows: pa.Table) -> Path:
        """Write `rows` (already free of ids the ledger holds) as one part, atomically."""
        name = f"part-{time.time_ns() // 1000:016d}-{uuid.uuid4().hex[:12]}.parquet"
        repeated = [column for column in rows.column_names if column not in _SINGULAR]

        def write(temporary: Path) -> None:
            pq.write_table(rows, temporary, compression="zstd", compression_level=1, use_dictionary=repeated)

        return self._publish(self.path / table / name, write)

    def put_blob(self, data: bytes) -> str:
        """Store `data` under its content address and return that."""
        name = hashlib.sha256(data).hexdigest()
        final = self._blob(name)
        if not final.exists():
            self._publish(final, partial(_write, data=data))
        return f"sha256:{name}"

    def put_blobs(self, contents: Sequence[bytes]) -> list[str]:
        """Store each of `contents` and return their addresses; all are safe on disk on return.

        As `put_blob` of each, but the syncs of many files wait together, which a journal commits at once: 1,000 blobs
        took 0.2 s where one after the other took 3 to 5. A kill leaves each blob whole or not there.
        """
        names = [hashlib.sha256(data).hexdigest() for data in contents]
        finals = {self._blob(name): data for name, data in zip(names, contents, strict=True)}
        missing = {final: data for final, data in finals.items() if not final.exists()}
        folders = sorted({final.parent for final in missing})
        with ThreadPoolExecutor(max_workers=_SYNCS_AT_ONCE) as pool, _writing(self.path / "blobs"):
            made = [folder for folder in folders if not folder.exists()]
            for folder in made:
                folder.mkdir(parents=True, exist_ok=True)
            if made:
                _sync(self.path / "blobs")
            list(pool.map(self._place, missing, (partial(_write, data=data) for data in missing.values())))
            list(pool.map(_sync, folders))  # the new names, once a folder
        return [f"sha256:{name}" for name in names]

    def _place(self, final: Path, write: Callable[[Path], None]) -> None:
        """Let `write` fill a temporary file, sync it, and give it its name, which is yet to be synced."""
        temporary = self.path / ".tmp" / f"{final.name}-{uuid.uuid4().hex}"
        try:
            temporary.parent.mkdir(exist_ok=True)
            write(temporary)
            _sync(temporary)
            temporary.rename(final)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise

    def _blob(self, name: str) -> Path:
        return self.path / "blobs" / name[:2] / name

    def get_blob(self, address: str) -> bytes:
        """Return the blob at `address`. Raise LedgerError if the ledger does not hold it, or no longer as it was."""
        name = address.removeprefix("sha256:")
        path = self._blob(name)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise LedgerError(f"holds no blob {address}", path=self.path) from error
        if hashlib.sha256(data).hexdigest() != name:
            raise LedgerError("this blob is damaged: its content does not have its address", path=path)
        return data

    def _publish(self, final: Path, write: Callable[[Path], None]) -> Path:
        """Let `write` fill a temporary file, sync it, and give it its name: it is there whole, or not at all."""
        with _writing(final.parent):
            if not final.parent.exists():
                final.parent.mkdir(parents=True, exist_ok=True)
                _sync(final.parent.parent)
            self._place(final, write)
            _sync(final.parent)
        return final


class Appender:
    """Appends to a ledger whose ids it reads once, so that many additions cost no more than one."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._held: dict[str, IdSet] = {}

    def held(self, table: str) -> IdSet:
        """Return the ids of `table`: those found at first use and those added here."""
        if table not in self._held:
            self._held[table] = self.ledger.ids(table)
        return self._held[table]

    def add(self, table: str, rows: pa.Table) -> Mask:
        """Append the rows whose id is new, as one part that is safe on disk on return; return which they were."""
        held = self.held(table)
        new = held.add_new(keys_of(rows.column("id")))
        if new.any():
            try:
                self.ledger.write_part(table, rows if new.all() else rows.filter(pa.array(new)))
            except LedgerError:
                del self._held[table]  # it names ids that were not written; read it anew if somebody tries again
                raise
        return new


def damaged(part: Path, error: Exception) -> LedgerError:
    """Return the error that names a part which cannot be read."""
    why = str(error).splitlines()[0] if str(error) else type(error).__name__
    return LedgerError(f"this part is damaged: {why}", path=part,
                       hint="Restore it from a copy, or move it away: its records are then missing, and importing or "
                            "running again adds them.")  # fmt: skip


def rows_of(table: str, rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Return `rows` as an Arrow table of `table`'s schema."""
    return pa.Table.from_pylist(list(rows), schema=TABLES[table])


def _is_half_made(folder: Path) -> bool:
    return {entry.name for entry in folder.iterdir()} <= {*TABLES, "blobs", ".tmp"}


def _make(folder: Path) -> None:
    try:
        for name in (*TABLES, "blobs", ".tmp"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        temporary = folder / ".tmp" / f"ledger-{uuid.uuid4().hex}.json"
        temporary.write_bytes(orjson.dumps({"schema": _SCHEMA, "version": VERSION}))
        _sync(temporary)
        temporary.rename(folder / _MARKER)
        _sync(folder)
    except OSError as error:
        raise LedgerError(f"could not make a ledger: {error.strerror or error}", path=folder) from error


def _check_version(marker: Path) -> None:
    try:
        found = orjson.loads(marker.read_bytes())
        version = int(found["version"])
        known = found["schema"] == _SCHEMA
    except OSError as error:
        raise LedgerError(f"cannot be read: {error.strerror or error}", path=marker) from error
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise LedgerError("is not a ledger's marker", path=marker) from error
    if not known:
        raise LedgerError("is not a ledger's marker", path=marker, field="schema")
    if version > VERSION:
        raise LedgerError(f"is of version {version}, this fairtrial reads up to {VERSION}", path=marker,
                          hint="Use a later fairtrial; nothing was changed.")  # fmt: skip


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LedgerError(f"could not write: {os.strerror(error.errno) if error.errno else error}", path=folder,
                          hint="What was written before is kept; make room or give permission, and run it again.",
                          ) from error  # fmt: skip


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
