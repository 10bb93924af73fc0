"""Attacks on v0: a reward that is missing or of an error is none, and a scale that goes past 1 is no pass mark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats import recognised
from fairtrial.formats.atif import read_trajectory
from formats.verifiers.lines import read, row, said, written


def run(folder: Path, *rows: Any, **metadata: Any) -> Path:
    file = written(folder / "results.jsonl", *rows)
    (folder / "metadata.json").write_text(json.dumps({"env_id": "sums", "model": "m"} | metadata))
    return file


@pytest.mark.parametrize(
    ("place", "path"), [(".", "5f3a"), ("5f3a", "."), ("5f3a", "results.jsonl"), ("5f3a/in", "..")]
)
def test_a_row_is_the_same_rollout_from_wherever_it_is_read(
    place: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "5f3a", row(), row())
    (tmp_path / "5f3a/in").mkdir()
    monkeypatch.chdir(tmp_path / place)
    assert [one["id"] for one in read(Path(path))[0]] == [one["id"] for one in read(tmp_path)[0]]


def test_a_row_is_read_with_what_stands_beside(tmp_path: Path) -> None:
    file = run(tmp_path / "5f3a", row(7, generation_ms=1500.0), date="2025-09-30 00:47:48", sampling_args={"n": 1})
    (one,), skipped = read(file)
    told = {name: one[name] for name in ("task", "model", "suite", "group", "stop", "answer", "seconds", "recorded_at")}
    assert told == {"task": "sums-7", "model": "m", "suite": "sums", "group": "5f3a", "stop": "finished", "answer": "4",
                    "seconds": 1.5, "recorded_at": "2025-09-30T00:47:48+00:00"}  # fmt: skip
    assert (one["input_tokens"], one["output_tokens"], said(one)) == (10, 3, "passed")
    assert orjson.loads(one["verdict"]["evidence"])["metrics"] == {"right": 1.0}
    assert not skipped
    assert recognised(file) == recognised(tmp_path) == "verifiers"


@pytest.mark.parametrize(
    ("more", "expected", "recorded"),
    [
        ({"reward": None}, "reward_missing", "reward_missing"),
        ({"reward": "1.0"}, "reward_invalid", "reward_invalid"),
        ({"reward": float("nan")}, "reward_invalid", "reward_invalid"),
        ({"reward": 0.0, "error": "ModelError('no answer')"}, "model_error", "failed"),
        ({"reward": 0.0, "error": {"error": "SandboxError", "error_chain_str": "…"}}, "sandbox_error", "failed"),
        ({"reward": 1.0, "error": {"error": 3}}, "error", "passed"),
        ({"reward": 0.0, "completion": []}, "no_completion", "failed"),
        ({"reward": 1.0, "completion": None}, "passed", "passed"),
        ({"reward": 0.0, "completion": [{"role": "assistant", "content": ""}]}, "failed", "failed"),
        ({"reward": -0.1}, "score_out_of_range", "score_out_of_range"),
        ({"reward": 0.5}, "failed", "failed"),
        ({"reward": 1.0 - 1e-12}, "passed", "passed"),
    ],
)
def test_what_was_not_graded_is_ungraded(tmp_path: Path, more: dict[str, Any], expected: str, recorded: str) -> None:
    file = run(tmp_path, row(**more))
    assert said(read(file)[0][0]) == expected
    assert said(read(file, as_recorded=True)[0][0]) == recorded


def test_a_file_that_keeps_no_reply_says_nothing_by_an_empty_one(tmp_path: Path) -> None:
    empty = [row(0, reward=0.0, completion=[]), row(1, reward=0.0, completion=[])]
    assert {said(one) for one in read(run(tmp_path / "a", *empty))[0]} == {"no_completion"}
    earned = [*empty, row(2, reward=1.0, completion=[])]
    assert [said(one) for one in read(run(tmp_path / "b", *earned))[0]] == ["failed", "failed", "passed"]


def test_a_reward_that_is_not_there_is_missing(tmp_path: Path) -> None:
    without = {name: value for name, value in row().items() if name != "reward"}
    rows, skipped = read(run(tmp_path, row(0), without, row(1)))
    assert ([said(one) for one in rows], skipped) == (["passed", "reward_missing", "passed"], [])


def test_a_scale_past_one_has_no_pass_mark(tmp_path: Path) -> None:
    file = run(tmp_path, row(0, reward=0.2, right=0.0), row(1, reward=1.0, right=1.0), row(2, reward=1.2, right=1.0))
    assert {said(one) for one in read(file)[0]} == {"score_scale_unknown"}, "else the best alone would be left out"
    assert {said(one) for one in read(file, as_recorded=True)[0]} == {"score_scale_unknown"}
    chosen = read(file, columns={"score": "right"})[0]
    assert [said(one) for one in chosen] == ["failed", "passed", "passed"]


def test_rollouts_of_one_example_are_numbered_in_order(tmp_path: Path) -> None:
    file = run(tmp_path, *(row(n, reward=float(n == at)) for at in range(3) for n in range(2)))
    rows, _ = read(file)
    assert [(one["task"], one["attempt"]) for one in rows] == [(f"sums-{n}", at) for at in range(3) for n in range(2)]
    assert [one["id"] for one in read(file)[0]] == [one["id"] for one in rows], "imported twice it is the same"


def test_two_runs_of_one_model_stay_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(tmp_path / name, row(0))
    rows, _ = read(tmp_path)
    assert len({one["id"] for one in rows}) == 2


def test_messages_of_every_age_are_read(tmp_path: Path) -> None:
    function = {"name": "add", "arguments": '{"a": 1}'}
    calls = [
        [{"id": "c", "type": "function", "function": function}],
        [json.dumps({"id": "c", "type": "function", "function": function})],
        [json.dumps({"id": "c"} | function)],
    ]
    answer = {"role": "tool", "content": "2", "tool_call_id": "c"}
    rows = [
        row(n, completion=[{"role": "assistant", "content": "", "tool_calls": call}, answer])
        for n, call in enumerate(calls)
    ]
    rows.append(row(3, prompt="2+2=", completion="4"))
    found, skipped = read(run(tmp_path, *rows))
    trajectories = [read_trajectory(one["document"]) for one in found]
    for told in trajectories[:3]:
        (call,) = told.steps[1].tool_calls
        assert (call.function_name, dict(call.arguments), told.steps[1].observations[0].content) == (
            "add",
            {"a": 1},
            "2",
        )
    assert [step.message for step in trajectories[3].steps] == ["2+2=", "4"]
    assert not skipped


def test_the_model_is_asked_for_where_nothing_names_it(tmp_path: Path) -> None:
    file = written(tmp_path / "results.jsonl", row())
    rows, skipped = read(file)
    assert (rows, "--model" in skipped[0][1]) == ([], True)
    assert read(file, model="mine")[0][0]["model"] == "mine"


def test_a_pointer_is_no_file_of_results(tmp_path: Path) -> None:
    written(tmp_path / "a" / "results.jsonl", "version https://git-lfs.github.com/spec/v1", "oid sha256:0", "size 9")
    run(tmp_path / "b", row())
    rows, skipped = read(tmp_path)
    assert (len(rows), len(skipped)) == (1, 1)
    assert "Git LFS" in skipped[0][1]


def test_metadata_that_is_none_is_told(tmp_path: Path) -> None:
    file = run(tmp_path, row())
    (tmp_path / "metadata.json").write_text("{")
    rows, skipped = read(file)
    assert (rows, "metadata.json" in skipped[0][0]) == ([], True)
