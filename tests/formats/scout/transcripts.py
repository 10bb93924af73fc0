"""Scout's transcripts for tests: a Parquet file of the rows that are handed in, and what is read of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.formats import Options, Skipped, scout
from fairtrial.formats.scout.columns import SCOUT
from fairtrial.records import digest

SAID = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "2+2", "source": "input"},
    {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "Easy."}, {"type": "text", "text": "I look."}],
     "tool_calls": [{"id": "c1", "function": "bash", "arguments": {"command": "bc"}, "type": "function"}]},
    {"role": "tool", "content": "4", "tool_call_id": "c1", "function": "bash"},
    {"role": "assistant", "content": "4"},
]  # fmt: skip


def transcript(**columns: Any) -> dict[str, Any]:
    """Return a row; messages may be given as they are."""
    row = {"transcript_id": "t", "task_id": "sum", "model": "m", "messages": SAID} | columns
    messages = row["messages"]
    return row | {"messages": messages if messages is None or isinstance(messages, str) else json.dumps(messages)}


def written(path: Path, *rows: dict[str, Any], groups: int = 1) -> Path:
    """Write rows as Scout does, its own columns typed as it types them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: pa.array([row.get(name) for row in rows], SCOUT.get(name)) for name in names}
    pq.write_table(pa.table(columns), path, row_group_size=max(1, len(rows) // groups))
    return path


def read(path: Path, **options: Any) -> tuple[list[dict[str, Any]], list[Skipped], dict[str, bytes]]:
    """Return each rollout with its verdict, what was skipped, and the blobs by address."""
    rows: list[dict[str, Any]] = []
    skipped: list[Skipped] = []
    blobs: dict[str, bytes] = {}
    for batch in scout.read(path, Options(**options)):
        verdicts = {row["rollout"]: row for row in batch.verdicts.to_pylist()}
        rows += [row | {"verdict": verdicts.get(row["id"])} for row in batch.rollouts.to_pylist()]
        skipped += batch.skipped
        blobs |= {digest(blob): blob for blob in batch.blobs}
    return rows, skipped, blobs
