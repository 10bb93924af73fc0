"""Attacks: the import verb says what it took and what not, by exit code and document; nothing is lost or doubled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger, connect

Result = tuple[int, dict[str, Any], str]


@pytest.fixture
def imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that imports rows or a path and gives exit code, document, stderr."""

    def call(source: Sequence[Any] | Path, *options: str, to: str = "ledger") -> Result:
        path = source if isinstance(source, Path) else tmp_path / "rows.jsonl"
        if not isinstance(source, Path):
            path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in source))
        code = run(["import", str(path), "--to", str(tmp_path / to), "--json", *options])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else {}, err

    return call


GOOD = {"task": "t", "model": "m", "attempt": 0, "passed": True}


def test_a_clean_file_holds_and_importing_it_twice_adds_nothing(imported: Any, tmp_path: Path) -> None:
    rows = [GOOD, GOOD | {"attempt": 1, "passed": None}]
    code, document, err = imported(rows, "--format", "table")
    assert (code, err) == (0, "")
    assert document == {
        "schema": "fairtrial.import/1", "rollouts": 2, "verdicts": 2, "ungraded": 1, "duplicates": 0, "conflicts": 0,
        "ungraded_reasons": {"unknown": 1}, "skipped": [], "notes": [], "format": "table", "also": [],
    }  # fmt: skip
    parts = Ledger.open(tmp_path / "ledger").parts("rollouts")
    code, document, _ = imported(rows)
    assert (code, document["rollouts"], document["verdicts"], document["duplicates"]) == (0, 0, 0, 2)
    assert Ledger.open(tmp_path / "ledger").parts("rollouts") == parts


def test_bad_rows_are_skipped_with_line_and_reason_and_exit_1(imported: Any, tmp_path: Path) -> None:
    code, document, _ = imported([GOOD, "{", GOOD | {"attempt": "x"}], "--format", "table")
    assert (code, document["rollouts"]) == (1, 1)
    assert [skip["where"] for skip in document["skipped"]] == [f"{tmp_path}/rows.jsonl:{line}" for line in (2, 3)]
    assert document["skipped"][1]["why"] == "`attempt` is 'x', not a whole number"


def test_nothing_imported_is_exit_2_with_the_reasons(imported: Any) -> None:
    code, document, err = imported(["{", "[]"], "--format", "table")
    assert (code, document["rollouts"], len(document["skipped"])) == (2, 0, 2)
    assert "nothing could be imported" in err


def test_one_attempt_with_two_verdicts_is_a_conflict_and_not_a_pass(imported: Any, tmp_path: Path) -> None:
    rows = [GOOD, GOOD | {"passed": False}, GOOD | {"attempt": 1}, GOOD | {"attempt": 1}]
    code, document, _ = imported(rows, "--format", "table")
    assert (code, document["rollouts"], document["verdicts"]) == (0, 2, 3)
    assert (document["duplicates"], document["conflicts"]) == (1, 1)
    found = connect(Ledger.open(tmp_path / "ledger")).execute("select outcome, reason from outcomes order by attempt")
    assert found.fetchall() == [("ungraded", "conflict"), ("passed", "")]


def test_a_verdict_that_contradicts_an_earlier_import_is_a_conflict(imported: Any) -> None:
    imported([GOOD, GOOD | {"attempt": 1}])
    _, document, _ = imported([GOOD | {"passed": False}, GOOD | {"attempt": 1, "key": "4"}])
    assert (document["rollouts"], document["verdicts"], document["conflicts"]) == (0, 2, 1)


def test_columns_map_other_names(imported: Any) -> None:
    rows = [{"problem": "t", "policy": "m", "ok": True}]
    code, document, _ = imported(rows, "--columns", "task=problem,model=policy, passed = ok", "--format", "table")
    assert (code, document["rollouts"]) == (0, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--columns", "task"], "is not ours=theirs"),
        (["--columns", "task="], "is not ours=theirs"),
        (["--columns", "tusk=task"], "`tusk` is not a column of ours"),
        (["--columns", "task=nope"], "no column `nope`; the file has: attempt, model, passed, task"),
        (["--format", "excel"], "`excel` is not a format"),
    ],
)
def test_wrong_options_are_bad_input_without_a_traceback(imported: Any, options: list[str], message: str) -> None:
    code, document, err = imported([GOOD], *options)
    assert (code, document) == (2, {})
    assert message in err
    assert "Traceback" not in err


def test_a_path_that_is_not_there_makes_no_ledger(imported: Any, tmp_path: Path) -> None:
    code, _, err = imported(tmp_path / "nothing.jsonl")
    assert (code, (tmp_path / "ledger").exists()) == (2, False)
    assert "no such file" in err


def test_an_empty_file_or_a_wrong_table_makes_no_ledger(imported: Any, tmp_path: Path) -> None:
    assert imported([], "--format", "table")[0] == 2
    assert imported([{"a": 1}], "--format", "table")[0] == 2
    assert not (tmp_path / "ledger").exists()


def test_the_ledger_may_not_be_a_folder_of_something_else(imported: Any, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("x")
    code, _, err = imported([GOOD], to="home")
    assert code == 2
    assert "not a ledger" in err
    assert [entry.name for entry in (tmp_path / "home").iterdir()] == ["thesis.txt"]


def test_formats_are_told_from_their_look(imported: Any, tmp_path: Path) -> None:
    bench = tmp_path / "runs" / "r1"
    bench.mkdir(parents=True)
    trial = {"task_id": "t", "trial_name": "t.1-of-1", "is_resolved": True, "failure_mode": "unset"}
    (bench / "results.json").write_text(json.dumps({"results": [trial]}))
    job = tmp_path / "jobs" / "j" / "t__a"
    job.mkdir(parents=True)
    (job / "result.json").write_text(json.dumps({"task_name": "t", "trial_name": "t__a", "agent_info": {"name": "a"}}))
    atif = tmp_path / "atif"
    atif.mkdir()
    step = {"step_id": 1, "source": "user", "message": "x"}
    document = {"schema_version": "ATIF-v1.4", "agent": {"name": "a", "version": "1"}, "steps": [step]}
    (atif / "t__b.json").write_text(json.dumps(document))
    for path in (bench.parent, job, job.parent.parent, atif, atif / "t__b.json"):
        code, found, err = imported(path)
        assert (code, found.get("rollouts", 0) + found.get("duplicates", 0)) == (0, 1), (path, err)
    (tmp_path / "odd.bin").write_bytes(b"\x00")
    code, _, err = imported(tmp_path / "odd.bin")
    assert code == 2
    assert "--format" in err


def test_in_words_it_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [GOOD, GOOD | {"attempt": 1, "passed": None}, 3]))
    assert run(["import", str(path), "--to", str(tmp_path / "l")]) == 1
    out, err = capsys.readouterr()
    assert "2 rollouts and 2 verdicts added" in out
    assert "1 of them ungraded: unknown 1" in out
    assert "r.jsonl:3: is 3, not an object" in err
