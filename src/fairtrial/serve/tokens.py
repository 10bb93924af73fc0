"""Tokens that outlive a restart: kept in the ledger's folder, readable by its owner alone, so that links stay good.

`LEDGER/serve.json` holds, by name, role and tokens. A name that comes back in another role gets a new token, and where
others could read the file all do. Whoever is not named when the server starts is not let in, whatever the file holds.
"""

from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.serve.site import Reader

NAME = "serve.json"
_SCHEMA = "fairtrial.serve.tokens/1"


def with_kept_tokens(folder: Path, readers: Iterable[Reader]) -> tuple[tuple[Reader, ...], str]:
    """Return the readers with the tokens that they had before, and why tokens are not kept (empty where they are)."""
    path = folder / NAME
    held = _read(path)
    made = tuple(_same(reader, held.get(reader.name)) for reader in readers)
    known = held | {reader.name: {"role": reader.role, "token": reader.token, "csrf": reader.csrf} for reader in made}
    try:
        if known != held:
            _write(path, orjson.dumps({"schema": _SCHEMA, "readers": known}))
    except OSError as error:
        return made, f"{path} could not be written ({error.strerror or error}); these links end with the server"
    return made, ""


def _same(reader: Reader, held: Any) -> Reader:
    if not isinstance(held, dict) or held.get("role") != reader.role:
        return reader
    token, csrf = held.get("token"), held.get("csrf")
    if not (isinstance(token, str) and isinstance(csrf, str) and len(token) >= 32 and len(csrf) >= 32):
        return reader
    return replace(reader, token=token, csrf=csrf)


def _read(path: Path) -> dict[str, Any]:
    """Return what is kept; nothing where others could have read it, or it is damaged: then tokens are made anew."""
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            return {}
        found = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    readers = found.get("readers") if isinstance(found, dict) and found.get("schema") == _SCHEMA else None
    return readers if isinstance(readers, dict) else {}


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
