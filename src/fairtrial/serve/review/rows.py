"""Names of rows in addresses: they tell nothing of the rollout, and nobody else's opens anything.

A row is what one reader does with one rollout in one stage. Its name is keyed with a secret of the ledger, so that it
can be neither computed from a rollout's id nor compared between readers, and is the same after a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from fairtrial.records import LedgerError, canonical_json

KEY_BYTES = 32
NAME_DIGITS = 20


def row_name(key: bytes, *words: str) -> str:
    """Return the name of the row that `words` say (sample, reader, stage, rollout, ...).

    >>> row_name(b"k", "s", "ada", "blind", "r") == row_name(b"k", "s", "bo", "blind", "r")
    False
    """
    return hmac.new(key, canonical_json(words), hashlib.sha256).hexdigest()[:NAME_DIGITS]


def secret_of(folder: Path) -> bytes:
    """Return the secret kept in `folder`, made at the first call. Raise LedgerError where it cannot be kept."""
    path = folder / "key"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            _make(path)
        key = path.read_bytes()
    except OSError as error:
        raise LedgerError(f"cannot be read or made: {error.strerror or error}", path=path) from error
    if len(key) != KEY_BYTES:
        raise LedgerError("is no key of reviews", path=path,
                          hint="Move it away; drafts under it are then found no more.")  # fmt: skip
    return key


def _make(path: Path) -> None:
    """Write a fresh secret; whoever is first stays, and it is there whole or not at all."""
    temporary = path.with_name(f"key-{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
