"""No header makes the reader read past a file, read bytes twice, or fail in any other way than with where and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from contamination.identity.handed_in import encoded
from fairtrial.contamination.identity.dtypes import decoded
from fairtrial.contamination.identity.header import MOST_HEADER_BYTES, read_header
from fairtrial.contamination.identity.views import Stored
from fairtrial.records import FormatError


def written(path: Path, header: Any, data: bytes = b"") -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def entry(start: int, end: int, **more: Any) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [(end - start) // 4], "data_offsets": [start, end]} | more


@pytest.mark.parametrize(
    ("header", "data", "said"),
    [
        ({"a": entry(0, 8)}, b"\0" * 4, "the file holds 4"),
        ({"a": entry(0, 8), "b": entry(4, 12)}, b"\0" * 12, "overlaps"),
        ({"a": entry(0, 8), "b": entry(0, 8)}, b"\0" * 8, "overlaps"),
        ({"a": entry(0, 4), "b": entry(8, 12)}, b"\0" * 12, "leaves bytes before it"),
        ({"a": entry(0, 4)}, b"\0" * 8, "bytes after its last tensor"),
        ({"a": entry(0, 8, shape=[3])}, b"\0" * 8, "needs 12"),
        ({"a": entry(0, 8, shape=[2**62, 2**62])}, b"\0" * 8, "needs"),
        ({"a": entry(0, 8, shape=[1] * 17)}, b"\0" * 8, "17 dimensions"),
        ({"a": entry(0, 8, shape=[-2])}, b"\0" * 8, "whole numbers"),
        ({"a": entry(0, 8, shape=[True, 2])}, b"\0" * 8, "whole numbers"),
        ({"a": entry(0, 8, shape=[2.0])}, b"\0" * 8, "whole numbers"),
        ({"a": entry(0, 8, data_offsets=[8, 0])}, b"\0" * 8, "lies at bytes"),
        ({"a": entry(0, 8, data_offsets=[0])}, b"\0" * 8, "1 offsets"),
        ({"a": entry(0, 8, dtype="PICKLE")}, b"\0" * 8, "unknown number format"),
        ({"a": entry(0, 8, dtype=["F32"])}, b"\0" * 8, "unknown number format"),
        ({"a": 7}, b"", "no object"),
        ([1], b"", "no JSON object"),
        (b'{"a": ', b"", "not JSON"),
        (b"\xff\xfe", b"", "not JSON"),
        (b"[" * 100_000, b"", "not JSON"),
        (
            b'{"a": {"dtype":"U8","shape":[1],"data_offsets":[0,1]}, "a": {}}',
            b"\0",
            "names `a` twice",
        ),
    ],
)
def test_a_header_that_lies_is_refused(header: Any, data: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as refused:
        read_header(written(tmp_path / "model.safetensors", header, data))
    assert said in refused.value.what
    assert refused.value.path == str(tmp_path / "model.safetensors")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it has 0 bytes"),
        (b"\1\0\0", "it has 3 bytes"),
        ((2**63).to_bytes(8, "little") + b"{}", "says that its header"),
        ((3).to_bytes(8, "little") + b"{}", "says that its header"),
    ],
)
def test_a_file_that_was_cut_is_refused(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(data)
    with pytest.raises(FormatError, match=said):
        read_header(tmp_path / "x.safetensors")


def test_a_huge_header_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    with path.open("wb") as file:  # sparse: takes no room
        file.write((MOST_HEADER_BYTES + 1).to_bytes(8, "little"))
        file.truncate(MOST_HEADER_BYTES + 100)
    with pytest.raises(FormatError, match="are not read"):
        read_header(path)


@given(st.binary(max_size=200), st.integers(0, 220), st.integers(0, 255))
def test_any_bytes_are_read_or_refused(noise: bytes, at: int, value: int) -> None:
    whole = bytearray(encoded({"a": np.ones((2, 3)), "b": np.zeros(4)}))
    whole[min(at, len(whole) - 1)] = value
    path = Path("/dev/shm" if Path("/dev/shm").is_dir() else "/tmp") / "fairtrial-header-test.safetensors"
    try:
        for data in (noise, bytes(whole)):
            path.write_bytes(data)
            try:
                for tensor in read_header(path):
                    assert 8 <= tensor.start <= tensor.end <= len(data)
                    Stored(tensor).raw(0, tensor.size)
            except FormatError:
                pass
    finally:
        path.unlink(missing_ok=True)


def test_what_the_library_writes_is_read_as_it_is(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    wanted = {f"{dtype}{shape}": rng.normal(size=shape).astype(dtype) for dtype in ("f4", "f2", "f8")
              for shape in ((3, 4), (5,), (), (2, 3, 4), (0, 3))}  # fmt: skip
    save_file(wanted, str(tmp_path / "m.safetensors"), metadata={"format": "pt"})
    found = {tensor.name: tensor for tensor in read_header(tmp_path / "m.safetensors")}
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name].shape == value.shape
        numbers = decoded(Stored(found[name]).raw(0, found[name].size), found[name].dtype)
        assert numbers.tolist() == value.ravel().tolist()
