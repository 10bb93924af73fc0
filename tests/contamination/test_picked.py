"""Picked rows are the rows of `read_rows` with these numbers, whatever stands between them."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.contamination.picked import picked_rows
from fairtrial.contamination.rows import Row, read_rows

texts = st.one_of(st.sampled_from(["", " ", "data:image/png;base64,iVBORw0KGgo=", "plain words"]), st.text(max_size=5))
documents = st.one_of(
    st.fixed_dictionaries({"text": texts, "id": st.sampled_from(["a", "b", "", 7, None])}),
    st.fixed_dictionaries({"messages": st.lists(st.fixed_dictionaries({"role": texts, "content": texts}), max_size=2)}),
    st.sampled_from([None, 7, [], {}, "a text", ["one", "two"]]),
)
lines = st.lists(st.one_of(documents.map(json.dumps), st.sampled_from(["", "not json", "{"])), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.tuples(lines, lines), st.sets(st.integers(0, 12)))
def test_picked_rows_are_those_of_a_full_reading(
    tmp_path: Path, found: tuple[list[str], ...], numbers: set[int]
) -> None:
    paths = []
    for number, each in enumerate(found):
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_text("\n".join(each), encoding="utf-8")
    rows = [row for row in read_rows(paths) if isinstance(row, Row)]
    assert list(picked_rows(paths, numbers)) == [(n, row) for n, row in enumerate(rows) if n in numbers]
