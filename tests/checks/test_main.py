"""The kit grades by the grading.toml beside it: the score of the rule, no reward where it is open, nonsense refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.checks.kit import kit

MINE = """
from fairtrial.checks import CheckError, Result

def holds():
    return Result(True, "it holds", value=3)

def fails():
    return Result(False, "it does not hold")

def breaks():
    raise CheckError("no such tool")

def crashes():
    return 1 / 0
"""
GRADING = """quality_weight = 0.25
[[check]]
name = "a"
[[check]]
name = "b"
depends_on = ["a"]
[[check]]
name = "tidy"
role = "quality"
"""


@pytest.fixture(scope="module")
def packed() -> bytes:
    return kit()


def graded(packed: bytes, folder: Path, grading: str, **checks: str) -> tuple[int, object, str]:
    """Return the exit code, the reward (None where none was written) and what was said on stderr."""
    tests = folder / "tests"
    tests.mkdir()
    (tests / "fairtrial.pyz").write_bytes(packed)
    (tests / "mine.py").write_text(MINE)
    (tests / "grading.toml").write_text(grading)
    (tests / "checks.toml").write_text(
        "".join(f'[[check]]\nname = "{name}"\nuse = "./mine.py:{does}"\n' for name, does in checks.items())
    )
    command = [sys.executable, "-I", "-S", str(tests / "fairtrial.pyz"), str(tests), str(folder / "logs")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert "Traceback" not in ended.stderr
    reward = folder / "logs" / "reward.json"
    return ended.returncode, json.loads(reward.read_text())["reward"] if reward.exists() else None, ended.stderr


@pytest.mark.parametrize(
    ("does", "code", "reward"),
    [
        (("holds", "holds", "holds"), 0, 1.0),
        (("holds", "holds", "fails"), 0, 0.75),
        (("fails", "holds", "holds"), 0, 0.0),
        (("holds", "fails", "breaks"), 0, 0.5),
        (("holds", "fails", "crashes"), 0, 0.5),
        (("crashes", "holds", "holds"), 3, None),
        (("holds", "holds", "breaks"), 3, None),
        (("breaks", "holds", "holds"), 3, None),
        (("fails", "breaks", "holds"), 3, None),
    ],
)
def test_the_reward_is_the_score_of_the_rule(
    packed: bytes, tmp_path: Path, does: tuple[str, str, str], code: int, reward: float | None
) -> None:
    found = graded(packed, tmp_path, GRADING, **dict(zip(("a", "b", "tidy"), does, strict=True)))
    assert found[:2] == (code, reward)


@pytest.mark.parametrize(
    ("grading", "said"),
    [
        ("[[check]\n", "not TOML"),
        ("check = 1\n", "grading.toml"),
        ("x = " + "[" * 3000, "not TOML"),
        ('[[workflow]]\nname = "w"\nwieght = 9\n[[check]]\nname = "a"\nworkflow = "w"\n', "no key `wieght`"),
        ('[[check]]\nname = "a"\nrole = "boss"\n', "boss"),
        ('[[check]]\nname = "a"\ndepends_on = ["a"]\n', "a → a"),
        ('[[check]]\nname = "a"\n[[check]]\nname = "other"\n', "no result .* other"),
        ('[[check]]\nname = "other"\n', "does not name: a"),
    ],
)
def test_a_grading_toml_that_cannot_be_used_is_bad_input_and_leaves_no_reward(
    packed: bytes, tmp_path: Path, grading: str, said: str
) -> None:
    code, reward, told = graded(packed, tmp_path, grading, a="holds")
    assert (code, reward) == (2, None)
    assert re.search(said, told)


def test_a_box_that_speaks_ascii_alone_is_told_all_the_same(packed: bytes, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "fairtrial.pyz").write_bytes(packed)
    (tests / "mine.py").write_text(
        "from fairtrial.checks import Result\n\ndef holds():\n    return Result(True, 'caf\\u00e9 \\u2026 \\udcff')\n"
    )
    (tests / "checks.toml").write_text('\ufeff[[check]]\nname = "é"\nuse = "./mine.py:holds"\n', encoding="utf-8")
    for coding in ("ascii", "latin-1", "utf-8"):
        command = [
            sys.executable,
            "-S",
            "-X",
            "utf8=0",
            str(tests / "fairtrial.pyz"),
            str(tests),
            str(tmp_path / coding),
        ]
        environment = {"PYTHONIOENCODING": coding, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
        ended = subprocess.run(command, capture_output=True, check=False, env=environment)
        assert (ended.returncode, ended.stderr) == (0, b"")
        assert ended.stdout.startswith(b"ok   ")
        assert json.loads((tmp_path / coding / "reward.json").read_text())["reward"] == 1.0


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise SystemExit(0)", "it ended with SystemExit: 0"),
        ("return True", "returned True, which is no Result"),
        ("return Result(None, 'so')", "no yes or no"),
        ("return Result(True, None)", "no yes or no"),
        ("raise Mute", "it ended with"),
        ("return 1 / 0", "it ended with ZeroDivisionError: division by zero"),
    ],
)
def test_a_check_of_the_authors_own_that_goes_wrong_costs_itself_alone(
    packed: bytes, tmp_path: Path, body: str, said: str
) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "fairtrial.pyz").write_bytes(packed)
    mute = "class Mute(Exception):\n    def __str__(self):\n        raise ValueError\n"
    (tests / "mine.py").write_text(f"{MINE}\n{mute}\ndef odd():\n    {body}\n")
    (tests / "checks.toml").write_text(
        '[[check]]\nname = "odd"\nuse = "./mine.py:odd"\n[[check]]\nname = "a"\nuse = "./mine.py:holds"\n'
    )
    command = [sys.executable, "-I", "-S", str(tests / "fairtrial.pyz"), str(tests), str(tmp_path / "logs")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (3, "")
    assert said in ended.stdout
    statuses = json.loads((tmp_path / "logs" / "ctrf.json").read_text())["results"]["tests"]
    assert {test["name"]: test["status"] for test in statuses} == {"a": "passed", "odd": "other"}
    assert not (tmp_path / "logs" / "reward.json").exists()


def test_logs_that_cannot_be_written_are_told(packed: bytes, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "fairtrial.pyz").write_bytes(packed)
    (tests / "mine.py").write_text(MINE)
    (tests / "checks.toml").write_text('[[check]]\nname = "a"\nuse = "./mine.py:holds"\n')
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-I", "-S", str(tests / "fairtrial.pyz"), str(tests), str(tmp_path / "file" / "logs")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert ended.stderr.startswith("error: the report cannot be written")


@pytest.mark.parametrize(("logs", "left"), [("", "gone"), ("/logs/tried", "alive")])
def test_others_are_ended_only_where_harbor_looks_for_the_report(
    packed: bytes, tmp_path: Path, logs: str, left: str
) -> None:
    (tmp_path / "fairtrial.pyz").write_bytes(packed)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "checks.toml").write_text(
        'end_others = true\n[[check]]\nname = "a"\nuse = "./mine.py:holds"\n', encoding="utf-8"
    )
    graded = f"{sys.executable} -I {tmp_path}/fairtrial.pyz {tmp_path} {logs} >/dev/null"
    said = f"sleep 60 & {graded}; kill -0 $! 2>/dev/null && echo alive || echo gone; kill $! 2>/dev/null"
    box = ["bwrap", "--tmpfs", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-pid"]
    for place in sorted(set(Path("/").iterdir()) - {Path("/proc"), Path("/dev"), Path("/sys"), Path("/logs")}):
        box += ["--symlink", str(place.readlink())] if place.is_symlink() else ["--ro-bind-try", str(place)]
        box += [str(place)]
    ended = subprocess.run([*box, "bash", "-c", said], capture_output=True, text=True, check=False)
    if "bwrap:" in ended.stderr:
        pytest.skip(f"bubblewrap does not work here: {ended.stderr.strip()}")
    assert ended.stdout.split() == [left], ended.stderr
