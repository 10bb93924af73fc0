"""The kit is one file that grades with nothing installed. Not covered: the checks themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.checks.kit import kit, packages_for
from fairtrial.records import InputError

MINE = """
from fairtrial.checks import CheckError, Inside, Result

def is_there(path: Inside):
    try:
        open(path)
    except FileNotFoundError:
        return Result(False, "it is not there")
    return Result(True, "it is there")

def breaks():
    raise CheckError("no such tool")
"""


def graded(folder: Path, checks: str) -> subprocess.CompletedProcess[str]:
    tests = folder / "tests"
    tests.mkdir()
    (tests / "fairtrial.pyz").write_bytes(kit())
    (tests / "mine.py").write_text(MINE)
    (tests / "checks.toml").write_text(checks)
    command = [sys.executable, "-I", "-S", str(tests / "fairtrial.pyz"), str(tests), str(folder / "logs")]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


def test_same_source_same_bytes() -> None:
    assert kit() == kit()


def test_it_grades_with_the_standard_library_alone(tmp_path: Path) -> None:
    checks = '[[check]]\nname = "a"\nuse = "./mine.py:is_there"\npath = "mine.py"\n'
    ended = graded(tmp_path, checks)
    assert ended.returncode == 0, ended.stderr
    assert json.loads((tmp_path / "logs" / "reward.json").read_text()) == {"reward": 1.0}


@pytest.mark.parametrize("kind", ["math", "quantity", "number", "table"])
def test_comparing_answers_takes_no_package_along(tmp_path: Path, kind: str) -> None:
    checks = f'[[check]]\nname = "a"\nuse = "answer_equals"\npath = "/a"\nreference = "1"\nkind = "{kind}"\n'
    (tmp_path / "checks.toml").write_text(checks)
    assert packages_for(tmp_path) == []


def test_a_broken_check_leaves_no_reward(tmp_path: Path) -> None:
    checks = '[[check]]\nname = "a"\nuse = "./mine.py:breaks"\n'
    ended = graded(tmp_path, checks)
    assert ended.returncode == 3
    assert not (tmp_path / "logs" / "reward.json").exists()
    assert "no such tool" in (tmp_path / "logs" / "ctrf.json").read_text()


def test_an_unknown_check_breaks_and_names_the_nearest(tmp_path: Path) -> None:
    ended = graded(tmp_path, '[[check]]\nname = "a"\nuse = "./mine.py:is_their"\n')
    assert ended.returncode == 3
    assert "has no function `is_their`" in ended.stdout


def test_compiled_packages_are_refused() -> None:
    with pytest.raises(InputError, match="compiled"):
        kit(["numpy"])


def test_a_package_whose_root_holds_no_module_is_found(tmp_path: Path) -> None:
    pytest.importorskip("ruamel.yaml")
    (tmp_path / "kit.pyz").write_bytes(kit(["ruamel.yaml"]))
    code = "import sys; sys.path.insert(0, sys.argv[1]); import ruamel.yaml; print(ruamel.yaml.__file__)"
    ended = subprocess.run([sys.executable, "-ISc", code, str(tmp_path / "kit.pyz")], capture_output=True, text=True)
    assert "kit.pyz" in ended.stdout
