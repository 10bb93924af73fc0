"""`table`: one rollout a row, in JSONL, CSV or Parquet; a folder of them is read file by file.

Columns `task, model, passed` are needed; `passed` null is ungraded, with `ungraded_reason` or `unknown`. A score that
is NaN or outside [0, 1] is ungraded(score_out_of_range). Where no row has `attempt`, attempts are numbered in the order
of the file within task, model and what else tells policies apart. Rows of wrong type are skipped with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from fairtrial.formats.batch import Batch, Options, Skipped
from fairtrial.formats.checks import convert_checks
from fairtrial.formats.fields import FIELDS, TYPES, Column, convert
from fairtrial.formats.identity import rollout_ids, verdict_ids
from fairtrial.formats.table_files import Chunk, Named, chunks
from fairtrial.ledger import TABLES
from fairtrial.records import FormatError

SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".csv", ".tsv", ".csv.gz", ".parquet", ".pq")
_POLICY = ("suite", "task", "model", "agent", "effort", "settings", "environment", "step")
"""Attempts are numbered within these."""


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the rows of the table file at `path`, or of every table file of a folder."""
    files = table_files(path)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    numbering = _Numbering()
    given = frozenset({"model"} if options.model else ())
    for position, file in enumerate(files):
        for chunk in _readable(file, chunks(Named(file, options.columns, given))):
            batch = _batch(file, chunk, options, numbering, now)
            done = None if chunk.done is None else (position + chunk.done) / len(files)
            yield Batch(batch.rollouts, batch.verdicts, batch.skipped, done=done)


