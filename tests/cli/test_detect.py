"""`fairtrial detect` from the outside: documents, pages, ledgers, what cannot be read, exit codes, hostile text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.audit.sampling import Population, read_units
from fairtrial.cli.main import run
from fairtrial.ledger import Ledger, connect
from quality.trajectories_read import Labelled, labelled

TASK = "semver-ranges"


@pytest.fixture(scope="module")
def rollouts() -> list[Labelled]:
    return [one for one in labelled() if one.task == TASK]


@pytest.fixture
def folder(tmp_path: Path, rollouts: list[Labelled]) -> Path:
    (tmp_path / "jobs").mkdir()
    for one in rollouts:
        (tmp_path / "jobs" / f"{one.name}.json").write_bytes(orjson.dumps(one.document))
    return tmp_path / "jobs"


def document(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    code = run([*map(str, words), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_folder_gives_a_row_a_file_with_steps_that_exist(
    folder: Path, rollouts: list[Labelled], capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = document(capsys, "detect", folder)
    assert code == 0
    assert told["schema"] == "fairtrial.detect/1"
    by_name = {Path(row["path"]).stem: row for row in told["rollouts"]}
    for one in rollouts:
        row = by_name[one.name]
        assert row["task"] == TASK
        assert set(row["evidence_steps"]) <= set(range(1, len(one.document["steps"]) + 1))
        assert row["suspected"] == (row["score"] >= told["suspected_at"])
        assert all(claim["citations"] and claim["steps"] for claim in row["claims"])
    mined = next(one for one in rollouts if one.group == "history_mining")
    assert by_name[mined.name]["suspected"]
    assert set(by_name[mined.name]["evidence_steps"]) & set(mined.evidence)
    assert told["contrast"] == {"least_others": 3, "tasks": 1, "tasks_too_small": 0}


def test_the_same_files_give_the_same_bytes_however_they_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, whole = document(capsys, "detect", folder)
    _, files = document(capsys, "detect", *sorted(folder.glob("*.json")), folder)
    assert whole == files


def test_processes_find_what_one_finds(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    _, one = document(capsys, "detect", folder, "--workers", "1")
    monkeypatch.setattr("fairtrial.cli.detect_sources._FEW", 1)
    _, two = document(capsys, "detect", folder, "--workers", "2")
    assert one == two


def test_what_cannot_be_read_is_named_and_ends_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a__broken.json").write_text(
        '{"schema_version": "ATIF-v1.4", "agent": {"name": "x"}, "steps": [{"source": 7}]}'
    )
    (folder / "cut__1.json").write_text('{"schema_version": "ATIF-v1.4", "agent": ')
    (folder / "result.json").write_text('{"reward": 1}')
    code, told = document(capsys, "detect", folder)
    assert code == 1
    assert [Path(one["path"]).name for one in told["unread"]] == ["a__broken.json", "cut__1.json"]
    assert all(one["why"] for one in told["unread"])
    assert len(told["rollouts"]) == 4


def test_only_unreadable_files_are_not_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text("no JSON")
    assert run(["detect", str(tmp_path / "x.json")]) == 3
    assert "not measured" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["nowhere"], ["."], ["jobs", "--task", "other"], ["jobs", "--to", "nowhere"]])
def test_wrong_paths_and_names_end_with_2(
    words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder.parent)
    if words == ["."]:
        monkeypatch.chdir(folder.parent.joinpath("empty").mkdir() or folder.parent / "empty")
    assert run(["detect", *words]) == 2
    assert "error:" in capsys.readouterr().err


def test_hits_in_a_ledger_become_findings_that_a_sample_can_go_by(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "ledger"
    assert run(["import", str(folder), "--format", "atif", "--to", str(book)]) == 0
    capsys.readouterr()
    code, told = document(capsys, "detect", book)
    assert code == 0
    assert told["findings"]["added"] == sum(len(row["claims"]) for row in told["rollouts"])
    rows = connect(Ledger.open(book)).execute("select rollout, severity, family, evidence from findings").fetchall()
    assert {(severity, family) for _, severity, family, _ in rows} == {("lead", "trajectory")}
    best: dict[str, float] = {}
    for rollout, _, _, evidence in rows:
        best[rollout] = max(best.get(rollout, 0.0), json.loads(evidence)["score"])
        assert "claim" not in json.loads(evidence)  # it is a field of the finding, and would be told twice
    assert best == {row["rollout"]: row["score"] for row in told["rollouts"] if row["claims"]}
    leads = {unit.rollout: unit.lead for unit in read_units(Ledger.open(book), Population(ungraded=True)).units}
    assert {one for one, lead in leads.items() if lead == "suspected"} == {
        row["rollout"] for row in told["rollouts"] if row["suspected"]
    }
    _, again = document(capsys, "detect", book)
    assert again["findings"]["added"] == 0
    assert again["findings"]["held"] == told["findings"]["added"]


def test_files_find_their_rollouts_in_a_ledger_by_what_they_hold(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "ledger"
    some = sorted(folder.glob("*.json"))[:3]
    for file in some:
        assert run(["import", str(file), "--format", "atif", "--to", str(book)]) == 0
    capsys.readouterr()
    assert run(["detect", str(folder), "--to", str(book), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "1 trajectories are of no rollout" in err
    held = {row[0] for row in connect(Ledger.open(book)).execute("select distinct rollout from findings").fetchall()}
    assert 0 < len(held) <= 3
    assert json.loads(out)["findings"]["added"] > 0


def test_the_page_shows_the_worst_first_with_quotes_and_nothing_moves_the_cursor(
    folder: Path, rollouts: list[Labelled], capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = json.loads(json.dumps(rollouts[1].document))
    hostile["steps"][4]["tool_calls"][0]["arguments"]["command"] += (
        "\x1b[2J\x1b]0;title\x07 [bold red]x[/bold red]\n\u202e"
    )
    (folder / f"{TASK}__hostile.json").write_text(json.dumps(hostile))
    assert run(["detect", str(folder), "--all"]) == 0
    page = capsys.readouterr().out
    assert "only a review confirms" in page
    assert "[step " in page
    assert "\x1b" not in page
    assert "\x07" not in page
    assert "\u202e" not in page
    scores = [float(line.split()[1]) for line in page.splitlines() if line.startswith(("▲", "△"))]
    assert scores == sorted(scores, reverse=True)
    assert scores


def test_only_one_task_can_be_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other__1.json").write_text((folder / f"{TASK}__a.json").read_text())
    _, told = document(capsys, "detect", folder, "--task", "other")
    assert [row["task"] for row in told["rollouts"]] == ["other"]
