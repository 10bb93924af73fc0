"""`fairtrial lint` names criteria that are no single question."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fairtrial.checks.judged import warnings_in
from fairtrial.cli.main import run

TASK = Path(__file__).resolve().parents[3] / "examples" / "refund-desk" / "four-tickets"


@pytest.mark.parametrize(
    ("criterion", "code"), [("Does the note name ticket 4?", 0), ("Does the note name tickets 3 and 4?", 1)]
)
def test_a_criterion_that_asks_two_things_is_a_lead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], criterion: str, code: int
) -> None:
    shutil.copytree(TASK, tmp_path / "task")
    checks = tmp_path / "task" / "tests" / "checks.toml"
    (tmp_path / "task" / "grading.toml").unlink()  # it names the checks of that task
    checks.write_text(f'[[check]]\nname = "named"\nuse = "judged"\ncriterion = "{criterion}"\nartifacts = ["/a"]\n')
    assert run(["lint", str(tmp_path / "task")]) == code
    assert ("the criterion of `named` asks several things" in capsys.readouterr().out) is bool(code)
    assert [name for name, _ in warnings_in(checks)] == ["named"] * code
