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
