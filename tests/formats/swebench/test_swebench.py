"""Attacks: what broke is ungraded, what the harness never ran is named, no instance counts twice, none is made up."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats import Options, recognised, swebench, terminal_bench
from fairtrial.records import FormatError

PEER = os.environ.get("FAIRTRIAL_SWEBENCH", "")
HERE = Path(__file__).parent


def read(path: Path, **options: Any) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str]]]:
    """Return the rollouts by task, each with its verdict, and the skipped."""
    rows: dict[str, dict[str, Any]] = {}
    skipped: list[tuple[str, str]] = []
    for batch in swebench.read(path, Options(**options)):
        verdicts = {v["rollout"]: v for v in batch.verdicts.to_pylist()}
        for rollout in batch.rollouts.to_pylist():
            assert rollout["task"] not in rows, "an instance of one run counts once"
            rows[rollout["task"]] = rollout | {"verdict": verdicts[rollout["id"]]}
        skipped += [(skip.where, skip.why) for skip in batch.skipped]
    return rows, skipped


def said(row: dict[str, Any]) -> str:
    verdict = row["verdict"]
    return verdict["reason"] or verdict["outcome"]


def report(resolved: bool, success: int = 1, failure: int = 0, **more: Any) -> dict[str, Any]:
    lists = {"success": [f"t{n}" for n in range(success)], "failure": [f"f{n}" for n in range(failure)]}
    tests = {"FAIL_TO_PASS": lists, "PASS_TO_PASS": {"success": ["kept"], "failure": []}}
    return {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True, "resolved": resolved,
            "tests_status": tests} | more  # fmt: skip


def unread(**more: Any) -> dict[str, Any]:
    """Return a report whose tests' output could not be read."""
    entry = report(False, patch_successfully_applied=False) | more
    return {name: value for name, value in entry.items() if name != "tests_status"}


def instance(top: Path, name: str, entry: Any = None, run: str = "r", model: str = "m", **logs: str) -> Path:
    folder = top / "logs" / "run_evaluation" / run / model / name
    folder.mkdir(parents=True)
    if entry is not None:
        (folder / "report.json").write_text(entry if isinstance(entry, str) else json.dumps({name: entry}))
    for file, text in logs.items():
        (folder / file.replace("_log", ".log").replace("_diff", ".diff")).write_text(text)
    return folder


