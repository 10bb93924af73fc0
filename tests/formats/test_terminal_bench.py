"""Attacks: what broke in grader or harness is ungraded, in both forms of the files; what was recorded stands beside."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats import Options, terminal_bench
from fairtrial.records import FormatError

SHARED = Path(__file__).parents[3] / "shared" / "data" / "terminal_bench_core_0.1.1" / "trials.jsonl"


def trial(task: str, number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{task}-{number}",
        "task_id": task,
        "trial_name": f"{task}.{number}-of-2.run",
        "is_resolved": True,
        "failure_mode": "unset",
        "parser_results": {"test_a": "passed"},
        "total_input_tokens": 5,
        "total_output_tokens": 3,
        "trial_started_at": "2025-07-01T00:00:00+00:00",
        "trial_ended_at": "2025-07-01T00:01:30+00:00",
    } | more


def run(folder: Path, trials: list[dict[str, Any]], **metadata: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps({"id": "x", "results": trials, "accuracy": 0.5}))
    (folder / "run_metadata.json").write_text(json.dumps(metadata))
    return folder


def read(path: Path, **options: Any) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Return rollouts joined with their verdicts, and the skipped."""
    rows, skipped = [], []
    for batch in terminal_bench.read(path, Options(**options)):
        verdicts = {v["rollout"]: v for v in batch.verdicts.to_pylist()}
        rows += [r | {"verdict": verdicts[r["id"]]} for r in batch.rollouts.to_pylist()]
        skipped += [(skip.where, skip.why) for skip in batch.skipped]
    return rows, skipped


BROKEN = ["parse_error", "test_timeout", "unknown_agent_error", "agent_installation_failed"]


@pytest.mark.parametrize("mode", BROKEN)
def test_what_broke_is_ungraded_with_what_was_recorded_beside(tmp_path: Path, mode: str) -> None:
    path = run(tmp_path / "r", [trial("t", 1, is_resolved=False, failure_mode=mode, parser_results=None)])
    verdict = read(path)[0][0]["verdict"]
    assert (verdict["outcome"], verdict["reason"], verdict["score"]) == ("ungraded", mode, None)
    assert orjson.loads(verdict["evidence"]) == {"as_recorded": "failed", "failure_mode": mode}
    recorded = read(path, as_recorded=True)[0][0]["verdict"]
    assert (recorded["outcome"], recorded["reason"], recorded["score"]) == ("failed", "", 0.0)
    assert recorded["grader"] != verdict["grader"], "both may stand in one ledger without a conflict"


def test_an_agent_that_ran_out_of_time_is_graded(tmp_path: Path) -> None:
    modes = [trial("t", n, failure_mode="agent_timeout", is_resolved=n == 1) for n in (1, 2)]
    rows, _ = read(run(tmp_path / "r", modes))
    assert [(r["stop"], r["verdict"]["outcome"]) for r in rows] == [
        ("agent_timeout", "passed"),
        ("agent_timeout", "failed"),
    ]


def test_a_trial_reads_with_its_run(tmp_path: Path) -> None:
    path = run(
        tmp_path / "r",
        [trial("t", 2, parser_results={"a": "passed", "b": "failed"})],
        run_id="run-7",
        agent_name="terminus",
        model_name="m-1",
        dataset_name="terminal-bench-core",
        dataset_version="0.1.1",
    )
    (row,), skipped = read(path)
    got = {
        name: row[name]
        for name in ("task", "model", "agent", "suite", "group", "attempt", "stop", "seconds", "input_tokens")
    }
    assert got == {
        "task": "t",
        "model": "m-1",
        "agent": "terminus",
        "suite": "terminal-bench-core@0.1.1",
        "group": "run-7",
        "attempt": 2,
        "stop": "finished",
        "seconds": 90.0,
        "input_tokens": 5,
    }
    assert [(c["name"], c["status"]) for c in row["verdict"]["checks"]] == [("a", "passed"), ("b", "failed")]
    assert skipped == []


def test_two_runs_of_one_agent_do_not_fall_together_and_trial_files_are_not_read_twice(tmp_path: Path) -> None:
    for name in ("run-1", "run-2"):
        path = run(tmp_path / name, [trial("t", 1)], model_name="m", run_id=name)
        (path / "t" / "trial").mkdir(parents=True)
        (path / "t" / "trial" / "results.json").write_text(json.dumps(trial("t", 1)))
    rows, _ = read(tmp_path)
    assert len(rows) == len({row["id"] for row in rows}) == 2


