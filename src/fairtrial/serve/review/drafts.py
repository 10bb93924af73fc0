"""Drafts: what a reader has begun and not submitted. They are no records, and nothing counts them.

One file a row in LEDGER/drafts, written whole to a temporary name, synced, renamed; each saving has a number. Who saves
on top of a number that is no longer the last (a second window) overwrites nothing: the sent version is kept beside, and
the reader chooses. Not covered: two servers on one ledger at the same instant.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from fairtrial.records import LedgerError

SCHEMA = "fairtrial.draft/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The last saved version of one row; version 0 was never saved."""

    version: int = 0
    saved_at: str = ""
    """ISO 8601, UTC."""
    content: Mapping[str, Any] = field(default_factory=dict)
    """The decision as the page has it."""
    skipped: bool = False
    record: str = ""
    """Id of the record that was last submitted from this row; empty while there is none."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON tells it."""
        return {"schema": SCHEMA, "version": self.version, "saved_at": self.saved_at, "content": dict(self.content),
                "skipped": self.skipped, "record": self.record}  # fmt: skip


class ConflictError(Exception):
    """Another window saved meanwhile; `current` is what it saved."""

    def __init__(self, current: Draft) -> None:
        super().__init__(f"version {current.version} was saved meanwhile")
        self.current = current


class Drafts:
    """The drafts of one ledger."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    def read(self, row: str) -> Draft:
        """Return the last version of `row`. Raise LedgerError for a file that is damaged."""
        path = self._path(row)
        try:
            found = orjson.loads(path.read_bytes())
            known = {name: found[name] for name in Draft.__dataclass_fields__}
            if found["schema"] != SCHEMA or not isinstance(known["version"], int):
                raise ValueError("is no draft")
        except FileNotFoundError:
            return Draft()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise LedgerError(f"this draft cannot be read: {error}", path=path,
                              hint="Move it away to begin the row anew; submitted reviews are kept elsewhere.",
                              ) from error  # fmt: skip
        return Draft(**known)

    def save(self, row: str, content: Mapping[str, Any], *, base: int, skipped: bool = False) -> Draft:
        """Save `content` as the version after `base`. Raise ConflictError where `base` is not the last one.

        The same content again is no conflict: an answer that was lost on the way is given again.
        """
        with self._lock:
            current = self.read(row)
            if base != current.version:
                if dict(current.content) == dict(content) and current.skipped == skipped:
                    return current
                self._write(self._beside(row), Draft(version=base, saved_at=_now(), content=content, skipped=skipped))
                raise ConflictError(current)
            made = Draft(version=base + 1, saved_at=_now(), content=content, skipped=skipped, record=current.record)
            self._write(self._path(row), made)
            return made

    def finish(self, row: str, record: str) -> None:
        """Say that `row` was submitted: the draft is empty from here on, and its numbers go on."""
        with self._lock:
            current = self.read(row)
            if current.content or current.skipped or current.record != record:
                made = Draft(version=current.version + 1, saved_at=_now(), record=record)
                self._write(self._path(row), made)

    def beside(self, row: str) -> list[Draft]:
        """Return the versions that lost a conflict, oldest first: chosen against, not lost."""
        paths = sorted(self.folder.glob(f"{row}.beside-*.json"))
        return [Draft(**{name: orjson.loads(path.read_bytes())[name] for name in Draft.__dataclass_fields__})
                for path in paths]  # fmt: skip

    def _path(self, row: str) -> Path:
        return self.folder / f"{row}.json"

    def _beside(self, row: str) -> Path:
        return self.folder / f"{row}.beside-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.json"

    def _write(self, path: Path, draft: Draft) -> None:
        temporary = path.with_name(f".{path.name}-{secrets.token_hex(6)}")
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(orjson.dumps(draft.document()))
                file.flush()
                os.fsync(file.fileno())
            temporary.rename(path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise LedgerError(f"could not save a draft: {error.strerror or error}", path=path,
                              hint="Make room or give permission; the page keeps what was not saved.",
                              ) from error  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
