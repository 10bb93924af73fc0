"""Attacks: the lean set of ids says the same as a Python set, also where halves of ids are equal."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.ledger import IdSet
from fairtrial.ledger.ids import hex_column, keys_of

# few distinct halves, so that ids with one half in common are the rule and not the exception
_half = st.sampled_from([0, 1, 2, 2**63, 2**64 - 1])
_ids = st.lists(st.builds(lambda high, low: f"{high:016x}{low:016x}", _half, _half), max_size=30)


@given(st.lists(_ids, max_size=6), _ids)
def test_set_agrees_with_a_python_set_over_any_additions(batches: list[list[str]], asked: list[str]) -> None:
    held, expected = IdSet(), set[str]()
    for batch in batches:
        new = held.add_new(keys_of(pa.array(batch, pa.string())))
        for name, is_new in zip(batch, new.tolist(), strict=True):
            assert is_new == (name not in expected)
            expected.add(name)
    assert len(held) == len(expected)
    assert set(held) == expected
    assert [name in held for name in asked] == [name in expected for name in asked]


@given(_ids)
def test_ids_survive_the_way_to_words_and_back(ids: list[str]) -> None:
    assert hex_column(keys_of(pa.array(ids, pa.string()))).to_pylist() == ids


def test_sliced_and_chunked_columns_are_read_where_they_start() -> None:
    ids = [f"{number:032x}" for number in range(10)]
    column = pa.chunked_array([pa.array(ids).slice(2, 3), pa.array(ids).slice(7)])
    assert hex_column(keys_of(column)).to_pylist() == [*ids[2:5], *ids[7:]]


@pytest.mark.parametrize("wrong", ["", "abc", "G" * 32, "A" * 32, "0" * 33, None])
def test_what_is_no_id_is_refused_and_never_held(wrong: str | None) -> None:
    with pytest.raises(ValueError, match="32 hex digits"):
        keys_of(pa.array(["0" * 32, wrong], pa.string()))
    assert wrong not in IdSet(keys_of(pa.array(["0" * 32])))


def test_ids_take_sixteen_bytes_each() -> None:
    words = pa.array([f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}{number:016x}" for number in range(20_000)])
    held = IdSet(keys_of(words))
    assert sum(run.high.nbytes + run.low.nbytes for run in held._runs) == 16 * len(held) == 320_000
