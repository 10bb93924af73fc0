"""Attacks on the reader of Scout's transcripts: what was not scored is no fail, and a bad row costs itself alone."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats import Options, recognised, scout
from fairtrial.formats.atif import read_trajectory
from fairtrial.formats.scout.columns import MARK, VERSION
from fairtrial.formats.scout.verdicts import graded
from fairtrial.records import FormatError, InputError
from formats.scout.transcripts import SAID, read, transcript, written

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"success": True}, "passed"),
        ({"success": False}, "failed"),
        ({"success": True, "score": "0.4"}, "passed 0.4"),
        ({"success": True, "score": "0.5", "source_type": "eval_log"}, "failed 0.5"),
        ({"success": True, "score": "P", "source_type": "eval_log"}, "failed 0.5"),
        ({"score": "C"}, "passed 1.0"),
        ({"score": "I"}, "failed 0.0"),
        ({"score": "0.25"}, "failed 0.25"),
        ({"score": "nan", "success": False}, "unscored"),
        ({"score": "NaN"}, "unscored"),
        ({"success": False, "source_type": "eval_log"}, "unscored"),
        ({"success": True, "score": '{"a": 1}', "source_type": "eval_log"}, "passed"),
        ({"success": False, "score": '{"a": 1, "b": 0}', "source_type": "eval_log"}, "failed"),
        ({"success": True, "score": "7", "source_type": "eval_log"}, "score_out_of_range"),
        ({"success": False, "score": "-1", "source_type": "eval_log"}, "score_out_of_range"),
        ({"success": False, "score": "good", "source_type": "eval_log"}, "score_not_a_number"),
        ({"success": True, "score": "7"}, "passed"),
        ({"score": "7"}, "score_out_of_range"),
        ({"score": '{"a": 1, "b": 0}'}, "several_values"),
        ({"score": "good"}, "score_not_a_number"),
        ({"success": False, "error": "TimeoutError('x')"}, "timeout_error"),
        ({"success": True, "score": "1.0", "error": "it broke"}, "it_broke"),
        ({"success": False, "limit": "token"}, "failed"),
        ({"success": True, "limit": "operator"}, "operator"),
        ({"error": "it broke"}, "it_broke"),
        ({"error": ""}, "not graded"),
        ({}, "not graded"),
    ],
)
def test_what_was_not_scored_is_ungraded_and_a_score_is_what_it_says(
    row: dict[str, Any], said: str, tmp_path: Path
) -> None:
    ((found,), skipped, _) = read(written(tmp_path / "a.parquet", transcript(**row)))
    verdict = found["verdict"]
    assert not skipped
    if verdict is None:
        assert said == "not graded"
    elif verdict["outcome"] == "ungraded":
        assert (verdict["reason"], verdict["score"]) == (said, None)
    else:
        assert " ".join(str(one) for one in (verdict["outcome"], verdict["score"]) if one is not None) == said


@given(st.one_of(st.none(), st.booleans()), st.one_of(st.none(), st.floats().map(repr), st.text(max_size=4)),
       st.sampled_from(["", "boom"]), st.sampled_from(["eval_log", "other"]))  # fmt: skip
def test_no_score_outside_its_range_and_no_grade_beside_an_error(
    success: bool | None, score: str | None, error: str, source: str
) -> None:
    said = graded({"success": success, "score": score, "error": error, "source_type": source}, False)
    if said is not None:
        assert said.score is None or 0 <= said.score <= 1
        assert bool(said.reason) == (said.outcome == "ungraded")
        assert not error or said.outcome == "ungraded"


def test_a_transcript_is_a_rollout_with_its_steps(tmp_path: Path) -> None:
    more = {"source_type": "eval_log", "task_set": "sums", "task_repeat": 2, "agent": "react", "total_time": 7.5,
            "date": "2026-01-01T00:00:00+00:00", "model_options": '{"reasoning_effort": "high"}', "target": "4",
            "sample_metadata": '{"family": "sum", "domain": 3}', "score": "C", "working_time": 5.0}  # fmt: skip
    ((row,), _, blobs) = read(written(tmp_path / "a.parquet", transcript(**more)))
    expected = {"suite": "sums", "task": "sum", "model": "m", "agent": "react", "attempt": 2, "effort": "high",
                "family": "sum", "domain": "3", "seconds": 5.0, "steps": 2, "label": "t",
                "recorded_at": "2026-01-01T00:00:00+00:00"}  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    assert (row["verdict"]["expected"], row["verdict"]["grader"]) == ("4", "scout")
    told = read_trajectory(blobs[row["trajectory"]])
    assert [step.source for step in told.steps] == ["system", "user", "agent", "agent"]
    assert (told.steps[2].reasoning, told.steps[2].message) == ("Easy.", "I look.")
    assert told.steps[2].observations[0].content == "4"
    assert told.steps[2].tool_calls[0].arguments == {"command": "bc"}


def test_an_image_is_taken_into_the_ledger(tmp_path: Path) -> None:
    shot = {"type": "image", "image": "data:image/png;base64," + base64.b64encode(PIXEL).decode()}
    messages = [{"role": "user", "content": [{"type": "text", "text": "Look."}, shot]}, SAID[-1]]
    ((row,), skipped, blobs) = read(written(tmp_path / "a.parquet", transcript(messages=messages)))
    assert not skipped
    (picture,) = read_trajectory(blobs[row["trajectory"]]).steps[0].pictures
    assert blobs[picture.path] == PIXEL


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ("[", "is not JSON"),
        ('{"a": 1}', "is not a list"),
        ('[{"role": "ghost", "content": ""}]', "is of role"),
        ("[3]", "is no message"),
        ('[{"role": "user", "content": "\\ud800"}]', "is not JSON"),
    ],
)
def test_messages_that_are_none_cost_the_trajectory_and_not_the_verdict(
    messages: str, why: str, tmp_path: Path
) -> None:
    rows = [transcript(messages=messages, success=True), transcript(transcript_id="u", success=False)]
    found, skipped, _ = read(written(tmp_path / "a.parquet", *rows))
    assert [(row["verdict"]["outcome"], bool(row["trajectory"])) for row in found] == [
        ("passed", False),
        ("failed", True),
    ]
    (skip,) = skipped
    assert "a.parquet row 1" in skip.where
    assert why in skip.why


def test_a_row_without_id_or_model_is_skipped_with_its_place(tmp_path: Path) -> None:
    rows = [transcript(), transcript(transcript_id=None), transcript(model=None), transcript(model=None, agent="react")]
    path = written(tmp_path / "a.parquet", *rows)
    found, skipped, _ = read(path)
    assert [row["model"] for row in found] == ["m", "react"]
    assert [skip.where.partition("a.parquet ")[2] for skip in skipped] == [
        "row 2, field `transcript_id`", "row 3, field `model`"]  # fmt: skip
    assert [row["model"] for row in read(path, model="named")[0]] == ["m", "named", "named"]


def test_attempts_are_told_by_the_transcripts_id_where_they_are_not_said_and_tasks_by_their_prompt(
    tmp_path: Path,
) -> None:
    rows = [transcript(transcript_id=str(n), task_id=None, messages=[SAID[1], {**SAID[4], "content": str(n)}])
            for n in range(3)]  # fmt: skip
    rows.append(transcript(transcript_id="9", task_id=None, messages=None))
    found, _, _ = read(written(tmp_path / "a.parquet", *rows))
    assert len({row["attempt"] for row in found}) == 4
    assert len({row["task"] for row in found[:3]}) == 1
    assert found[0]["task"].startswith("prompt-")
    assert found[3]["task"] == "9", "nothing was asked that could name it"


def test_a_transcript_is_the_same_rollout_in_whatever_order_files_are_read_and_counts_once(tmp_path: Path) -> None:
    rows = [transcript(transcript_id=str(n), messages=None, success=True) for n in range(3)]
    written(tmp_path / "db/b.parquet", *rows)
    before = {row["id"] for row in read(tmp_path / "db")[0]}
    written(tmp_path / "db/a.parquet", transcript(transcript_id="new", messages=None, success=True), rows[0])
    after = [row["id"] for row in read(tmp_path / "db")[0]]
    assert len(before) == 3
    assert before < set(after)
    assert (len(after), len(set(after))) == (5, 4), "one is in both files"


def test_two_logs_of_one_task_are_two_rollouts_without_messages_too(tmp_path: Path) -> None:
    rows = [transcript(source_type="eval_log", source_id=log, task_repeat=1, messages=None, score=score)
            for log, score in (("a", "C"), ("b", "I"))]  # fmt: skip
    found, _, _ = read(written(tmp_path / "a.parquet", *rows))
    assert len({row["id"] for row in found}) == 2
    assert [row["group"] for row in found] == ["a", "b"]


@pytest.mark.parametrize(("column", "value"), [
    ("outcome", "Passed"), ("outcome", "ungraded yes"), ("reason", "slow"), ("verdict_score", 7.0),
    ("verdict_score", float("nan")), ("checks", '{"a": "maybe"}'), ("checks", '{"a": {}}'), ("attempt", "x"),
    ("origin", "king"), ("answer", b"x"), ("suite", ["a"]), ("seconds", float("inf")),
])  # fmt: skip
def test_what_somebody_wrote_into_a_file_of_ours_is_no_record(column: str, value: Any, tmp_path: Path) -> None:
    row = {"transcript_id": "t", "task_id": "t", "model": "m", MARK: VERSION, "outcome": "passed"}
    pq.write_table(pa.Table.from_pylist([row | {column: value}]), tmp_path / "a.parquet")
    found, (skip,), _ = read(tmp_path / "a.parquet")
    assert not found
    assert f"`{'outcome' if column == 'reason' else column}`" in skip.where


def test_other_tables_in_a_folder_are_skipped_and_hide_no_transcripts(tmp_path: Path) -> None:
    pq.write_table(pa.table({"task": ["a"]}), tmp_path / "a.parquet")
    (tmp_path / "c.parquet").write_bytes(b"PAR1 and no more")
    written(tmp_path / "b.parquet", transcript(), transcript(transcript_id="u"))
    assert recognised(tmp_path) == "scout"
    found, skipped, _ = read(tmp_path)
    assert [row["label"] for row in found] == ["t", "u"]
    assert [skip.where.rpartition("/")[2].partition(",")[0] for skip in skipped] == ["a.parquet", "c.parquet"]


def test_scouts_index_is_no_transcript_and_a_folder_is_read_whole(tmp_path: Path) -> None:
    for name in ("b/2.parquet", "a.parquet", "_index/x.parquet"):
        written(tmp_path / name, transcript(transcript_id=name))
    assert recognised(tmp_path) == "scout"
    assert [row["label"] for row in read(tmp_path)[0]] == ["a.parquet", "b/2.parquet"]


def test_only_what_has_transcripts_is_taken_for_scouts(tmp_path: Path) -> None:
    pq.write_table(pa.table({"task": ["a"], "model": ["m"], "passed": [True]}), tmp_path / "table.parquet")
    assert recognised(tmp_path / "table.parquet") == "table"
    with pytest.raises(FormatError, match="transcript_id"):
        read(tmp_path / "table.parquet")
    (tmp_path / "torn.parquet").write_bytes(b"PAR1 and no more")
    assert not scout.looks_like(tmp_path / "torn.parquet")
    with pytest.raises(FormatError, match="Parquet"):
        read(tmp_path / "torn.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no Parquet"):
        read(tmp_path / "empty")


def test_other_names_of_columns_are_refused_and_not_ignored(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", transcript())
    with pytest.raises(InputError, match="does not apply"):
        list(scout.read(path, Options(columns={"task": "task_id"})))


def test_a_damaged_page_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", *(transcript(transcript_id=str(n)) for n in range(400)), groups=4)
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 200] = b"\xff" * 200
    path.write_bytes(bytes(data))
    with pytest.raises(FormatError, match=r"cannot be read|not a Parquet"):
        read(path)


def test_a_score_recorded_beside_an_error_counts_only_if_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", transcript(success=False, score="0.0", error="boom"))
    told = [read(path, as_recorded=flag)[0][0]["verdict"] for flag in (False, True)]
    assert [one["outcome"] for one in told] == ["ungraded", "failed"]
    assert told[0]["grader"] != told[1]["grader"]
    assert json.loads(told[0]["evidence"])["error"] == "boom"
