"""Attacks `fairtrial check`: exit codes, what is said of each check, what is not run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.grade.outside_tasks import CHECKS, GRADING, acted

from fairtrial.checks.registry import catalogue
from fairtrial.cli.main import run
from fairtrial.formats.atif import document
from fairtrial.ledger import Ledger


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work/app").mkdir(parents=True)
    (tmp_path / "work/app/file").write_text("hello")
    (tmp_path / "checks.toml").write_text(CHECKS)
    for name, tools in (("good", ("ask", "act")), ("bad", ("act",))):
        (tmp_path / f"{name}.json").write_bytes(orjson.dumps(document(acted(*tools))))
    return tmp_path


def called(folder: Path, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = run(["check", str(folder / "checks.toml"), *words, "--json"])
    out = capfd.readouterr().out
    return code, json.loads(out) if out else None


def test_what_passes_fails_or_is_open(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    work = ["--deliverable", str(folder / "work")]
    code, good = called(folder, capfd, *work, "--trajectory", str(folder / "good.json"))
    assert (code, good["schema"], good["broken"], good["score"]) == (0, "fairtrial.check/1", {}, None)
    assert good["checks"]["asked-first"]["passed"] is True
    assert set(good["checks"]["word"]) == {"passed", "why", "value", "evidence"}
    assert called(folder, capfd, *work, "--trajectory", str(folder / "bad.json"))[0] == 1
    code, open_ = called(folder, capfd, *work)
    assert (code, list(open_["broken"])) == (3, ["asked-first"])
    assert called(folder, capfd, "--trajectory", str(folder / "bad.json"))[0] == 1  # fails before it is not measured
    assert called(folder, capfd, *work, "--only", "word")[0] == 0


def test_the_score_is_that_of_the_grading_toml_beside(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "grading.toml").write_text(GRADING)
    words = ["--deliverable", str(folder / "work"), "--trajectory", str(folder / "bad.json")]
    code, said = called(folder, capfd, *words)
    assert (code, said["score"]["score"], said["score"]["correct"]) == (1, 0.0, False)


def test_a_trajectory_is_taken_from_a_ledger(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    address = Ledger.open(folder / "ledger", create=True).put_blob((folder / "good.json").read_bytes())
    words = ["--ledger", str(folder / "ledger"), "--trajectory", address, "--only", "asked-first"]
    assert called(folder, capfd, *words)[0] == 0


@pytest.mark.parametrize(
    "words",
    [["--only", "wrd"], ["--trajectory", "none.json"], ["--deliverable", "none"], ["--trajectory", "checks.toml"]],
)
def test_bad_input_is_named(folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert run(["check", "checks.toml", *words]) == 2


def test_a_file_that_names_no_such_check_is_refused_whole_unless_another_is_asked_for(folder: Path) -> None:
    (folder / "checks.toml").write_text(CHECKS + '[[check]]\nname = "odd"\nuse = "file_texts"\npath = "/app/file"\n')
    work = ["--deliverable", str(folder / "work")]
    assert run(["check", str(folder / "checks.toml"), *work]) == 2
    assert run(["check", str(folder / "checks.toml"), *work, "--only", "word"]) == 0


def test_there_must_be_something_to_run(tmp_path: Path) -> None:
    assert run(["check"]) == 2
    assert run(["check", str(tmp_path)]) == 2


def test_every_check_is_listed_with_what_it_holds(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--list", "--json"]) == 0
    rows = json.loads(capfd.readouterr().out)["checks"]
    assert {row["name"] for row in rows} == set(catalogue())
    assert all(row["says"] for row in rows)
    assert "trajectory" not in [p["name"] for row in rows if row["name"] == "turns" for p in row["parameters"]]


def test_a_check_that_only_the_tests_report_leaves_the_score_open_and_hides_nothing(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "grading.toml").write_text(GRADING + '[[check]]\nname = "of-the-tests"\n')
    words = ["--deliverable", str(folder / "work"), "--trajectory", str(folder / "good.json")]
    code, said = called(folder, capfd, *words)
    assert (code, len(said["checks"])) == (0, 2)
    assert (said["score"]["score"], said["score"]["not_measured"]) == (None, ["of-the-tests"])


@pytest.mark.parametrize(
    ("grading", "told"), [('[[check]]\nname = "word"\n', "asked-first"), ("[[check]\n", "grading.toml:1")]
)
def test_a_grading_toml_that_does_not_fit_is_told_before_anything_is_run(
    grading: str, told: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "grading.toml").write_text(grading)
    assert run(["check", str(folder / "checks.toml"), "--trajectory", str(folder / "no-such-file")]) == 2
    assert told in capfd.readouterr().err
