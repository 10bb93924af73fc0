"""Attacks: samples are found by their brackets whatever their texts hold, and a cut file is no endless search."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats.inspect.json_file import JsonFile
from fairtrial.records import FormatError
from formats.inspect.written import HEADER, PEAK, bulk_sample

_TEXT = st.text(alphabet='ab"\\[]{},:\n samples', max_size=8)
_ANY = st.recursive(st.none() | st.integers() | _TEXT, lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(_TEXT | st.just("samples"), inner, max_size=3), max_leaves=8)  # fmt: skip
_OBJECTS = st.lists(st.dictionaries(_TEXT, _ANY, max_size=3), max_size=4)


def taken_apart(path: Path) -> tuple[Any, list[Any], int]:
    """Return the header, the samples and the number of what stands between and is none."""
    file = JsonFile(path)
    try:
        layout = file.layout()
        pieces = [json.loads(piece) for piece in file.pieces(layout.samples)]
        return json.loads(file.header(layout)), pieces, len(layout.strays)
    finally:
        file.close()


@given(st.dictionaries(_TEXT, _ANY, max_size=3), _OBJECTS, st.sampled_from([None, 2]))
def test_what_is_taken_apart_is_what_was_put_together(
    tmp_path_factory: pytest.TempPathFactory, around: dict[str, Any], samples: list[Any], indent: int | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.json"
    around.pop("samples", None)
    content = {"first": 1} | around | {"samples": samples, "last": [{"samples": [{"a": 1}]}]}
    path.write_text(json.dumps(content, indent=indent))
    assert taken_apart(path) == (content | {"samples": []}, samples, 0)


def test_what_is_no_object_between_samples_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for middle, strays in (('{"a": 1}, 7, {"a": 2}', 1), ('7, "x", {}', 1), ('{}, "}]"', 1), ("{},{}", 0), (" ", 0)):
        path.write_text(f'{{"samples" : [{middle}]}}')
        assert taken_apart(path)[2] == strays
    path.write_text('{"samples": "[{}]", "x": [{"a": 1}]}')
    assert taken_apart(path)[1] == []


@pytest.mark.parametrize("tail", [b"", b'"', b'"' + b'\\"' * 300_000, b"[" * 300_000, b"]" * 300_000, b'{"a": [{'])
def test_a_cut_file_is_gone_through_once(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"samples": [{"a": 1}, ' + tail)
    begun = time.process_time()
    file = JsonFile(path)
    layout = file.layout()
    with pytest.raises(ValueError):
        orjson.loads(file.header(layout))
    file.close()
    assert time.process_time() - begun < 5


def test_a_file_that_is_empty_or_gone_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    for name in ("empty.json", "gone.json"):
        with pytest.raises(FormatError, match="cannot be read"):
            JsonFile(tmp_path / name)


LONG = (
    PEAK
    + """
import sys
from pathlib import Path
from fairtrial.formats.inspect.json_file import JsonFile
before = peak()
print(len(JsonFile(Path(sys.argv[1])).layout().samples), peak() - before)
"""
)


@pytest.mark.extra
def test_a_long_text_of_many_lines_takes_no_more_memory_than_it_is_long(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"samples": [{"id": 1, "x": "' + b"ab\\n" * 3_000_000 + b'"}]}')
    done = subprocess.run([sys.executable, "-c", LONG, str(path)], capture_output=True, check=True, timeout=100)
    count, kib = map(int, done.stdout.split())
    assert count == 1
    assert kib < 2 * path.stat().st_size // 1024


READ = (
    PEAK
    + """
import sys
from pathlib import Path
from fairtrial.formats import Options, inspect
rows = sum(batch.rollouts.num_rows for batch in inspect.read(Path(sys.argv[1]), Options()))
print(rows, peak())
"""
)


@pytest.mark.extra
def test_a_log_of_json_is_read_in_the_memory_of_a_few_samples(tmp_path: Path) -> None:
    path, tail = tmp_path / "a.json", orjson.dumps(bulk_sample(1))[1:]
    with path.open("wb") as file:
        file.write(orjson.dumps(HEADER)[:-1] + b',"samples":[')
        for number in range(200):
            file.write(b"," * bool(number) + b'{"id":%d,"epoch":1,' % number + tail)
        file.write(b"]}")
    assert path.stat().st_size > 190_000_000
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, check=True, timeout=100)
    rows, kib = map(int, done.stdout.split())
    assert rows == 200
    assert kib < 400_000_000 // 1024
