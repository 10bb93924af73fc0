"""Inspect Scout's transcripts: one Parquet file that Scout opens, and beside it the trajectories as they were.

Verdict, reviews and leads are metadata columns, which Scout shows and filters by; `score` and `success` are null where
the rollout is ungraded. Messages cannot say all that a trajectory does, so `trajectories.pq` keeps each as the ledger
has it, and a reader of both gets the same rollouts back. Row groups are written as they fill.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.formats.scout.columns import MARK, ROLLOUT, SCHEMA, TRAJECTORIES, TRANSCRIPTS, VERSION
from fairtrial.formats.viewers.messages import messages_of, pictures_in
from fairtrial.formats.viewers.shown import Shown, Told, WrittenFile, in_words, said_of
from fairtrial.formats.viewers.writing import writing

_ROWS, _BYTES = 500, 8_000_000
"""A row group is written at so many rows, or so much text."""
_LIMITS = {"turn_limit": "turn", "agent_timeout": "time", "time_limit": "time", "token_limit": "token",
           "message_limit": "message", "cost_limit": "cost", "context_limit": "context"}  # fmt: skip
_TRAJECTORIES = pa.schema([("transcript_id", pa.large_string()), ("document", pa.large_binary())])


class ScoutViewer:
    """Writes transcripts."""

    name = "scout"

    def write(self, rollouts: Iterable[Shown], folder: Path) -> Told:
        """Write `transcripts.parquet`, and `trajectories.pq` where any rollout has one."""
        told = Told()
        with ExitStack() as stack:
            transcripts = _Rows(folder / TRANSCRIPTS, SCHEMA, stack)
            trajectories = _Rows(folder / TRAJECTORIES, _TRAJECTORIES, stack)
            transcripts.open()
            for shown in rollouts:
                messages = messages_of(shown)
                text = orjson.dumps(messages).decode()
                transcripts.put(_row(shown, text, len(messages)), len(text))
                if shown.document:
                    row = {"transcript_id": shown.id, "document": shown.document}
                    trajectories.put(row, len(shown.document))
                told.written += 1
                told.counts["pictures"] += pictures_in(shown.trajectory)
            transcripts.flush()
            trajectories.flush()
        told.files.append(WrittenFile(transcripts.path, transcripts.count, "transcripts that Scout opens"))
        if trajectories.count:
            told.files.append(WrittenFile(trajectories.path, trajectories.count, "trajectories, for the way back"))
        return told


class _Rows:
    """One Parquet file, written by row groups."""

    def __init__(self, path: Path, schema: pa.Schema, stack: ExitStack) -> None:
        self.path, self.schema, self.stack = path, schema, stack
        self.count, self._bytes = 0, 0
        self._held: list[dict[str, Any]] = []
        self._writer: pq.ParquetWriter | None = None

    def open(self) -> pq.ParquetWriter:
        """Return the writer; the file is made at first use."""
        if self._writer is None:
            with writing(self.path):
                self._writer = self.stack.enter_context(pq.ParquetWriter(self.path, self.schema, compression="zstd"))
        return self._writer

    def put(self, row: dict[str, Any], size: int) -> None:
        """Add a row of about `size` bytes."""
        self._held.append(row)
        self._bytes += size
        self.count += 1
        if len(self._held) >= _ROWS or self._bytes >= _BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what is held as a row group."""
        if self._held:
            with writing(self.path):
                self.open().write_table(pa.Table.from_pylist(self._held, schema=self.schema))
        self._held, self._bytes = [], 0


def _row(shown: Shown, messages: str, count: int) -> dict[str, Any]:
    of = shown.rollout
    said = said_of(shown)
    tokens = [amount for amount in (of.input_tokens, of.output_tokens) if amount is not None]
    return {
        "transcript_id": shown.id, "source_type": "fairtrial", "source_id": of.suite or None,
        "date": of.recorded_at or None, "task_set": of.suite or None, "task_id": of.task, "task_repeat": shown.epoch,
        "agent": of.agent or None, "model": of.model,
        "model_options": orjson.dumps({"reasoning_effort": of.effort}).decode() if of.effort else None,
        "score": None if shown.score is None else repr(float(shown.score)), "score_explanation": in_words(shown),
        "success": shown.passed, "message_count": count, "total_time": of.seconds,
        "total_tokens": sum(tokens) if tokens else None, "limit": _LIMITS.get(of.stop), "messages": messages,
        "events": "[]", MARK: VERSION, **{name: getattr(of, name) for name in ROLLOUT},
        **{name: _cell(value) for name, value in said.items() if name != "score"},
        "verdict_score": shown.score, "lead_count": len(shown.leads),
    }  # fmt: skip


def _cell(value: Any) -> Any:
    return orjson.dumps(value).decode() if isinstance(value, list | dict) else value