def test_trials_of_a_run_that_wrote_no_summary_are_read_one_by_one(tmp_path: Path) -> None:
    path = run(tmp_path / "r", [], model_name="m")
    (path / "results.json").unlink()
    (path / "t" / "trial").mkdir(parents=True)
    (path / "t" / "trial" / "results.json").write_text(json.dumps(trial("t", 1)))
    assert [row["model"] for row in read(path)[0]] == ["m"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"is_resolved": "yes"}, "is not true, false or null"),
        ({"task_id": None}, "is missing"),
        ({"parser_results": ["a"]}, "is not an object"),
        ({"parser_results": {"a": "odd"}}, "says 'odd' of a test"),
        ({"total_input_tokens": "5"}, "is not a whole number"),
    ],
)
def test_a_wrong_trial_is_named_and_its_neighbour_is_taken(tmp_path: Path, wrong: dict[str, Any], why: str) -> None:
    rows, skipped = read(run(tmp_path / "r", [trial("t", 1), trial("t", 2, **wrong)], model_name="m"))
    assert len(rows) == 1
    assert [(f"results[1].{next(iter(wrong))}" in where, text) for where, text in skipped] == [(True, why)]


def test_a_summary_that_breaks_off_is_named(tmp_path: Path) -> None:
    path = run(tmp_path / "r", [trial("t", 1)])
    (path / "results.json").write_text((path / "results.json").read_text()[:-20])
    rows, skipped = read(path)
    assert rows == []
    assert "not JSON" in skipped[0][1]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"no results\.json"):
        read(tmp_path / "empty")


def test_compact_lines_are_read_and_wrong_ones_named(tmp_path: Path) -> None:
    good = {
        "submission": "s",
        "task_id": "t",
        "trial": 1,
        "resolved": True,
        "failure_mode": "unset",
        "tests": {"a": 1, "b": 0},
    }
    lines = [json.dumps(good), "", "{", "[]", json.dumps(good | {"trial": None}), json.dumps(good | {"resolved": 1})]
    (tmp_path / "t.jsonl").write_text("\n".join(lines))
    rows, skipped = read(tmp_path / "t.jsonl")
    assert [[c["status"] for c in row["verdict"]["checks"]] for row in rows] == [["passed", "failed"]]
    assert [where.rpartition(":")[2] for where, _ in skipped] == ["3", "4", "5", "6"]


def test_the_leaderboards_own_trials_are_counted_as_known() -> None:
    if not SHARED.exists():
        pytest.skip("../shared is not here, and the trials of the leaderboard are nowhere else")
    rows, skipped = read(SHARED)
    assert (len(rows), skipped) == (5200, [])
    assert Counter(row["verdict"]["outcome"] for row in rows) == {"passed": 2118, "failed": 2654, "ungraded": 428}
    assert Counter(row["verdict"]["reason"] for row in rows if row["verdict"]["reason"]) == {
        "parse_error": 182,
        "test_timeout": 132,
        "unknown_agent_error": 110,
        "agent_installation_failed": 4,
    }
    recorded, _ = read(SHARED, as_recorded=True)
    assert Counter(row["verdict"]["outcome"] for row in recorded) == {"passed": 2118, "failed": 3082}


def test_submissions_of_one_agent_that_state_no_model_are_not_pooled(tmp_path: Path) -> None:
    for name in ("agent_small", "agent_large"):
        for number in (1, 2):
            run(tmp_path / name / f"run{number}", [trial("t", 1)], run_id=f"run{number}", agent_name="agent")
    run(tmp_path / "alone", [trial("t", 1)], run_id="2025-01-01", agent_name="agent")
    rows, _ = read(tmp_path)
    models = sorted((row["model"], row["group"]) for row in rows)
    assert models == [("agent_large", "run1"), ("agent_large", "run2"), ("agent_small", "run1"),
                      ("agent_small", "run2"), ("alone", "2025-01-01")]  # fmt: skip


def test_a_run_named_by_itself_keeps_its_agents_name(tmp_path: Path) -> None:
    path = run(tmp_path / "run1", [trial("t", 1)], run_id="run1", agent_name="agent")
    assert {row["model"] for row in read(path)[0]} == {"agent"}
    assert {row["model"] for row in read(tmp_path)[0]} == {"agent"}
