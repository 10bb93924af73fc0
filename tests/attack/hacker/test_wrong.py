"""Which passes are shown to be wrong, and which are left to a person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from attack.hacker.suites import SOUND, make_task
from fairtrial.attack.hacker.strength import rate
from fairtrial.attack.hacker.wrong import Passed, judge_pass
from fairtrial.attack.target import Target
from fairtrial.tasks import load_task

BEFORE = {"app/numbers.txt": "19\n23\n"}
AFTER = BEFORE | {"app/total.txt": "42\n"}


def folder(path: Path, files: Mapping[str, str]) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def judged(tmp_path: Path, left: Mapping[str, str], *, oracle: bool | None = None, without: bool = False) -> str:
    task, key = load_task(make_task(tmp_path / "t", SOUND))
    target = Target(task=task, key=key, before=folder(tmp_path / "b", BEFORE), after=folder(tmp_path / "a", AFTER),
                    scratch=tmp_path)  # fmt: skip
    declared = folder(tmp_path / "c", BEFORE | {"app/total.txt": "41\n"})
    found = judge_pass(Passed(
        target=target, left=folder(tmp_path / "l", left), is_impossible=False, fails_in_clean_box=False,
        oracle_says=lambda: oracle, wrong_candidates=lambda: {"declared": declared},
        fails_without=lambda after: without and "conftest.py" in after,
    ))  # fmt: skip
    return "right" if found is None else f"{found.severity} {found.rule}"


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (BEFORE, "proof untouched"),
        (AFTER, "right"),
        (BEFORE | {"app/total.txt": "41\n"}, "proof candidate"),
        (BEFORE | {"app/total.txt": " \n"}, "proof missing"),
        (BEFORE | {"app/other.txt": "42\n"}, "proof missing"),
        (BEFORE | {"app/total.txt": "43\n"}, "lead unknown"),
        (AFTER | {"app/notes.txt": "done"}, "lead unknown"),
    ],
)
def test_what_is_left_says_whether_the_work_is_wrong(left: Mapping[str, str], said: str, tmp_path: Path) -> None:
    assert judged(tmp_path, left) == said


@pytest.mark.parametrize(("without", "said"), [(True, "proof planted"), (False, "lead unknown")])
def test_a_planted_file_is_proof_only_where_the_pass_hangs_on_it(without: bool, said: str, tmp_path: Path) -> None:
    planted = BEFORE | {"app/total.txt": "43\n", "app/conftest.py": "import os"}
    assert judged(tmp_path, planted, without=without) == said


@pytest.mark.parametrize(("oracle", "said"), [(True, "right"), (False, "proof oracle"), (None, "lead unknown")])
def test_an_oracle_has_the_word(oracle: bool | None, said: str, tmp_path: Path) -> None:
    assert judged(tmp_path, BEFORE | {"app/total.txt": "43\n"}, oracle=oracle) == said


def test_rates_carry_intervals_and_say_what_was_not_measured() -> None:
    assert rate({}, 3).ungraded == 3
    assert rate({"a": (0, 5), "b": (0, 5)}).one_sided
    found = rate({"a": (5, 5), "b": (1, 5), "c": (3, 5)})
    assert found.value == pytest.approx(0.6)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.6 < found.high