def summary(file: Path, **lists: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    names = ("completed_ids", "incomplete_ids", "empty_patch_ids", "submitted_ids", "resolved_ids", "unresolved_ids",
             "error_ids")  # fmt: skip
    file.write_text(json.dumps({"total_instances": 9} | {name: lists.get(name, []) for name in names} | lists))
    return file


def test_a_report_is_read_with_its_tests_and_its_patch(tmp_path: Path) -> None:
    instance(tmp_path, "a__b-1", report(False, success=2, failure=1), model="org__m", patch_diff="diff --git")
    row = read(tmp_path)[0]["a__b-1"]
    assert (row["model"], row["group"], row["answer"], said(row)) == ("org__m", "r", "diff --git", "failed")
    checks = {check["name"]: (check["status"], check["message"]) for check in row["verdict"]["checks"]}
    assert checks == {
        "t0": ("passed", "FAIL_TO_PASS"), "t1": ("passed", "FAIL_TO_PASS"), "f0": ("failed", "FAIL_TO_PASS"),
        "kept": ("passed", "PASS_TO_PASS"),
    }  # fmt: skip
    assert row["verdict"]["score"] == 0.0


@pytest.mark.parametrize(
    ("entry", "log", "expected"),
    [
        (report(True), "", "passed"),
        (report(False, failure=1), "", "failed"),
        (report(True, failure=1), "", "conflict"),
        (report(False), "", "conflict"),
        (unread(), "", "no_test_output"),
        (unread(), ">>>>> Patch Apply Failed", "failed"),
        (unread(), ">>>>> Reset Failed", "reset_failed"),
        (unread(), "Timeout error: 1800 seconds exceeded.", "test_timeout"),
        (unread(), "nothing of note", "no_test_output"),
        (unread(infra_failure=True, infra_failure_reason="out_of_memory"), ">>>>> Patch Apply Failed", "out_of_memory"),
        (unread(patch_is_None=True, patch_exists=False), "", "failed"),
        (unread(patch_successfully_applied=True), "", "failed"),
        (unread(resolved=True), "", "passed"),
        (unread(resolved=True, patch_is_None=True, patch_exists=False), "", "conflict"),
        (None, "", "no_report"),
        (None, ">>>>> Patch Apply Failed", "failed"),
        ("", "", "no_report"),
    ],
)
def test_what_broke_is_told_from_what_failed(tmp_path: Path, entry: Any, log: str, expected: str) -> None:
    instance(tmp_path, "a__b-1", entry, run_instance_log=log)
    rows, skipped = read(tmp_path)
    assert said(rows["a__b-1"]) == expected
    assert not skipped
    verdict = rows["a__b-1"]["verdict"]
    assert (verdict["score"] is None) == (verdict["outcome"] == "ungraded")


def test_what_was_recorded_is_kept_and_can_be_taken(tmp_path: Path) -> None:
    instance(tmp_path, "a__b-1", unread())
    verdict = read(tmp_path)[0]["a__b-1"]["verdict"]
    assert orjson.loads(verdict["evidence"])["as_recorded"] == "failed"
    recorded = read(tmp_path, as_recorded=True)[0]["a__b-1"]["verdict"]
    assert (recorded["outcome"], recorded["reason"], recorded["score"]) == ("failed", "", 0.0)
    assert recorded["grader"] != verdict["grader"]


def test_a_damaged_report_is_skipped_and_the_rest_is_read(tmp_path: Path) -> None:
    instance(tmp_path, "a__b-1", '{"a__b-1": {"resolved": tr')
    instance(tmp_path, "a__b-2", {"resolved": "yes", "patch_exists": True})
    instance(tmp_path, "a__b-3", report(True))
    instance(tmp_path, "a__b-5", "{")
    instance(tmp_path, "a__b-4", report(True) | {"tests_status": {"FAIL_TO_PASS": {"success": "t1"}}})
    rows, skipped = read(tmp_path)
    assert list(rows) == ["a__b-3"]
    assert [name for where, _ in skipped for name in ("a__b-1", "a__b-4", "a__b-5") if f"{name}/" in where] == [
        "a__b-1", "a__b-4", "a__b-5"]  # fmt: skip
    summary(tmp_path / "m.r.json", resolved_ids=["a__b-3", "a__b-5"], unresolved_ids=["a__b-1"], error_ids=["a__b-4"])
    rows, told = read(tmp_path)
    assert {name: said(row) for name, row in rows.items()} == {
        "a__b-1": "failed", "a__b-3": "passed", "a__b-4": "harness_error", "a__b-5": "passed",
    }, "what no report tells is taken from the summary"  # fmt: skip
    assert told == skipped


def test_a_summary_names_what_no_report_tells(tmp_path: Path) -> None:
    lists = {"resolved_ids": ["a"], "unresolved_ids": ["b"], "empty_patch_ids": ["c"], "error_ids": ["d"]}
    summary(tmp_path / "m-4.5.r1.json", **lists, incomplete_ids=["e"], submitted_ids=["a", "b", "c", "d", "f"])
    rows, _ = read(tmp_path)
    assert {name: said(row) for name, row in rows.items()} == {
        "a": "passed", "b": "failed", "c": "failed", "d": "harness_error", "e": "not_run", "f": "not_evaluated",
    }  # fmt: skip
    assert {(row["model"], row["group"]) for row in rows.values()} == {("m-4.5", "r1")}
    assert rows["c"]["stop"] == "no_patch"


def test_failures_of_the_environment_are_no_failures_of_the_model(tmp_path: Path) -> None:
    summary(tmp_path / "m.r.json", unresolved_ids=["a", "b"], error_ids=["c"], infra_failure_ids=["a"],
            ambiguous_failure_ids=["b"],
            failure_reasons={"a": "out_of_memory", "b": "missing_module", "c": "tests_timed_out"})  # fmt: skip
    assert {n: said(r) for n, r in read(tmp_path)[0].items()} == {
        "a": "out_of_memory", "b": "failed", "c": "tests_timed_out",
    }  # fmt: skip


def test_a_report_wins_over_its_summary_and_the_difference_is_told(tmp_path: Path) -> None:
    instance(tmp_path, "a__b-1", report(True))
    instance(tmp_path, "a__b-2", report(True))
    instance(tmp_path, "a__b-3", run_instance_log=">>>>> Patch Apply Failed")
    instance(tmp_path, "a__b-4", run_instance_log="docker went away")
    summary(tmp_path / "m.r.json", resolved_ids=["a__b-1"], unresolved_ids=["a__b-2"], error_ids=["a__b-3", "a__b-4"])
    rows, skipped = read(tmp_path)
    assert {n: said(r) for n, r in rows.items()} == {
        "a__b-1": "passed", "a__b-2": "passed", "a__b-3": "failed", "a__b-4": "harness_error",
    }  # fmt: skip
    assert len(skipped) == 1
    assert "a__b-2" in skipped[0][0]
    assert Counter(said(r) for r in read(tmp_path, as_recorded=True)[0].values()) == {"passed": 2, "failed": 2}


def test_an_instance_in_two_lists_is_a_conflict(tmp_path: Path) -> None:
    summary(tmp_path / "m.r.json", resolved_ids=["a", "b"], unresolved_ids=["b"], error_ids=["a"])
    assert {said(row) for row in read(tmp_path)[0].values()} == {"conflict"}


@pytest.mark.parametrize(("place", "path"), [
    (".", "logs"), ("logs/run_evaluation/r/m", "."), ("logs/run_evaluation/r/m/a__b-1", ".."),
    ("logs/run_evaluation/r/m/a__b-1", "../../.."),
])  # fmt: skip
def test_an_instance_is_the_same_rollout_from_wherever_it_is_read(
    place: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance(tmp_path, "a__b-1", report(True))
    instance(tmp_path, "a__b-2", run_instance_log="docker went away")
    monkeypatch.chdir(tmp_path / place)
    ids = {name: row["id"] for name, row in read(Path(path))[0].items()}
    assert ids == {name: row["id"] for name, row in read(tmp_path)[0].items()}
    monkeypatch.chdir(tmp_path / "logs/run_evaluation/r/m/a__b-2")
    assert read(Path())[0]["a__b-2"]["id"] == ids["a__b-2"]


def test_runs_of_one_name_in_two_folders_stay_apart(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        summary(tmp_path / folder / "m.eval.json", resolved_ids=["a"])
        instance(tmp_path / folder, "a__b-1", report(True))
    rows = [r for b in swebench.read(tmp_path, Options()) for r in b.rollouts.to_pylist()]
    assert len({row["id"] for row in rows}) == len(rows) == 4
    assert len({(row["task"], row["model"], row["attempt"]) for row in rows}) == 4, "a review names an attempt by these"


def submission(top: Path, **lists: Any) -> Path:
    folder = top / "evaluation" / "verified" / "20250101_agent"
    (folder / "results").mkdir(parents=True)
    (folder / "results" / "results.json").write_text(json.dumps(lists))
    return folder


def test_a_submission_that_names_only_what_it_resolved_is_refused(tmp_path: Path) -> None:
    submission(tmp_path, resolved=["a__b-1"], no_generation=[], no_logs=[])
    rows, skipped = read(tmp_path)
    assert rows == {}
    assert "instances.txt" in skipped[0][1]


@pytest.mark.parametrize("told", ["predictions", "trajs", "instances", "generated"])
def test_what_a_submission_attempted_is_found_beside_it(tmp_path: Path, told: str) -> None:
    names = ["a__b-1", "a__b-2", "a__b-3", "a__b-4"]
    more = {"generated": names} if told == "generated" else {}
    folder = submission(tmp_path, resolved=["a__b-1"], no_generation=["a__b-2"], no_logs=["a__b-3"], **more)
    if told == "predictions":
        lines = [json.dumps({"instance_id": name, "model_patch": f"diff {name}"}) for name in names]
        (folder / "all_preds.jsonl").write_text("\n".join(lines))
    elif told == "trajs":
        for name in names:
            (folder / "trajs").mkdir(exist_ok=True)
            (folder / "trajs" / f"{name}.json").write_text("{}")
    elif told == "instances":
        (folder.parent / "instances.txt").write_text("\n".join(names))
    rows, skipped = read(tmp_path)
    assert {n: said(r) for n, r in rows.items()} == {
        "a__b-1": "passed", "a__b-2": "failed", "a__b-3": "no_logs", "a__b-4": "failed",
    }  # fmt: skip
    assert {(r["model"], r["suite"]) for r in rows.values()} == {("20250101_agent", "verified")}
    assert not skipped
    assert rows["a__b-4"]["answer"] == ("diff a__b-4" if told == "predictions" else None)


def test_what_is_not_of_swebench_is_not_taken_for_it(tmp_path: Path) -> None:
    trial = {"task_id": "t", "trial_name": "t.1-of-1.r", "is_resolved": True, "failure_mode": "unset"}
    found = {"results": [trial], "n_resolved": 1, "resolved_ids": ["t"], "unresolved_ids": []}
    (tmp_path / "results.json").write_text(json.dumps(found))
    (tmp_path / "report.json").write_text(json.dumps({"resolved": 3, "patch_count": 4}))
    assert not swebench.looks_like(tmp_path)
    assert recognised(tmp_path) == "terminal-bench"
    assert sum(b.rollouts.num_rows for b in terminal_bench.read(tmp_path, Options())) == 1
    with pytest.raises(FormatError, match=r"no report\.json"):
        list(swebench.read(tmp_path, Options()))


def test_each_form_is_recognised(tmp_path: Path) -> None:
    alone = instance(tmp_path / "x", "a__b-1", report(True))
    whole = summary(tmp_path / "y" / "m.r.json", resolved_ids=["a"])
    filed = submission(tmp_path / "z", resolved=["a"], no_logs=[])
    for path in (tmp_path / "x", alone / "report.json", whole, whole.parent, filed):
        assert recognised(path) == "swebench"


@pytest.mark.extra
@pytest.mark.skipif(not PEER, reason="FAIRTRIAL_SWEBENCH names no interpreter with swebench")
def test_counts_are_those_of_swebenchs_own_harness(tmp_path: Path) -> None:
    done = subprocess.run(
        [PEER, str(HERE / "peer_harness.py"), str(tmp_path)], capture_output=True, text=True, timeout=120, check=True
    )
    theirs = json.loads(done.stdout)
    rows, skipped = read(tmp_path, as_recorded=True)
    counts = Counter(row["verdict"]["outcome"] for row in rows.values())
    assert not skipped
    assert counts["passed"] == theirs["resolved_instances"] == 1
    lost = theirs["unresolved_instances"] + theirs["error_instances"] + theirs["empty_patch_instances"]
    assert counts["failed"] == lost + len(theirs["incomplete_ids"])
    assert {said(row) for row in read(tmp_path)[0].values()} >= {"no_test_output", "harness_error", "not_run"}
    ours = {name: said(row) for name, row in read(tmp_path)[0].items()}
    assert ours["a__apply-6"] == "failed", "swebench counts a patch that does not apply among its errors"
    assert {name for name, outcome in ours.items() if outcome == "passed"} == set(theirs["resolved_ids"])
    assert {(row["model"], row["group"]) for row in rows.values()} == {("org__model-4.5", "first.run")}
