"""Ids of whole columns at once: the same canonical JSON and SHA-256 as the record classes, 1 microsecond a row.

`records` says what is in an id; this builds the same bytes for a batch by joining the JSON text of each column, so an
imported row has the id that its record would have (a test compares them).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from fairtrial.ledger.ids import hex_column, keys_from_bytes
from fairtrial.records import Rollout, Verdict

_KEY_BYTES = 16


def rollout_ids(rows: pa.Table) -> pa.Array:
    """Return the id of every row of a rollouts table (its `id` column is not read)."""
    parts = {name: _json_text(rows.column(name)) for name in Rollout.IDENTITY}
    return _hashed(Rollout.KIND, parts, rows.num_rows)


def verdict_ids(rows: pa.Table) -> pa.Array:
    """Return the id of every row of a verdicts table (its `id` column is not read)."""
    parts = {name: _json_text(rows.column(name)) for name in Verdict.IDENTITY}
    parts["checks"] = _checks_text(rows.column("checks"))
    return _hashed(Verdict.KIND, parts, rows.num_rows)


Text: TypeAlias = "pa.Array | str"
"""JSON text of a column: one a row, or one for all rows."""


def _hashed(kind: str, parts: dict[str, Text], count: int) -> pa.Array:
    """Join `{"a":…,"b":…}` in sorted key order and hash each row."""
    if count == 0:
        return pa.array([], pa.string())
    pieces: list[Text] = [kind + "\0{"]
    for position, name in enumerate(sorted(parts)):
        pieces += [f'{"," if position else ""}"{name}":', parts[name]]
    pieces.append("}")
    joined = _joined(pieces, count)
    _, offsets, data = joined.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[joined.offset : joined.offset + count + 1].tolist()
    view, fresh = memoryview(data), hashlib.sha256().copy  # a copy costs a quarter less than looking SHA-256 up anew
    digests = []
    for low, high in pairwise(bounds):
        hashing = fresh()
        hashing.update(view[low:high])
        digests.append(hashing.digest())
    words = np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(count, -1)[:, :_KEY_BYTES]
    return hex_column(keys_from_bytes(words.tobytes()))


def _joined(pieces: Sequence[Text], count: int) -> pa.Array:
    """Concatenate columns and constants; neighbouring constants are merged first."""
    merged: list[Text] = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        else:
            merged.append(piece)
    if len(merged) == 1:
        return pa.array([merged[0]] * count, pa.large_string())
    arguments = [pa.scalar(p, pa.large_string()) if isinstance(p, str) else p for p in merged]
    return pc.binary_join_element_wise(*arguments, pa.scalar("", pa.large_string()))


def _json_text(column: pa.ChunkedArray) -> Text:
    """Return each value as JSON: quoted as it is where nothing needs escaping, else every distinct value once."""
    values = _array(column)
    if values.null_count == len(values):
        return "null"
    if pa.types.is_integer(values.type):
        return pc.fill_null(pc.cast(values, pa.large_string()), "null")
    if pa.types.is_string(values.type) and values.null_count == 0 and _is_plain(values):
        if pc.all(pc.equal(values, values[0])).as_py():
            return f'"{values[0].as_py()}"'
        quote = pa.scalar('"', pa.large_string())
        return pc.binary_join_element_wise(
            quote, pc.cast(values, pa.large_string()), quote, pa.scalar("", pa.large_string())
        )
    encoded = values.dictionary_encode()
    texts = [orjson.dumps(value).decode() for value in encoded.dictionary.to_pylist()]
    return pc.fill_null(pc.take(pa.array(texts, pa.large_string()), encoded.indices), "null")


def _is_plain(values: pa.Array) -> bool:
    """Say whether JSON writes every value as it is: no control character, quote or backslash."""
    _, offsets_buffer, data = values.buffers()
    if data is None:
        return True
    offsets = np.frombuffer(offsets_buffer, dtype=np.int32)
    found = np.frombuffer(data, dtype=np.uint8)[offsets[values.offset] : offsets[values.offset + len(values)]]
    return len(found) == 0 or bool(found.min() >= 32 and not ((found == 34) | (found == 92)).any())


def _checks_text(column: pa.ChunkedArray) -> Text:
    """Return `[[name,status],…]` of every row's checks."""
    checks = _array(column)
    if len(checks.flatten()) == 0:
        return "[]"
    texts = [orjson.dumps([[c["name"], c["status"]] for c in row or ()]).decode() for row in checks.to_pylist()]
    return pa.array(texts, pa.large_string())


def _array(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 0:
        return pa.array([], column.type)
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
