"""What counts as the same value, and what lies at a path."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks import CheckError
from fairtrial.checks.state.json_path import places, steps
from fairtrial.checks.state.values import ANY, cell, difference, same, wanted

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_a_value_is_itself(value: Any) -> None:
    assert same(value, value)
    assert difference(value, value) == ""


@given(JSON, JSON)
def test_a_difference_is_told_exactly_where_there_is_one(one: Any, other: Any) -> None:
    assert bool(difference(one, other)) is not same(one, other)
    assert same(one, other) is same(other, one)


@pytest.mark.parametrize(
    ("found", "stated", "holds"),
    [
        (1, 1.0, True), (1, True, False), (True, True, True), (0, False, False), ("1", 1, False), (None, 0, False),
        (None, None, True), (b"a", "a", False), (10**400, 1e400, False), (Decimal("0.10"), 0.1, False),
        (Decimal("0.5"), 0.5, True), ([1, [2]], [1, [2.0]], True), ([1, 2], [2, 1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ("2026-01-02", datetime.date(2026, 1, 2), True), ("x", ANY, True), (float("nan"), float("nan"), False),
        ([], {}, False), ("", [], False),
    ],
)  # fmt: skip
def test_types_count_and_numbers_are_numbers(found: Any, stated: Any, holds: bool) -> None:
    assert same(found, stated) is holds


def test_a_tolerance_is_absolute_and_inclusive_of_huge_numbers() -> None:
    assert same(100.4, 100, 0.5)
    assert not same(100.6, 100, 0.5)
    assert not same(10**400, 1, 0.5)


@pytest.mark.parametrize("stated", [{"null": False}, {"blob": "zz"}, {"blob": 1}, {"colour": 1}, {}])
def test_a_cell_that_means_nothing_says_nothing_of_the_work(stated: Any) -> None:
    with pytest.raises(CheckError):
        cell(stated)


def test_what_is_expected_is_stated_once() -> None:
    assert wanted(None, "null") is None
    for equals, text in ((None, ""), (1, "1"), (None, "{")):
        with pytest.raises(CheckError):
            wanted(equals, text)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$", []), ("", []), ("a.b", ["a", "b"]), ("$.a[0][-1]", ["a", 0, -1]), ("$['a.b']", ["a.b"]),
        ("a-b.c_d", ["a-b", "c_d"]),
        ('$["a\\"b"].c', ['a"b', "c"]), ("[0].a", [0, "a"]), ("$.ä", ["ä"]),
    ],
)  # fmt: skip
def test_paths_are_read(path: str, expected: list[Any]) -> None:
    assert steps(path) == expected


@pytest.mark.parametrize("path", ["$..a", "$.a[?(@.b)]", "$[0:2]", "$.a,b c", "$.", "a..b", "$[", "$['a", "$[1.5]"])
def test_what_is_not_read_of_jsonpath_is_refused(path: str) -> None:
    with pytest.raises(CheckError):
        steps(path)


def test_places_that_are_not_there_are_none() -> None:
    document = {"a": [1, {"b": None}], "0": "zero"}
    assert places(document, "$.a[5]") == []
    assert places(document, "$.a.b") == []
    assert places(document, "$.a[1].b") == [(("a", 1, "b"), None)]
    assert places(document, "$.0") == [(("0",), "zero")]
    assert places(document, "$.a.1.b") == [(("a", 1, "b"), None)]
    assert places(document, "$.a[-3]") == []
    assert places("text", "$.a") == []