def _readable(file: Path, found: Iterator[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks; what the system refuses is an error that names the file."""
    try:
        yield from found
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=file) from error


def table_files(path: Path) -> list[Path]:
    """Return the table files at `path`: itself, or those of the folder, sorted."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.name.endswith(SUFFIXES) and file.is_file())
    if not files:
        raise FormatError(f"the folder has no table files ({', '.join(SUFFIXES)})", path=path)
    return files


def _batch(file: Path, chunk: Chunk, options: Options, numbering: _Numbering, now: str) -> Batch:
    """Convert one chunk: types, then what the fields mean together, then ids."""
    count = len(chunk.numbers)
    columns = {field: convert(field, values) for field, values in chunk.columns.items() if field != "checks"}
    columns["checks"] = convert_checks(chunk.columns.get("checks"), count)
    _fill(columns, "model", options.model, count)
    _fill(columns, "suite", options.suite, count)
    wrong = _wrong(columns, count)
    numbering.number(columns, wrong, count)
    kept = np.ones(count, dtype=np.bool_)
    kept[list(wrong)] = False
    skipped = [*chunk.skipped]
    skipped += [Skipped(f"{file}{chunk.separator}{chunk.numbers[at]}", why) for at, why in sorted(wrong.items())]
    values = {field: column.values for field, column in columns.items()}
    if wrong:
        values = {field: array.filter(pa.array(kept)) for field, array in values.items()}
    rollouts = _rollouts(values, int(kept.sum()), str(file))
    return Batch(rollouts, _verdicts(values, rollouts.column("id"), now), skipped)


def _fill(columns: dict[str, Column], field: str, value: str, count: int) -> None:
    """Put `value` where the rows say nothing of `field`."""
    if not value:
        return
    if field not in columns:
        columns[field] = Column(pa.array([value] * count, pa.string()), {})
        return
    found = columns[field].values
    silent = pc.equal(pc.fill_null(found, ""), "")
    columns[field] = Column(pc.if_else(silent, value, found), columns[field].wrong)


def _wrong(columns: dict[str, Column], count: int) -> dict[int, str]:
    """Return position -> reason of every row that cannot be taken; the first reason counts."""
    wrong: dict[int, str] = {}
    for field in FIELDS:
        for position, why in columns[field].wrong.items() if field in columns else ():
            wrong.setdefault(position, why)
    for field in ("task", "model"):
        values = columns[field].values if field in columns else pa.nulls(count, pa.string())
        missing = pc.equal(pc.fill_null(values, ""), "").to_numpy(zero_copy_only=False)
        for position in np.flatnonzero(missing).tolist():
            wrong.setdefault(position, f"`{field}` is missing")
    return wrong


class _Numbering:
    """Numbers attempts in the order read, where the file does not; a file that numbers some rows must number all."""

    def __init__(self) -> None:
        self._given: bool | None = None
        self._seen: Counter[tuple[str, ...]] = Counter()

    def number(self, columns: dict[str, Column], wrong: dict[int, str], count: int) -> None:
        """Fill the attempt of every row not wrong, or add the row to `wrong`."""
        found = columns["attempt"].values if "attempt" in columns else pa.nulls(count, pa.int64())
        if self._given is None and count:
            self._given = found.null_count < count
        if found.null_count == (0 if self._given else count) and self._given:
            return
        stated = pc.is_valid(found).to_numpy(zero_copy_only=False)
        for position in np.flatnonzero(stated != self._given).tolist():
            wrong.setdefault(position, "`attempt` is given in some rows only; give it in all rows, or in none")
        if not self._given:
            columns["attempt"] = Column(pa.array(self._numbers(columns, wrong, count), pa.int64()), {})

    def _numbers(self, columns: dict[str, Column], wrong: dict[int, str], count: int) -> npt.NDArray[np.int64]:
        numbers = np.zeros(count, dtype=np.int64)
        policy = [columns[field].values.to_pylist() for field in _POLICY if field in columns]
        names = tuple(field for field in _POLICY if field in columns)
        for position, values in enumerate(zip(*policy, strict=True)):
            if position not in wrong:
                key = tuple(f"{name}={value or ''}" for name, value in zip(names, values, strict=True) if value)
                numbers[position] = self._seen[key]
                self._seen[key] += 1
        return numbers


def _rollouts(values: dict[str, pa.Array], count: int, source: str) -> pa.Table:
    """Return the rollouts table; a name that is not given is empty, other fields are null."""
    columns: dict[str, pa.Array] = {"origin": pa.repeat("policy", count), "source": pa.repeat(source, count)}
    schema = TABLES["rollouts"]
    for field in schema:
        if field.name not in columns:
            columns[field.name] = _column(values, field, count)
    table = pa.table({field.name: columns[field.name] for field in schema}, schema=schema)
    return table.set_column(0, "id", rollout_ids(table))


def _column(values: dict[str, pa.Array], field: pa.Field, count: int) -> pa.Array:
    nullable = FIELDS.get(field.name, "name") not in ("name", "time")
    if field.name not in values:
        return pa.nulls(count, field.type) if nullable else pa.repeat("", count)
    return values[field.name] if nullable else pc.fill_null(values[field.name], "")


def _verdicts(values: dict[str, pa.Array], rollouts: pa.ChunkedArray, now: str) -> pa.Table:
    """Return the verdicts table: passed, failed, or ungraded with its reason."""
    count = len(rollouts)
    passed = values.get("passed", pa.nulls(count, pa.bool_()))
    reason = pc.fill_null(values.get("ungraded_reason", pa.nulls(count, pa.string())), "")
    score = values.get("score", pa.nulls(count, pa.float64()))
    inside = pc.fill_null(pc.and_(pc.greater_equal(score, 0.0), pc.less_equal(score, 1.0)), True)
    unstated = pc.if_else(pc.equal(reason, ""), "unknown", reason)
    why = pc.if_else(pc.is_null(passed), unstated, pc.if_else(inside, reason, "score_out_of_range"))
    graded = pc.equal(why, "")
    outcome = pc.if_else(graded, pc.if_else(pc.fill_null(passed, False), "passed", "failed"), "ungraded")
    told = pc.fill_null(values["recorded_at"], now) if "recorded_at" in values else pa.repeat(now, count)
    made = {
        "rollout": rollouts, "outcome": outcome, "reason": why,
        "score": pc.add(pc.if_else(graded, score, None), 0.0),  # -0.0 + 0.0 is 0.0: one id for one score
        "expected": values.get("key", pa.nulls(count, TYPES["text"])),
        "checks": values["checks"], "recorded_at": pc.if_else(pc.equal(told, ""), now, told),
    }  # fmt: skip
    schema = TABLES["verdicts"]
    for field in schema:
        if field.name not in made:
            made[field.name] = (
                pa.nulls(count, field.type) if field.name in ("seconds",) else _column(values, field, count)
            )
    table = pa.table({field.name: made[field.name] for field in schema}, schema=schema)
    return table.set_column(0, "id", verdict_ids(table))
