"""Reviews and samples from files: what is wrong is named with its line, and nothing is guessed or half read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audit.estimating.auditing import unit

from fairtrial.audit.estimating.matching import Roster
from fairtrial.audit.estimating.reviews_file import read_reviews
from fairtrial.audit.estimating.sample_file import read_sample
from fairtrial.audit.sampling import Unit
from fairtrial.records import FairtrialError, FormatError, InputError

UNITS = [unit(task, attempt, model="m") for task in range(3) for attempt in range(2)]
ROSTER = Roster.of([*UNITS, Unit(rollout="deep", task="0", model="m", attempt=0, effort="high", suite="s")])
GOOD: dict[str, Any] = {"task": "1", "model": "m", "attempt": 0, "satisfied": True, "reviewer": "ada"}


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "reviews.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def test_a_full_row_is_read_as_it_stands(tmp_path: Path) -> None:
    row = GOOD | {"kind": "judge", "stage": "informed", "label": "false_pass", "hack": False, "note": "n", "other": 1,
                  "failure_tags": ["wrong_logic"], "behaviour_tags": ["looped"], "citations": ["[step 1] x"],
                  "recorded_at": "2026-01-01", "void": ""}  # fmt: skip
    (found,) = read_reviews(written(tmp_path, row, ""), ROSTER)
    assert (found.rollout, found.reviewer, found.kind, found.stage, found.label) == (
        "m-1-0", "ada", "judge", "informed", "false_pass")  # fmt: skip
    assert (found.satisfied, found.hack, found.failure_tags, found.citations) == (
        True, False, ("wrong_logic",), ("[step 1] x",))  # fmt: skip


def test_a_task_that_is_a_number_and_a_missing_attempt_are_understood(tmp_path: Path) -> None:
    row = {"task": 1, "model": "m", "satisfied": None, "reviewer": "ada"}
    (found,) = read_reviews(written(tmp_path, row), ROSTER)
    assert (found.rollout, found.satisfied) == ("m-1-0", None)


def test_later_lines_come_after_earlier_ones(tmp_path: Path) -> None:
    rows = [GOOD | {"satisfied": bool(i % 2)} for i in range(12)]
    found = read_reviews(written(tmp_path, *rows), ROSTER)
    assert [one.recorded_at for one in found] == sorted(one.recorded_at for one in found)


@pytest.mark.parametrize(("row", "field"), [
    (GOOD | {"satisfied": "yes"}, "satisfied"), (GOOD | {"satisfied": 1}, "satisfied"),
    ({k: v for k, v in GOOD.items() if k != "satisfied"}, "satisfied"), (GOOD | {"reviewer": " "}, "reviewer"),
    (GOOD | {"reviewer": None}, "reviewer"), (GOOD | {"attempt": "0"}, "attempt"),
    (GOOD | {"attempt": True}, "attempt"),
    (GOOD | {"kind": "human"}, "kind"), (GOOD | {"stage": "late"}, "stage"), (GOOD | {"label": "pass"}, "label"),
    (GOOD | {"hack": "no"}, "hack"), (GOOD | {"failure_tags": "wrong_logic"}, "failure_tags"),
    (GOOD | {"citations": [1]}, "citations"), (GOOD | {"note": 3}, "note"), (GOOD | {"model": None}, "model"),
    ({k: v for k, v in GOOD.items() if k != "task"}, "task"), (GOOD | {"rollout": 5}, "rollout"),
])  # fmt: skip
def test_a_wrong_field_is_named_with_its_line(tmp_path: Path, row: dict[str, Any], field: str) -> None:
    with pytest.raises(FormatError) as raised:
        read_reviews(written(tmp_path, GOOD, "", row), ROSTER)
    assert (raised.value.line, raised.value.field) == (3, field)


@pytest.mark.parametrize("text", ['{"task": ', "[]", "3", "nul", "{} {}"])
def test_a_line_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError) as raised:
        read_reviews(written(tmp_path, GOOD, text), ROSTER)
    assert raised.value.line == 2


def test_rollouts_that_are_not_there_are_named(tmp_path: Path) -> None:
    rows = [GOOD | {"task": f"t{i}"} for i in range(5)]
    with pytest.raises(InputError, match=r"line 2: task t0, model m, attempt 0.*and 2 more"):
        read_reviews(written(tmp_path, GOOD, *rows), ROSTER)


def test_a_row_that_means_several_rollouts_asks_for_what_tells_them_apart(tmp_path: Path) -> None:
    row = GOOD | {"task": "0"}
    with pytest.raises(FormatError, match="are 2 rollouts") as raised:
        read_reviews(written(tmp_path, row), ROSTER)
    assert "`suite`, `effort`" in (raised.value.hint or "")
    for apart, rollout in (({"effort": "high"}, "deep"), ({"suite": ""}, "m-0-0"), ({"model": "m@high"}, "deep")):
        assert read_reviews(written(tmp_path, row | apart), ROSTER)[0].rollout == rollout
    assert read_reviews(written(tmp_path, GOOD | {"rollout": "deep"}), ROSTER)[0].rollout == "deep"


def test_an_empty_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no review"):
        read_reviews(written(tmp_path), ROSTER)
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InputError, match="cannot be read"):
            read_reviews(path, ROSTER)


@settings(max_examples=80)
@given(st.binary(max_size=60) | st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5),
       lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
           st.sampled_from(["task", "model", "attempt", "satisfied", "reviewer", "rows", "strata", "schema"]), inner,
           max_size=5), max_leaves=12).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_no_bytes_bring_down_the_readers(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(data)
    for reader in (read_reviews, read_sample):
        with pytest.raises(FairtrialError):
            reader(path, ROSTER)


SAMPLE: dict[str, Any] = {
    "schema": "fairtrial.sample/1", "seed": 5, "id": "abc", "by": ["verdict"],
    "rows": [{"rollout": "m-1-0", "task": "1", "model": "m", "attempt": 0, "stratum": "p", "probability": 0.5,
              "readers": 2, "reader_probability": 0.25}, {"task": "2", "model": "m", "attempt": 1, "stratum": "p",
              "probability": 0.5}],
    "strata": {"p": {"population": 4, "sampled": 2}},
}  # fmt: skip


def sampled(folder: Path, document: Any) -> Path:
    path = folder / "sample.json"
    path.write_text(json.dumps(document))
    return path


def test_a_sample_is_read_with_its_probabilities(tmp_path: Path) -> None:
    found = read_sample(sampled(tmp_path, SAMPLE), ROSTER)
    assert [(row.rollout, row.probability, row.readers, row.reader_probability) for row in found.rows] == [
        ("m-1-0", 0.5, 2, 0.25), ("m-2-1", 0.5, 0, 0.0)]  # fmt: skip
    assert (found.seed, found.name, found.strata[0].population) == (5, "abc", 4)


def changed(**row: Any) -> dict[str, Any]:
    return SAMPLE | {"rows": [SAMPLE["rows"][0] | row]}


@pytest.mark.parametrize(("document", "words"), [
    ([], "no fairtrial.sample/1"), (SAMPLE | {"schema": "fairtrial.sample/2"}, "does not read"),
    (SAMPLE | {"rows": None}, "no list"), (SAMPLE | {"rows": []}, "no rollout was drawn"),
    (SAMPLE | {"rows": [3]}, "no JSON object"), (SAMPLE | {"strata": {}}, "no object"),
    (SAMPLE | {"strata": {"p": {"population": 1, "sampled": 2}}}, "samples 2 of 1"),
    (SAMPLE | {"strata": {"p": {"population": 1.5, "sampled": 1}}}, "no `population`"),
    (changed(probability=0), "no probability"), (changed(probability=1.2), "no probability"),
    (changed(probability="x"), "no probability"), (changed(stratum="q"), "none of `strata`"),
    (changed(rollout="gone"), "no such rollout"), (changed(readers=-1), "no count"),
    (changed(readers=1, reader_probability=0), "no probability"),
    (SAMPLE | {"rows": [SAMPLE["rows"][0]] * 2}, "again"),
])  # fmt: skip
def test_a_sample_that_is_wrong_is_refused_with_its_place(tmp_path: Path, document: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_sample(sampled(tmp_path, document), ROSTER)
