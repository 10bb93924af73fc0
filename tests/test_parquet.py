"""Parquet whose bytes are no text, or no date that Python has, is told as such wherever Parquet is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairtrial.contamination.rows import Unreadable
from fairtrial.contamination.rows import read_rows as scanned
from fairtrial.formats import scout, table
from fairtrial.formats.batch import Options
from fairtrial.formats.exports.files import read_parquet
from fairtrial.posttrain.judging.found_rows import NotRead, rows_in
from fairtrial.records import FormatError
from fairtrial.train.recipe.rows import read_rows as learned

COLUMNS = {"task": ["one task", "two"], "transcript_id": ["a", "b"], "model": ["m", "m"], "passed": [True, False],
           "prompt": ["p", "p"], "completion": ["c", "c"]}  # fmt: skip
LYING = {
    "a text": (b"one task", b"one \xff\xfesk"),
    "a name": (b"completion", b"comp\xff\xfetion"),
    "another name": (b"model", b"mo\xff\xfel"),
}
READERS: dict[str, Callable[[Path], Iterable[Any]]] = {
    "table": lambda path: table.read(path, Options()),
    "scout": lambda path: scout.read(path, Options()),
    "export": read_parquet,
    "training": lambda path: learned(path, "sft"),
    "scan": lambda path: scanned([path]),
    "judge": rows_in,
}


def told(reader: str, path: Path) -> str:
    """Return what a reader says of what it could not read."""
    try:
        found = list(READERS[reader](path))
    except FormatError as error:
        return str(error)
    return "; ".join(one.why for one in found if isinstance(one, Unreadable | NotRead))


@pytest.mark.parametrize(
    ("reader", "lie"), [(reader, lie) for reader in READERS for lie in LYING if (reader, lie) != ("scout", "a text")]
)
def test_bytes_that_are_no_text_are_told(tmp_path: Path, lie: str, reader: str) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(COLUMNS), path, compression="none", use_dictionary=False, store_schema=False)
    path.write_bytes(path.read_bytes().replace(*LYING[lie]))
    assert told(reader, path)


@pytest.mark.parametrize("reader", ["export", "training", "scan", "judge"])
def test_a_date_that_python_has_not_is_told(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "rows.parquet"
    far = pa.array([316_516_204_800_000, 0], pa.timestamp("ms"))
    pq.write_table(pa.table(COLUMNS | {"at": far}), path)
    assert "out of range" in told(reader, path)


@pytest.mark.parametrize("name", ["recorded_at", "task", "checks"])
def test_a_table_says_which_column_holds_such_a_date(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rows.parquet"
    far = pa.array([316_516_204_800_000, 0], pa.timestamp("ms"))
    held = pa.StructArray.from_arrays([far], ["at"]) if name == "checks" else far
    pq.write_table(pa.table(COLUMNS | {name: held}), path)
    assert f"`{name}`: cannot be read: date value out of range" in told("table", path)
