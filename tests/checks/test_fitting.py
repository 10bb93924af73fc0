"""A checks.toml that no check would take is told so before anything runs. Not covered: values that make no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.checks.checks_file import read_checks
from fairtrial.checks.fitting import misfits


def said(folder: Path, *lines: str) -> list[str]:
    (folder / "mine.py").write_text("raise SystemExit('it was imported')\n")
    (folder / "checks.toml").write_text('[[check]]\nname = "a"\n' + "\n".join(lines) + "\n")
    return [str(error) for error in misfits(read_checks(folder / "checks.toml"))]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (['use = "file_texts"', 'path = "/a"'], "no check `file_texts`"),
        (['use = "file_text"', 'paht = "/a"'], "no parameter `paht`"),
        (['use = "file_text"'], "needs the parameter `path`"),
        (['use = "answer_equals"', 'path = "/a"', 'kind = "number"', "reference = 3"], "not 3"),
        (['use = "at_most"', 'action = {tool = "x"}', 'times = "1"'], "not '1'"),
        (['use = "judged"', 'artifacts = ["/a"]'], "needs the parameter `criterion`"),
        (['use = "./yours.py:f"'], "no file `./yours.py`"),
        (['use = "./mine.py"'], "names no function"),
    ],
)
def test_what_does_not_fit_is_named_with_its_check(tmp_path: Path, lines: list[str], words: str) -> None:
    (error,) = said(tmp_path, *lines)
    assert "check `a`" in error
    assert words in error


@pytest.mark.parametrize(
    "lines",
    [
        ['use = "file_text"', 'path = "/a"'],
        ['use = "at_most"', 'action = {tool = "x"}', "times = 1"],
        ['use = "judged"', 'criterion = "Is it?"', 'artifacts = ["/a"]'],
        ['use = "./mine.py:f"', "anything = 1"],
    ],
)
def test_what_fits_is_left_alone_and_code_of_the_task_is_not_imported(tmp_path: Path, lines: list[str]) -> None:
    assert said(tmp_path, *lines) == []
