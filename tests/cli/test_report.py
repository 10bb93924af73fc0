"""`fairtrial report`: three files, a page on stdout or one document, and plain errors."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from tests.report.suites import fill

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "ledger"
    fill(Ledger.open(path, create=True), spend=False)
    return path


def test_one_document_and_three_files(ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(ledger), "--out", str(tmp_path), "--title", "A desk", "--json"]) == 0
    document = orjson.loads(capfd.readouterr().out)
    assert document["schema"] == "fairtrial.report/1"
    assert document["title"] == "A desk"
    assert document["verdict"]["sentence"].startswith("1 of 6 graders is refuted")
    assert {Path(path).name for path in document["paths"].values()} == {"report.html", "report.md", "report.json"}
    assert all(Path(path).stat().st_size > 1000 for path in document["paths"].values())


def test_the_page_is_printed(ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(ledger), "--out", str(tmp_path), "--model", "scripted:weak"]) == 0
    said = capfd.readouterr()
    assert "1 of 6 graders is refuted" in said.out
    assert "report.html" in said.err


def test_a_ledger_without_rollouts_is_still_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Ledger.open(tmp_path / "ledger", create=True)
    assert run(["report", str(tmp_path / "ledger"), "--out", str(tmp_path / "out")]) == 0
    assert "Nothing is proven of its graders" in capfd.readouterr().out


def test_bad_input_is_named(ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "not a ledger" in capfd.readouterr().err
    assert run(["report", str(ledger), "--out", str(tmp_path / "out"), "--model", "absent"]) == 2
    assert "scripted:strong" in capfd.readouterr().err


def test_a_seed_below_0_is_a_usage_error(ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(ledger), "--out", str(tmp_path), "--seed", "-1"]) == 2
    assert "--seed" in capfd.readouterr().err
