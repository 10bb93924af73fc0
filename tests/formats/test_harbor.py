"""Attacks: a trial that broke is ungraded, whatever reward it left; steps are counted; odd folders are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats import Options, harbor
from fairtrial.formats.atif import read_trajectory
from fairtrial.records import FormatError, digest

ATIF = {
    "schema_version": "ATIF-v1.8",
    "agent": {"name": "loop", "version": "1", "model_name": "m"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Do."},
        {"step_id": 2, "source": "agent", "message": "Done.", "metrics": {"prompt_tokens": 11, "completion_tokens": 4}},
    ],
}


def trial(folder: Path, rewards: Any = None, exception: str = "", **more: Any) -> Path:
    """Write a trial folder; the result holds the fields that Harbor 0.26 writes and that are read."""
    folder.mkdir(parents=True)
    result = {
        "id": f"id-{folder.name}",
        "task_name": "fix-bug",
        "trial_name": folder.name,
        "source": "suite-a",
        "task_checksum": "c0ffee",
        "config": {"agent": {"kwargs": {"reasoning_effort": "high"}}},
        "agent_info": {"name": "loop", "version": "1", "model_info": {"name": "m-1", "provider": "lab"}},
        "agent_result": {"n_input_tokens": 100, "n_output_tokens": 20, "cost_usd": 0.5},
        "verifier_result": None if rewards is None else {"rewards": rewards},
        "exception_info": {"exception_type": exception} if exception else None,
        "started_at": "2026-01-01T00:00:00Z",
        "finished_at": "2026-01-01T00:02:00Z",
        "agent_execution": {"started_at": "2026-01-01T00:00:10Z", "finished_at": "2026-01-01T00:01:10Z"},
        "step_results": None,
    } | more
    (folder / "config.json").write_text("{}")
    (folder / "result.json").write_text(json.dumps(result))
    return folder


def read(path: Path, **options: Any) -> tuple[list[dict[str, Any]], list[tuple[str, str]], list[bytes]]:
    rows, skipped, blobs = [], [], []
    for batch in harbor.read(path, Options(**options)):
        verdicts = {v["rollout"]: v for v in batch.verdicts.to_pylist()}
        rows += [r | {"verdict": verdicts[r["id"]]} for r in batch.rollouts.to_pylist()]
        skipped += [(skip.where, skip.why) for skip in batch.skipped]
        blobs += batch.blobs
    return rows, skipped, blobs


def said(row: dict[str, Any]) -> tuple[str, str, float | None]:
    return row["verdict"]["outcome"], row["verdict"]["reason"], row["verdict"]["score"]


@pytest.mark.parametrize(
    ("rewards", "exception", "expected"),
    [
        ({"reward": 1.0}, "", ("passed", "", 1.0)),
        ({"reward": 1}, "", ("passed", "", 1.0)),
        ({"reward": 0.999}, "", ("failed", "", 0.999)),
        ({"score": 1.0}, "", ("passed", "", 1.0)),
        ({"reward": 0.0, "speed": 1.0}, "", ("failed", "", 0.0)),
        ({"reward": 1e6}, "", ("ungraded", "score_out_of_range", None)),
        ({"reward": -0.5}, "", ("ungraded", "score_out_of_range", None)),
        ({"reward": True}, "", ("ungraded", "reward_invalid", None)),
        ({"reward": "1"}, "", ("ungraded", "reward_invalid", None)),
        ({"a": 1.0, "b": 0.0}, "", ("ungraded", "reward_missing", None)),
        ({}, "", ("ungraded", "reward_missing", None)),
        (None, "", ("ungraded", "reward_missing", None)),
        (None, "VerifierTimeoutError", ("ungraded", "grader_timeout", None)),
        (None, "AgentTimeoutError", ("ungraded", "reward_missing", None)),
        ({"reward": 0.0}, "AgentTimeoutError", ("failed", "", 0.0)),
        ({"reward": 1.0}, "AgentTimeoutError", ("passed", "", 1.0)),
        ({"reward": 0.0}, "ApiRateLimitError", ("ungraded", "api_rate_limit", None)),
        ({"reward": 0.0}, "SomethingNobodyKnows", ("ungraded", "something_nobody_knows", None)),
    ],
)
def test_a_reward_counts_only_if_nothing_broke(tmp_path: Path, rewards: Any, exception: str, expected: Any) -> None:
    (row,), skipped, _ = read(trial(tmp_path / "fix-bug__a", rewards, exception))
    assert (said(row), skipped) == (expected, [])


def test_what_harbor_calls_invalid_is_ungraded_and_what_it_recorded_can_be_kept(tmp_path: Path) -> None:
    trial(tmp_path / "j" / "t__a", {"reward": 1.0}, reward_valid=False)
    trial(tmp_path / "j" / "t__b", {"reward": 0.0}, "ApiRateLimitError", reward_valid=False)
    assert [said(row)[:2] for row in read(tmp_path)[0]] == [
        ("ungraded", "reward_invalid"),
        ("ungraded", "api_rate_limit"),
    ]
    assert orjson.loads(read(tmp_path)[0][0]["verdict"]["evidence"])["as_recorded"] == 1.0
    recorded = read(tmp_path, as_recorded=True)[0]
    assert [said(row) for row in recorded] == [("passed", "", 1.0), ("failed", "", 0.0)]
    assert recorded[0]["verdict"]["grader"] != read(tmp_path)[0][0]["verdict"]["grader"]


def test_a_trial_reads_with_its_settings_tokens_and_time(tmp_path: Path) -> None:
    (row,), _, _ = read(trial(tmp_path / "fix-bug__a", {"reward": 1.0}, "AgentTimeoutError"))
    names = (
        "task",
        "model",
        "agent",
        "effort",
        "suite",
        "task_hash",
        "stop",
        "origin",
        "label",
        "input_tokens",
        "output_tokens",
        "cost_usd",
        "seconds",
    )
    assert tuple(row[name] for name in names) == (
        "fix-bug",
        "lab/m-1",
        "loop",
        "high",
        "suite-a",
        "c0ffee",
        "agent_timeout",
        "policy",
        "fix-bug__a",
        100,
        20,
        0.5,
        60.0,
    )


@pytest.mark.parametrize("agent", ["oracle", "nop"])
def test_candidates_of_known_score_are_no_policy(tmp_path: Path, agent: str) -> None:
    trial(tmp_path / "t__a", {"reward": 1.0}, agent_info={"name": agent, "version": "1", "model_info": None})
    (row,), _, _ = read(tmp_path / "t__a")
    assert (row["origin"], row["model"]) == ("known", agent)


def test_attempts_of_a_job_stay_apart_and_the_same_at_every_import(tmp_path: Path) -> None:
    job = tmp_path / "jobs" / "2026-01-01"
    for name in ("t__a", "t__b"):
        trial(job / name, {"reward": 1.0})
    (job / "result.json").write_text(json.dumps({"stats": {}, "n_total_trials": 3}))
    before = {row["label"]: row["id"] for row in read(job)[0]}
    trial(job / "t__0", {"reward": 0.0})
    after = {row["label"]: row["id"] for row in read(tmp_path / "jobs")[0]}
    assert len(set(after.values())) == 3
    assert before.items() <= after.items()


def test_steps_keep_tokens_exceptions_checks_and_trajectories(tmp_path: Path) -> None:
    steps = [
        {"step_name": "one", "agent_result": {"n_input_tokens": 1, "n_output_tokens": 2}, "exception_info": None},
        {
            "step_name": "two",
            "agent_result": {"n_input_tokens": 10, "n_output_tokens": None},
            "exception_info": {"exception_type": "AgentTimeoutError"},
        },
    ]
    folder = trial(tmp_path / "t__a", {"reward": 0.5}, agent_result=None, step_results=steps)
    for name in ("one", "two"):
        (folder / "steps" / name / "verifier").mkdir(parents=True)
        (folder / "steps" / name / "agent").mkdir()
        report = {"results": {"tests": [{"name": "works", "status": "passed" if name == "one" else "failed"}]}}
        (folder / "steps" / name / "verifier" / "ctrf.json").write_text(json.dumps(report))
        (folder / "steps" / name / "agent" / "trajectory.json").write_text(json.dumps(ATIF))
    (row,), skipped, (blob,) = read(folder)
    assert (row["input_tokens"], row["output_tokens"], row["stop"], skipped) == (11, 2, "agent_timeout", [])
    assert said(row) == ("failed", "", 0.5)
    assert [(c["name"], c["status"]) for c in row["verdict"]["checks"]] == [
        ("one/works", "passed"),
        ("two/works", "failed"),
    ]
    assert row["trajectory"] == digest(blob)
    assert len(read_trajectory(blob).steps) == 4
    assert row["steps"] == 2


def test_the_tail_of_what_the_verifier_printed_is_kept_for_reviewers(tmp_path: Path) -> None:
    folder = trial(tmp_path / "t__a", {"reward": 0.0})
    (folder / "verifier").mkdir()
    (folder / "verifier" / "test-stdout.txt").write_bytes(b"x" * 100_000 + b"\xff\x00 1 failed: sum is 7\n")
    (folder / "verifier" / "test-stderr.txt").write_text("warned")
    (folder / "steps" / "one" / "verifier").mkdir(parents=True)
    (folder / "steps" / "one" / "verifier" / "test-stdout.txt").write_text("2 passed")
    (tmp_path / "elsewhere").write_text("not of this trial")
    (folder / "steps" / "one" / "verifier" / "test-stderr.txt").symlink_to(tmp_path / "elsewhere")
    (row,), skipped, _ = read(folder)
    printed = json.loads(row["verdict"]["evidence"])["output"]
    assert printed.endswith(" 1 failed: sum is 7\nwarned\none:\n2 passed")
    assert len(printed) < 4100
    assert skipped == []


def test_a_step_that_broke_makes_the_trial_ungraded(tmp_path: Path) -> None:
    steps = [{"step_name": "one", "exception_info": {"exception_type": "ApiOverloadedError"}}]
    (row,), _, _ = read(trial(tmp_path / "t__a", {"reward": 0.0}, step_results=steps))
    assert said(row) == ("ungraded", "api_overloaded", None)


def test_the_trajectory_is_kept_and_fills_what_the_result_leaves_open(tmp_path: Path) -> None:
    folder = trial(tmp_path / "t__a", {"reward": 1.0}, agent_result=None)
    (folder / "agent").mkdir()
    (folder / "agent" / "trajectory.json").write_text(json.dumps(ATIF))
    (row,), _, (blob,) = read(folder)
    assert (row["trajectory"], row["steps"], row["input_tokens"]) == (digest(blob), 1, 11)


def test_a_trajectory_that_cannot_be_read_is_named_and_the_trial_is_kept(tmp_path: Path) -> None:
    folder = trial(tmp_path / "t__a", {"reward": 1.0})
    (folder / "agent").mkdir()
    (folder / "agent" / "trajectory.json").write_text("{")
    (row,), skipped, blobs = read(folder)
    assert (said(row)[0], row["trajectory"], blobs) == ("passed", "", [])
    assert "trajectory.json" in skipped[0][0]
    assert "kept without" in skipped[0][1]


def test_trials_without_a_result_or_with_a_broken_one_are_named(tmp_path: Path) -> None:
    trial(tmp_path / "j" / "t__a", {"reward": 1.0})
    trial(tmp_path / "j" / "t__b", {"reward": 1.0})
    (tmp_path / "j" / "t__b" / "result.json").write_text('{"trial_name": "t__b", "task_na')
    (tmp_path / "j" / "t__c" / "agent").mkdir(parents=True)
    (tmp_path / "j" / "t__c" / "config.json").write_text("{}")
    trial(tmp_path / "j" / "t__d", {"reward": 1.0}, agent_result=[1])
    rows, skipped, _ = read(tmp_path / "j")
    assert [row["label"] for row in rows] == ["t__a"]
    assert ["not JSON" in skipped[0][1], "did not end" in skipped[1][1], skipped[2][1]] == [
        True,
        True,
        "is not an object",
    ]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no trial"):
        read(tmp_path / "empty")
