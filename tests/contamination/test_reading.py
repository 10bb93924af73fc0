"""Files of rows: every format by its content, pieces that lose nothing, broken rows told and the rest read.

Not covered: what of a row is text (test_fields).
"""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from fairtrial.contamination.reading import chunks_of, pieces_of
from fairtrial.contamination.reading_lines import blocks_of
from fairtrial.contamination.rows import Row, Unreadable, read_rows
from fairtrial.records import FormatError, InputError

ROWS = [
    {"id": n, "text": "word " * random.Random(n).randint(1, 60), "messages": [{"content": str(n)}]} for n in range(400)
]
PLAIN = b"".join(orjson.dumps(row) + b"\n" for row in ROWS)


def documents(path: Path, piece: int = 1 << 20) -> list[Any]:
    return [each for part in pieces_of([path], piece) for chunk in chunks_of(part) for each in chunk.documents]


@pytest.mark.parametrize("packed", [PLAIN, PLAIN[:-1], gzip.compress(PLAIN), zstandard.compress(PLAIN),
                                    gzip.compress(PLAIN[:9000]) + gzip.compress(PLAIN[9000:]) + b"\0\0",
                                    zstandard.compress(PLAIN[:9000]) + zstandard.compress(PLAIN[9000:])])  # fmt: skip
def test_formats_are_told_by_content_not_by_name(packed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rows.txt"
    path.write_bytes(packed)
    assert documents(path) == ROWS


def test_parquet_with_nested_columns(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    parquet.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=150)
    assert documents(path) == ROWS
    rows = list(read_rows([path]))
    assert [row.line for row in rows] == list(range(1, 401))
    assert isinstance(rows[7], Row)
    assert rows[7].texts[1] == ("messages[0].content", "7")


@given(piece=st.integers(1, 3000), cut=st.integers(1, 200))
def test_pieces_of_any_size_hold_each_line_once(piece: int, cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("pieces") / "rows.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in ROWS[: cut // 8 + 1]))
    assert documents(path, piece) == ROWS[: cut // 8 + 1]


@pytest.mark.parametrize("packed", [gzip.compress(PLAIN), zstandard.compress(PLAIN)])
def test_a_file_that_breaks_off_is_told_after_what_could_be_read(packed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(packed[:-20])
    rows = list(read_rows([path]))
    assert isinstance(rows[-1], Unreadable)
    assert "breaks off" in rows[-1].why
    assert all(isinstance(row, Row) for row in rows[:-1])


def test_a_value_that_python_has_none_for_costs_its_row_alone(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    times = pa.array([0, 10**15, 1], pa.timestamp("ms"))
    parquet.write_table(pa.table({"text": [b"before", b"far", b"after"], "at": times}), path)
    rows = list(read_rows([path]))
    assert [row.text for row in rows if isinstance(row, Row)] == ["before", "after"]
    assert [(row.line, row.why[:14]) for row in rows if isinstance(row, Unreadable)] == [(2, "cannot be read")]


def test_broken_rows_are_told_with_line_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    deep = b'{"a":' + b"[" * 3000 + b"]" * 3000 + b"}"
    lines = [b'\xef\xbb\xbf{"text": "a"}', b"", b"{", b'{"text": "\xff"}', b'{"text": NaN}', b"7", deep,
             b'{"id": "x", "n": 1}', b'"just text"\r']  # fmt: skip
    path.write_bytes(b"\n".join(lines))
    told = [(row.line, row.why) for row in read_rows([path]) if isinstance(row, Unreadable)]
    assert [line for line, _ in told] == [3, 4, 5, 6, 7, 8]
    for (_, why), word in zip(told, ["JSON", "UTF-8", "JSON", "a number", "depth", "no text"], strict=True):
        assert word in why
    assert [row.id for row in read_rows([path]) if isinstance(row, Row)] == ["rows.jsonl:1", "rows.jsonl:9"]


def test_a_line_longer_than_the_bound_is_passed_over_and_the_next_is_read() -> None:
    reads = [b"ab\n" + b"x" * 90, b"y" * 90, b"z\ncd\n" + b"w" * 200]
    blocks = list(blocks_of(reads, longest=150))
    assert [line for block in blocks for line in block.lines] == [b"ab", b"cd"]
    assert sum(bool(block.too_long) for block in blocks) == 2


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_rows([tmp_path / "none.jsonl"]))
    (tmp_path / "half.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(FormatError, match="is none"):
        list(read_rows([tmp_path / "half.parquet"]))
