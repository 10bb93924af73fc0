"""`fairtrial authoring records` from the outside: documents, files and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.records.desks import row, simulated, written
from fairtrial.cli.main import run

Printed = pytest.CaptureFixture[str]


def printed(capsys: Printed, *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(["authoring", "records", *arguments, "--json"])
    text = capsys.readouterr().out
    return code, json.loads(text) if text else {}


def test_the_document_and_the_files_agree(tmp_path: Path, capsys: Printed) -> None:
    declared, truth = simulated(tmp_path / "desk", 1, 40)
    code, document = printed(capsys, str(declared.path), "--out", str(tmp_path / "out"))
    assert (code, document["schema"]) == (0, "fairtrial.records/1")
    found = document["decisions"]
    assert found["found"] == len(truth) == found["rebuilt"] + sum(found["dropped"].values())
    split = json.loads((tmp_path / "out" / "split.json").read_text())
    for side in ("train", "held_out"):
        folders = sorted(path.name for path in (tmp_path / "out" / side).iterdir())
        assert folders == sorted(split[side])
        assert len(folders) == document["split"][side]
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == document
    report = (tmp_path / "out" / "report.md").read_text()
    assert all(title in report for title in ("Does the future show?", "What grades", "The action space", "above noise"))
    keys = [json.loads(line) for line in (tmp_path / "out" / "key.jsonl").read_text().splitlines()]
    assert {key["task"] for key in keys} == {*split["train"], *split["held_out"]}


def test_near_copies_across_the_sides_can_be_looked_for(tmp_path: Path, capsys: Printed) -> None:
    declared, _ = simulated(tmp_path / "desk", 1, 30)
    printed(capsys, str(declared.path), "--out", str(tmp_path / "out"))
    cases = tmp_path / "out" / "cases.jsonl"
    assert run(["contamination", "split", str(cases), "--check", "side", "--no-vectors", "--json"]) in (0, 1)
    document = json.loads(capsys.readouterr().out)
    assert document["rows"] == len(cases.read_text().splitlines())
    assert document["checked"]


def test_a_proven_leak_is_exit_1(tmp_path: Path, capsys: Printed) -> None:
    declared, _ = simulated(tmp_path / "desk", 1, 40, "note")
    code, document = printed(capsys, str(declared.path), "--out", str(tmp_path / "out"))
    assert code == 1
    assert [leak["severity"] for leak in document["leaks"] if not leak["is_accepted"]] == ["proof"]


def test_a_split_by_time_and_own_outcomes(tmp_path: Path, capsys: Printed) -> None:
    declared, _ = simulated(tmp_path / "desk", 2, 40)
    options = ("--after", "2026-01-07", "--self-recorded", "mark", "--seed", "3")
    code, document = printed(capsys, str(declared.path), "--out", str(tmp_path / "out"), *options)
    assert code == 0
    assert document["tasks"]["graded_by"]["outcome_self_recorded"] > 0
    assert document["split"]["after"] == "2026-01-07T00:00:00+00:00"
    assert document["split"]["labels_after_the_cut"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--self-recorded", "keep"), "neither refuse nor mark"),
        (("--after", "soon"), "--after"),
        (("--source", "gone.csv"), "is no file"),
        (("--held-out", "2"), "held-out"),
    ],
)
def test_bad_options_are_exit_2_without_a_traceback(
    arguments: tuple[str, ...], said: str, tmp_path: Path, capsys: Printed
) -> None:
    declared = written(tmp_path, [row("2026-01-01", "cu", "opened"), row("2026-01-02", "ada", "yes")])
    assert run(["authoring", "records", str(declared.path), "--out", str(tmp_path / "out"), *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


def test_records_without_a_decision_are_exit_2_and_say_why(tmp_path: Path, capsys: Printed) -> None:
    declared = written(tmp_path, [row("2026-01-01", "cu", "opened"), row("2026-01-02", "", "yes")])
    assert run(["authoring", "records", str(declared.path), "--out", str(tmp_path / "out")]) == 2
    assert "nobody is named who decided: 1" in capsys.readouterr().err
