"""Attacks on the writers: ungraded is null, nothing is lost on the way back, and records are told apart."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.viewers import VIEWERS, Shown, Told
from fairtrial.formats.viewers.messages import messages_of
from fairtrial.records import Rollout
from formats.scout.transcripts import read
from formats.viewers.shows import DATA, everything, shown, with_steps


def written(name: str, folder: Path, rollouts: list[Shown] | None = None) -> Told:
    folder.mkdir(exist_ok=True)
    return VIEWERS[name].write(iter(everything() if rollouts is None else rollouts), folder)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_messages_name_the_places_that_citations_name() -> None:
    told = messages_of(with_steps())
    assert [(one["role"], one["metadata"]["place"]) for one in told] == [
        ("system", "step 1 message"), ("user", "step 2 message"), ("assistant", "step 3"), ("tool", "step 3 output 1"),
        ("tool", "step 3 output 2"), ("assistant", "step 4"), ("assistant", "step 5"),
    ]  # fmt: skip
    said = told[2]
    assert said["content"] == [{"type": "reasoning", "reasoning": "Easy."}, {"type": "text", "text": "I look."}]
    assert said["tool_calls"] == [{"id": "c", "function": "bash", "arguments": {"command": "bc"}, "type": "function"}]
    assert (told[3]["tool_call_id"], told[3]["function"]) == ("c", "bash")
    assert told[5]["metadata"]["is_copied"]
    assert told[6]["metadata"]["llm_calls"] == 0
    assert len({one["id"] for one in told}) == len(told)


def test_calls_without_ids_are_answered_and_what_answers_none_is_the_users() -> None:
    calls = tuple(ToolCall(tool_call_id="", function_name=name) for name in ("a", "b"))
    seen = (Observation(content="x"), Observation(content="y", source_call_id="gone"))
    one, both = (Trajectory(agent="a", steps=(AtifStep(source="agent", tool_calls=made, observations=seen),))
                 for made in (calls[:1], calls))  # fmt: skip
    told = messages_of(shown(trajectory=one))
    assert [each.get("tool_call_id") for each in told[1:]] == [told[0]["tool_calls"][0]["id"]] * 2
    told = messages_of(shown(trajectory=both))
    assert [each["role"] for each in told] == ["assistant", "user", "user"]
    assert len({call["id"] for call in told[0]["tool_calls"]}) == 2


def test_a_line_stands_where_a_picture_was_and_they_are_counted(tmp_path: Path) -> None:
    picture = Picture(media_type="image/png", path="sha256:x", at=6)
    step = AtifStep(source="user", message="before\nafter", pictures=(picture,))
    one = shown(trajectory=Trajectory(agent="a", steps=(step,)))
    assert messages_of(one)[0]["content"].split("\n")[0::2] == ["before", "after"]
    assert written("docent", tmp_path, [one]).counts["pictures"] == 1


def test_scouts_transcripts_are_read_back_as_the_same_rollouts(tmp_path: Path) -> None:
    told = written("scout", tmp_path)
    rows, skipped, blobs = read(tmp_path)
    assert not skipped
    assert told.written == len(rows) == 4
    for row, one in zip(rows, everything(), strict=True):
        assert row["id"] == one.id
        mine = {name: getattr(one.rollout, name) for name in Rollout.__dataclass_fields__ if name in row}
        assert {name: row[name] for name in mine} == mine | {"source": row["source"]}
        verdict = row["verdict"]
        assert (verdict["outcome"], verdict["reason"], verdict["score"], verdict["grader"]) == (
            one.outcome, one.reason, one.score, one.grader)  # fmt: skip
        assert {check["name"]: check["status"] for check in verdict["checks"]} == one.checks
    assert set(blobs.values()) == {DATA}


def test_without_the_trajectories_beside_it_the_steps_come_from_the_messages(tmp_path: Path) -> None:
    written("scout", tmp_path)
    (tmp_path / "trajectories.pq").unlink()
    rows, _, blobs = read(tmp_path)
    assert [bool(row["trajectory"]) for row in rows] == [True, False, False, True]
    assert rows[0]["id"] != everything()[0].id
    assert b"I look." in blobs[rows[0]["trajectory"]]


def test_a_trajectory_that_is_not_what_its_address_says_is_not_believed(tmp_path: Path) -> None:
    written("scout", tmp_path)
    table = pq.read_table(tmp_path / "trajectories.pq")
    forged = [row | {"document": b'{"schema_version": "ATIF-v1.8"}'} for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist(forged, schema=table.schema), tmp_path / "trajectories.pq")
    rows, skipped, blobs = read(tmp_path)
    assert ["not what its address says" in skip.why for skip in skipped] == [True, True]
    assert all(b"I look." in blobs[row["trajectory"]] for row in rows if row["trajectory"])


def test_ungraded_is_null_for_scout_and_docent_and_has_no_record_for_inspect(tmp_path: Path) -> None:
    for name in VIEWERS:
        written(name, tmp_path / name)
    rows = pq.read_table(tmp_path / "scout" / "transcripts.parquet").to_pylist()
    late = next(row for row in rows if row["task_id"] == "late")
    assert (late["success"], late["score"], late["outcome"], late["limit"]) == (None, None, "ungraded", "time")
    runs = lines(tmp_path / "docent" / "agent_runs.jsonl")
    scores = next(run["metadata"]["scores"] for run in runs if run["metadata"]["task"] == "late")
    assert set(scores.values()) == {None}
    records = [record for file in (tmp_path / "inspect").rglob("*.jsonl") for record in lines(file)]
    assert Counter(record["id"] for record in records) == {"sum": 5}, "three verdicts, two of a person's"


def test_each_run_has_files_of_its_own_and_a_record_is_there_once(tmp_path: Path) -> None:
    rollouts = everything()
    rollouts.insert(1, with_steps(attempt=0, answer="5"))
    told = written("inspect", tmp_path, rollouts)
    assert (told.left_out["same_task_and_attempt"], told.left_out["nothing_said"]) == (1, 1)
    assert told.written == 3
    assert len(list(tmp_path.iterdir())) == 2
    for file in told.files:
        keys = [(record["id"], record["epoch"]) for record in lines(file.path)]
        assert len(set(keys)) == len(keys) == file.rows


@pytest.mark.parametrize(("first", "epoch"), [(0, 5), (1, 4)])
def test_epochs_are_counted_from_one(first: int, epoch: int, tmp_path: Path) -> None:
    written("inspect", tmp_path, [replace(with_steps(attempt=4), first_attempt=first)])
    (path, *_) = tmp_path.rglob("verdicts.jsonl")
    assert lines(path)[0]["epoch"] == epoch


def test_the_greatest_attempt_has_an_epoch_that_a_column_holds(tmp_path: Path) -> None:
    told = written("scout", tmp_path, [shown(Rollout(task="t", model="m", attempt=2**63 - 1))])
    assert told.written == 1
    assert pq.read_table(tmp_path / "transcripts.parquet").column("attempt").to_pylist() == [2**63 - 1]


def test_reviews_and_citations_stand_in_every_form(tmp_path: Path) -> None:
    for name in VIEWERS:
        written(name, tmp_path / name)
    row = pq.read_table(tmp_path / "scout" / "transcripts.parquet").to_pylist()[0]
    run = lines(tmp_path / "docent" / "agent_runs.jsonl")[0]
    (path, *_) = (tmp_path / "inspect").rglob("people.jsonl")
    score = next(record for record in lines(path) if record["epoch"] == 1)
    cited = [{"place": "step 3 output 1", "step": 3, "quote": "4"}, {"place": "answer", "step": None, "quote": ""}]
    for reviews in (json.loads(row["reviews"]), run["metadata"]["reviews"], score["metadata"]["reviews"]):
        assert reviews[0]["citations"] == cited
    assert (row["hack"], row["satisfied_person"], row["lead_count"]) == (True, False, 1)
    assert run["metadata"]["scores"] == {"passed": False, "score": 0.25, "satisfied_person": False,
                                         "satisfied_judge": None, "hack": True}  # fmt: skip
    assert (score["value"], score["metadata"]["outcome"]) == ("I", "failed")


def test_writers_hold_no_more_than_a_few_rollouts_at_once(tmp_path: Path) -> None:
    alive = 0

    class Held(Trajectory):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def many() -> Iterator[Shown]:
        nonlocal alive
        for number in range(60):
            alive += 1
            long = Held(agent="a", steps=(AtifStep(source="agent", message="x" * 1000),))
            yield replace(shown(Rollout(task="sum", model="m", attempt=number)), trajectory=long)
            assert alive < 5

    for name in VIEWERS:
        (tmp_path / name).mkdir()
        VIEWERS[name].write(many(), tmp_path / name)
