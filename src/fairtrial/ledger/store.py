"""Append-only Parquet tables: a folder a table, a file a part, written to a temporary name, synced, renamed.

    LEDGER/ledger.json              schema and version
    LEDGER/rollouts/part-*.parquet  one table
    LEDGER/blobs/ab/abcd...         trajectories and deliverable manifests, by content address
    LEDGER/.tmp/                    parts being written; left-overs of a killed writer are ignored

Nothing is ever edited. Two writers need no lock: a part's name is unique, ids are hashes of content, and the views
count an id once. Not covered: compaction, and deleting.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.ledger.ids import IdSet, Mask, keys_of
from fairtrial.ledger.schema import TABLES, VERSION
from fairtrial.records import LedgerError


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

    @classmethod
    def open(cls, path: Path | str, *, create: bool = False) -> Ledger:
        """Open the ledger at `path`; make it first if `create`. Raise LedgerError if it is none, or of a later version."""
        folder = Path(path)
        marker = folder / "ledger.json"
        if not marker.exists():
            if not create:
                raise LedgerError("not a ledger (no ledger.json)", path=folder, hint="`fairtrial import` makes one.")
            if folder.exists() and any(folder.iterdir()) and not _is_half_made(folder):
                raise LedgerError("folder is not empty and is not a ledger", path=folder, hint="Name another folder.")
            _make(folder)
        _check_version(marker)
        return cls(folder)

    def parts(self, table: str) -> list[Path]:
        """Return the part files of `table`, sorted."""
        return sorted((self.path / table).glob("part-*.parquet"))

    def ids(self, table: str) -> IdSet:
        """Return the ids that `table` holds, 16 bytes each. Raise LedgerError naming a part that is damaged."""
        held = IdSet()
        for part in self.parts(table):
            try:
                held.add_new(keys_of(pq.read_table(part, columns=["id"], partitioning=None).column(0)))
            except (pa.ArrowException, OSError, ValueError) as error:
                raise damaged(part, error) from error
        return held

    def append(self, table: str, records: Iterable[Record]) -> Appended:
        """Append the records that `table` does not hold yet, as one part."""
        rows = [record.row() for record in records]
        added = int(Appender(self).add(table, rows_of(table, rows)).sum())
        return Appended(added=added, duplicates=len(rows) - added)

    def write_part(self, table: str, rows: pa.Table) -> Path:
        """Write `rows` (already free of ids the ledger holds) as one part, atomically."""
        name = f"part-{uuid.uuid4().hex}.parquet"
        temporary = self.path / ".tmp" / name
        final = self.path / table / name
        try:
            pq.write_table(rows, temporary, compression="zstd")
            _sync(temporary)
            temporary.rename(final)
            _sync(final.parent)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise LedgerError(f"could not write: {error.strerror or error}", path=final.parent,
                              hint="What was written before is kept; free space and run it again.") from error  # fmt: skip
        return final

    def put_blob(self, data: bytes) -> str:
        """Store `data` under its content address and return that."""
        name = hashlib.sha256(data).hexdigest()
        final = self.path / "blobs" / name[:2] / name
        if not final.exists():
            final.parent.mkdir(exist_ok=True)
            temporary = self.path / ".tmp" / f"{name}-{uuid.uuid4().hex}"
            temporary.write_bytes(data)
            _sync(temporary)
            temporary.rename(final)
        return f"sha256:{name}"

    def get_blob(self, address: str) -> bytes:
        """Return the blob at `address`. Raise LedgerError if the ledger does not hold it."""
        name = address.removeprefix("sha256:")
        path = self.path / "blobs" / name[:2] / name
        if not path.exists():
            raise LedgerError(f"holds no blob {address}", path=self.path)
        return path.read_bytes()


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
        new = self.held(table).add_new(keys_of(rows.column("id")))
        if new.any():
            self.ledger.write_part(table, rows if new.all() else rows.filter(pa.array(new)))
        return new


def damaged(part: Path, error: Exception) -> LedgerError:
    """Return the error that names a part which cannot be read."""
    return LedgerError(f"this part is damaged: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
                       path=part, hint="Restore it from a copy, or move it away: its records are then missing, and "
                       "importing or running again adds them.")  # fmt: skip


def _is_half_made(folder: Path) -> bool:
    return {entry.name for entry in folder.iterdir()} <= {*TABLES, "blobs", ".tmp"}


def _make(folder: Path) -> None:
    for name in (*TABLES, "blobs", ".tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    temporary = folder / ".tmp" / f"ledger-{uuid.uuid4().hex}.json"
    temporary.write_bytes(orjson.dumps({"schema": "fairtrial.ledger", "version": VERSION}))
    _sync(temporary)
    temporary.rename(folder / "ledger.json")


def _check_version(marker: Path) -> None:
    try:
        found = orjson.loads(marker.read_bytes())
        version = int(found["version"])
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise LedgerError("is not a ledger's marker", path=marker) from error
    if version > VERSION:
        raise LedgerError(f"is of version {version}, this fairtrial reads up to {VERSION}", path=marker,
                          hint="Use a later fairtrial; nothing was changed.")  # fmt: skip


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def rows_of(table: str, rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Return `rows` as an Arrow table of `table`'s schema."""
    return pa.Table.from_pylist(list(rows), schema=TABLES[table])
