"""`fairtrial kit` writes a kit that grades, and says when one is old. Not covered: the checks."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from fairtrial.cli.main import run


def folder_of_tests(folder: Path) -> Path:
    tests = folder / "tests"
    tests.mkdir()
    (tests / "checks.toml").write_text('[[check]]\nname = "a"\nuse = "./mine.py:holds"\n')
    (tests / "mine.py").write_text(
        "from fairtrial.checks import Result\n\ndef holds():\n    return Result(True, 'so')\n"
    )
    return tests


def test_what_it_writes_grades(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = folder_of_tests(tmp_path)
    assert run(["kit", str(tests), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["was_current"] is False
    command = ["python3", "-I", str(tests / "fairtrial.pyz"), str(tests), str(tmp_path / "logs")]
    subprocess.run(command, check=True, capture_output=True)
    assert json.loads((tmp_path / "logs" / "reward.json").read_text()) == {"reward": 1.0}


def test_an_old_kit_is_told(tmp_path: Path) -> None:
    tests = folder_of_tests(tmp_path)
    assert run(["kit", str(tests), "--check"]) == 1
    assert not (tests / "fairtrial.pyz").exists()
    run(["kit", str(tests)])
    assert run(["kit", str(tests), "--check"]) == 0


def test_a_script_of_the_authors_is_kept(tmp_path: Path) -> None:
    tests = folder_of_tests(tmp_path)
    (tests / "test.sh").write_text("mine")
    run(["kit", str(tests)])
    assert (tests / "test.sh").read_text() == "mine"


@pytest.mark.parametrize("words", [["nowhere"], [".", "--with", "no-such-package-here"]])
def test_bad_input_is_said(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["kit", *words]) == 2


REWARDKIT = """
import rewardkit as rk
rk.file_exists("report.md")
rk.file_contains("report.md", "42", weight=3.0)
"""
OWN = "\n@rk.criterion\ndef is_polite(workspace):\n    return True\n"


def rewardkit(folder: Path, text: str) -> tuple[str, str]:
    (folder / "rewardkit").mkdir()
    (folder / "rewardkit" / "checks.py").write_text(text)
    (folder / "task" / "tests").mkdir(parents=True)
    return str(folder / "task" / "tests"), str(folder / "rewardkit")


def test_a_rewardkit_folder_is_brought_and_grades(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tests, old = rewardkit(tmp_path, REWARDKIT)
    app = tmp_path / "app"
    app.mkdir()
    (app / "report.md").write_text("41")
    assert run(["kit", tests, "--from-rewardkit", old, "--workspace", str(app), "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["untranslated"], document["packages"]) == ([], [])
    command = ["python3", "-I", f"{tests}/fairtrial.pyz", tests, str(tmp_path / "logs")]
    subprocess.run(command, check=True, capture_output=True)
    assert json.loads((tmp_path / "logs" / "reward.json").read_text()) == {"reward": 0.25}


def test_what_is_not_translated_does_not_hold_and_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tests, old = rewardkit(tmp_path, REWARDKIT + OWN)
    assert run(["kit", tests, "--from-rewardkit", old, "--json"]) == 1
    said = capfd.readouterr()
    assert "is_polite" in json.loads(said.out)["untranslated"][0]
    assert "not translated: checks.py:7: `is_polite`" in said.err
    assert Path(tests, "fairtrial.pyz").exists()


@pytest.mark.parametrize("there", ["checks.toml", "grading.toml", "../grading.toml"])
def test_files_of_the_authors_are_not_overwritten(there: str, tmp_path: Path) -> None:
    tests, old = rewardkit(tmp_path, REWARDKIT)
    Path(tests, there).write_text("mine")
    assert run(["kit", tests, "--from-rewardkit", old]) == 2
    assert [path.name for path in Path(tests).iterdir()] == ([there] if "/" not in there else [])
    assert Path(tests, there).read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import rewardkit as rk\n" + OWN, "none of its criteria"),
        ("", "holds no criterion"),
        ("def (", "no Python"),
        ('import rewardkit as rk\nrk.file_exists("a", weight=-1)\n', "makes no grading"),
    ],
)
def test_what_makes_no_checks_is_refused_and_nothing_is_written(
    text: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tests, old = rewardkit(tmp_path, text)
    assert run(["kit", tests, "--from-rewardkit", old]) == 2
    assert said in capfd.readouterr().err
    assert not list(Path(tests).iterdir())


@pytest.mark.parametrize("words", [["--check"], ["--workspace", "app"]])
def test_options_that_make_no_sense_with_a_rewardkit_folder_are_refused(words: list[str], tmp_path: Path) -> None:
    tests, old = rewardkit(tmp_path, REWARDKIT)
    assert run(["kit", tests, "--from-rewardkit", old, *words]) == 2


def test_a_script_that_does_not_use_the_kit_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tests, old = rewardkit(tmp_path, REWARDKIT)
    Path(tests, "test.sh").write_text("uvx rewardkit")
    assert run(["kit", tests, "--from-rewardkit", old]) == 0
    assert "does not grade with fairtrial.pyz" in capfd.readouterr().err
