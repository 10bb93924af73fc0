"""In a browser the same walk finds the same facts, what scripts show is waited for, and screenshots are kept."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from fairtrial.checks.protocol import CheckError
from fairtrial.checks.state.workflows import Walks, workflow
from fairtrial.checks.state.workflows import browser as browsing

from .test_workflow import FACTS, laid

pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(not any(map(shutil.which, browsing.PROGRAMS)), reason="there is no Chromium here"),
]


@pytest.fixture(autouse=True)
def _installed() -> None:
    pytest.importorskip("playwright")


def facts(folder: Path, steps: str = "", fault: str = "") -> dict[str, bool]:
    laid(folder, *([steps] if steps else []), fault=fault)
    walks = Walks()
    try:
        found = workflow(
            walks, str(folder / "workflows.toml"), "refund", browser=True, screenshots=str(folder / "shots")
        )
    finally:
        walks.close()
    for row in (row for row in found.evidence["screenshots"] if "missing" not in row):
        assert hashlib.sha256((folder / "shots" / row["file"]).read_bytes()).hexdigest() == row["sha256"]
    return {name: fact["passed"] for name, fact in found.evidence["facts"].items()}


@pytest.mark.parametrize("fault", ["", pytest.param("forgets", marks=pytest.mark.long)])
def test_a_browser_finds_what_http_finds(tmp_path: Path, fault: str) -> None:
    found = facts(tmp_path, fault=fault)
    assert {name for name, passed in found.items() if not passed} == ({"refunded", "api"} if fault else set())
    assert set(found) == set(FACTS)
    assert len(list((tmp_path / "shots").iterdir())) == 6


def test_a_browser_that_does_not_start_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in browsing.PROGRAMS:
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for _ in range(2):  # what was left of the first would keep the second from being tried
        with pytest.raises(CheckError, match=r"the browser does not start: .*closed"):
            browsing.BrowserVisitor("http://127.0.0.1:9")


def test_what_a_script_shows_late_is_waited_for_and_dialogs_are_accepted(tmp_path: Path) -> None:
    steps = (
        '[[workflow]]\nname = "refund"\nstep = [{ open = "/script" }, { click = "Show" }, '
        '{ expect = "late", after = "Shown late:", equals = "7", kind = "number" }]\n'
    )
    assert facts(tmp_path, steps) == {"late": True}


@pytest.mark.long
def test_a_script_without_end_fails_the_walk_and_does_not_hang_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "HANGS_SECONDS", 20.0)
    steps = (
        '[[workflow]]\nname = "refund"\nstep = [{ open = "/loop" }, { click = "x" }, { expect = "seen", text = "x" }]\n'
    )
    assert facts(tmp_path, steps) == {"seen": False}


def test_what_lies_elsewhere_is_not_loaded(tmp_path: Path) -> None:
    steps = '[[workflow]]\nname = "refund"\nstep = [{ open = "/away" }, { expect = "away", text = "x" }]\n'
    assert facts(tmp_path, steps) == {"away": False}
