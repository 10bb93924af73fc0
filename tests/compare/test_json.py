"""JSON values are the same by value and exactly; what is no strict JSON, or is given twice and differs, is no value."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.compare import Stated, equivalent
from fairtrial.compare.bags import Sorter

A = '{"a":1}'
CASES = [
    ("1", "1.0", True), ("1", "true", False), ("null", "0", False), ("0", "-0", True), ("1e2", "100", True),
    ("0.3", "0.30000000000000004", False), ("[1e400]", "[1e401]", False), ("[1e400]", "[10e399]", True),
    ("9007199254740993", "9007199254740992", False), (A, '{"a":1,"b":null}', False), (A, '{"a":"1"}', False),
    (A, "{'a':1}", False), (A, '{"a":1,}', False), (A, '{"a":1', False), (A, '{"a":1,"a":1}', False),
    (A, '{"a":NaN}', False), (A, '{"a": True}', False), (A, 'Sure! {"a": 1} is it.', True),
    (A, '[1] says {"a":1}', True), (A, '{"a":2}\nCorrection: {"a":1}', True), (A, '{"a":2} {"a":1}', False),
    (A, '{"a":1} {"a":1.0}', True), (A, '```python\nx={"a":2}\n```\n```json\n{"a":1}\n```', True),
    (A, '```json\n{"a":1}', True), (A, '```json\n{"a":1,\n```', False), (A, '\ufeff{"a":1}', True),
    (A, '```json\n{"a":1}\n```\nor\n```json\n{"a":2}\n```', False), (A, '{"data":{"a":1}, "x":', False),
    (A, '"{\\"a\\":1}"', False), (A, 'Use {curly} [brackets] {"a":1} [see {x}]', True), (A, "", False),
    ('"\\u00e9"', '"é"', True), ('"é"', '"e\u0301"', False), ('"a"', '"A"', False), ('"a "', '"a"', False),
    ('{"s":"```"}', '{"s": "```"}', True), ("[]", "[ ]", True), ("[]", "{}", False), ("[1,2]", "[1,2,3]", False),
    ("[1,2]", "[2,1]", False), ("5", "The answer is 5.", True), ("5", "The answer is 6.", False),
    ('{"a":{"b":[1,{"c":null}]}}', '{ "a" : { "b" : [ 1, { "c" : null } ] } }', True),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer", "same"), CASES)
def test_values_are_the_same_or_a_reason_is_given(reference: str, answer: str, same: bool) -> None:
    found = equivalent(reference, answer, "json")
    assert found.equivalent is same, found.reason
    assert found.reason


def test_the_place_of_a_difference_is_named() -> None:
    assert equivalent('{"a":[{"b":1}]}', '{"a":[{"b":2}]}', "json").reason == "$.a[0].b is 2, expected 1"


def test_deep_nesting_is_a_reason_and_no_crash() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert not equivalent("[]", deep, "json").equivalent
    assert equivalent(deep, deep + "\n", "json").equivalent
    nested = "[" * 900 + "]" * 900
    assert equivalent(nested, nested.replace("[", "[ "), "json").equivalent


def test_arrays_are_bags_where_order_is_stated_not_to_count() -> None:
    loose = Stated(ordered=False)
    assert equivalent("[1,2,[3,4]]", "[[4,3],2,1]", "json", loose).equivalent
    assert not equivalent("[1,2,2]", "[1,1,2]", "json", loose).equivalent
    near = Stated(ordered=False, absolute=0.001)
    assert equivalent('[1,{"x":[1.0,2]}]', '[{"x":[2.0001,1]},1]', "json", near).equivalent


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON, st.randoms())
def test_a_value_is_itself_in_any_layout_and_order_of_keys(value: Any, chance: Any) -> None:
    def turned(one: Any) -> Any:
        if isinstance(one, dict):
            return {key: turned(one[key]) for key in chance.sample(list(one), len(one))}
        return [turned(item) for item in one] if isinstance(one, list) else one

    assert equivalent(json.dumps(value), json.dumps(turned(value), indent=1, ensure_ascii=False), "json").equivalent


@given(JSON, JSON)
def test_two_values_are_the_same_as_python_finds_them_bar_its_bools(one: Any, other: Any) -> None:
    def typed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: typed(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [typed(inner) for inner in value]
        return (
            ("bool", value) if isinstance(value, bool) else Decimal(repr(value)) if isinstance(value, float) else value
        )

    assert equivalent(json.dumps(one), json.dumps(other), "json").equivalent is (typed(one) == typed(other))


@given(st.lists(JSON), st.randoms(), st.booleans())
def test_a_shuffled_bag_sorts_to_the_same_array(items: list[Any], chance: Any, by_rank: bool) -> None:
    sorter = Sorter(by_rank=by_rank)
    assert sorter.sorted(items) == sorter.sorted(chance.sample(items, len(items)))
