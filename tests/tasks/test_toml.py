"""Every key of a TOML file is placed on its own line."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.tasks.toml import Place, places

TEXT = '''# a comment = 1
top = """
not = "a key"
"""
list = [
  1, # [inner]
  { a = "]" },
]
[table]
a.b = 'x # y'
"quoted.key" = { z = 1, y = [2] }

[table.sub]
c = 2025-01-01
[[row]]
name = "one"
[row.inner]
d = \'\'\'
[[row]]
\'\'\'
[[row]]
name = "two"
[[row.cell]]
v = "\\\\"
[[row.cell]]
v = "\\""
'''


def test_keys_are_placed_in_tables_and_rows() -> None:
    found = places(TEXT)
    expected: dict[Place, int] = {
        ("top",): 2,
        ("list",): 5,
        ("table", "a", "b"): 10,
        ("table", "quoted.key"): 11,
        ("table", "sub", "c"): 14,
        ("row", 0, "name"): 16,
        ("row", 0, "inner", "d"): 18,
        ("row", 1, "name"): 22,
        ("row", 1, "cell", 0, "v"): 24,
        ("row", 1, "cell", 1, "v"): 26,
    }
    assert {place: found[place] for place in expected} == expected
    assert ("not",) not in found


VALUE = st.one_of(
    st.integers(),
    st.text(alphabet="ab#[]{}=\"'", max_size=6).map(lambda text: text.replace("\\", "")),
    st.lists(st.integers(), max_size=3),
)
TABLE = st.dictionaries(st.text(alphabet="abc", min_size=1, max_size=3), VALUE, max_size=4)


def written(value: Any) -> str:
    return '"' + value.replace('"', '\\"') + '"' if isinstance(value, str) else str(value)


@given(st.lists(TABLE, max_size=4))
def test_generated_rows_are_placed_where_they_were_written(rows: list[dict[str, Any]]) -> None:
    lines: list[str] = []
    expected: dict[Place, int] = {}
    for index, row in enumerate(rows):
        lines.append("[[row]]")
        expected[("row", index)] = len(lines)
        for key, value in row.items():
            lines.append(f"{key} = {written(value)}")
            expected[("row", index, key)] = len(lines)
    text = "\n".join(lines)
    assert tomllib.loads(text) == ({"row": rows} if rows else {})
    found = places(text)
    assert {place: found[place] for place in expected} == expected


@pytest.mark.parametrize("text", ["", "# only\n", "\n\n"])
def test_a_file_without_keys_has_no_places(text: str) -> None:
    assert places(text) == {}
