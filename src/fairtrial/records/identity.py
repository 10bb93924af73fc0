"""Content addresses: the same content has the same id, on every machine, in every process.

An id is the first 128 bits of SHA-256 over canonical JSON (sorted keys, UTF-8), as 32 hex digits. Content
that is stored or certified (tasks, suites, files) carries the full digest as `sha256:` and 64 digits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson

ID_DIGITS = 32


def storable(text: str) -> str:
    """Return `text` with what UTF-8 cannot hold (lone surrogates, of which JSON can write some) as escapes.

    >>> storable("a" + chr(0xD800)) == "a" + chr(92) + "ud800"
    True
    """
    return text.encode("utf-8", "backslashreplace").decode()


def canonical_json(content: Any) -> bytes:
    """Return `content` as JSON bytes that do not depend on key order.

    >>> canonical_json({"b": 1, "a": [1.5, None]})
    b'{"a":[1.5,null],"b":1}'
    """
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS)


def record_id(kind: str, content: Mapping[str, Any]) -> str:
    """Return the 32-digit id of a record of `kind` (name and version, "rollout/1") with this content.

    >>> record_id("rollout/1", {"task": "a"}) == record_id("rollout/1", {"task": "a"})
    True
    """
    return hashlib.sha256(kind.encode() + b"\0" + canonical_json(content)).hexdigest()[:ID_DIGITS]


def digest(data: bytes) -> str:
    """Return the full content address of `data`.

    >>> digest(b"")[:19]
    'sha256:e3b0c44298fc'
    """
    return "sha256:" + hashlib.sha256(data).hexdigest()
