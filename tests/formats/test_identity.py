"""Attacks: ids of columns are the ids of the record classes, over any content, slice and chunking."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.formats.identity import rollout_ids, verdict_ids
from fairtrial.ledger import rows_of
from fairtrial.records import CheckResult, Rollout, Verdict

_text = st.one_of(
    st.text(max_size=12), st.sampled_from(["", "plain", 'quo"te', "back\\slash", "tab\t", "\x7f", "é\U0001f600"])
)
_number = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))
_rollouts = st.builds(
    Rollout, task=_text, model=_text, attempt=st.integers(0, 2**40), suite=_text, agent=_text, effort=_text,
    settings=_text, environment=_text, seed=_number, step=_number, group=_text,
    origin=st.sampled_from(["policy", "known"]), trajectory=_text, answer=st.one_of(st.none(), _text),
    cost_usd=st.one_of(st.none(), st.floats(allow_nan=False)), recorded_at=_text,
)  # fmt: skip
_checks = st.lists(
    st.builds(CheckResult, _text, st.sampled_from(["passed", "failed", "skipped", "broken"]), _text), max_size=3
)
_verdicts = st.builds(
    Verdict, rollout=st.sampled_from(["0" * 32, "f" * 32]), outcome=st.sampled_from(["passed", "failed", "ungraded"]),
    reason=_text, score=st.one_of(st.none(), st.floats(0, 1)), grader=_text, expected=st.one_of(st.none(), _text),
    checks=_checks.map(tuple), evidence=_text,
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(_rollouts, min_size=1, max_size=20), st.integers(0, 19))
def test_rollout_ids_are_those_of_the_records(rollouts: list[Rollout], cut: int) -> None:
    table = rows_of("rollouts", [rollout.row() for rollout in rollouts])
    expected = [rollout.id for rollout in rollouts]
    assert rollout_ids(table).to_pylist() == expected
    chunked = pa.concat_tables([table.slice(0, cut), table.slice(cut)])
    assert rollout_ids(chunked).to_pylist() == expected
    assert rollout_ids(table.slice(cut)).to_pylist() == expected[cut:]


@settings(max_examples=25, deadline=None)
@given(st.lists(_verdicts, min_size=1, max_size=20), st.integers(0, 19))
def test_verdict_ids_are_those_of_the_records(verdicts: list[Verdict], cut: int) -> None:
    verdicts = [replace(v, score=None if v.score is None else v.score + 0.0) for v in verdicts]
    table = rows_of("verdicts", [verdict.row() for verdict in verdicts])
    expected = [verdict.id for verdict in verdicts]
    assert verdict_ids(table).to_pylist() == expected
    assert verdict_ids(table.slice(cut)).to_pylist() == expected[cut:]


def test_no_rows_have_no_ids() -> None:
    assert rollout_ids(rows_of("rollouts", [])).to_pylist() == []
    assert verdict_ids(rows_of("verdicts", [])).to_pylist() == []
