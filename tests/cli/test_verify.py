"""`fairtrial verify` and the files that `fairtrial prove` writes, from outside: exit codes, documents, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.cli.test_prove import GENEROUS, SOUND, make_task

from fairtrial.cli import main
from fairtrial.sandbox import default

QUICK = ("--known-only", "--repeats", "2", "--concurrency", "2")


Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs fairtrial with --json in this process, and returns exit code, document and what it noted."""

    def run_here(*words: str | Path | int) -> tuple[int, dict[str, Any], str]:
        code = main.run([*map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return run_here


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    if not default()[0].capability().isolated:
        pytest.skip("bubblewrap does not work here")
    make_task(tmp_path / "suite" / "generous", GENEROUS)
    return tmp_path / "suite"


def test_files_are_written_and_the_certificate_holds_until_a_file_moves(suite: Path, tmp_path: Path, run: Run) -> None:
    certificate, sarif, junit = (tmp_path / "out" / name for name in ("c.json", "s.sarif", "j.xml"))
    code, _, _ = run("prove", suite, *QUICK, "--certificate", certificate, "--sarif", sarif, "--junit", junit)
    assert code == 1
    assert json.loads(sarif.read_text())["version"] == "2.1.0"
    assert ET.parse(junit).getroot().get("failures") == "1"
    code, document, _ = run("verify", certificate, suite, "--sample", 1)
    assert (code, document["schema"], document["holds"]) == (0, "fairtrial.verification/1", True)
    tried = {task["task"]: {rerun["probe"] for rerun in task["reruns"]} for task in document["tasks"]}
    assert tried["generous"] == {"null", "reference", "defect:turned"}
    grader = suite / "generous" / "tests" / "test.sh"
    grader.write_text(grader.read_text() + "true\n")
    code, document, _ = run("verify", certificate, suite, "--sample", 0)
    assert (code, [task["holds"] for task in document["tasks"]]) == (1, [False])


def test_an_accepted_finding_changes_the_exit_code_alone_and_what_did_not_change_is_held(
    suite: Path, tmp_path: Path, run: Run
) -> None:
    baseline, ledger = tmp_path / "baseline.json", tmp_path / "ledger"
    words = ("prove", suite, *QUICK, "--ledger", ledger)
    assert run(*words, "--write-baseline", baseline)[0] == 1
    code, document, errors = run(*words, "--changed", "--baseline", baseline)
    assert (code, document["baseline"]["accepted"]) == (1, 0)
    assert "has no reason" in errors
    assert [task["held"] for task in document["tasks"]] == [True]
    known = json.loads(baseline.read_text())
    known["findings"][0]["reason"] = "mended soon"
    baseline.write_text(json.dumps(known))
    code, document, _ = run(*words, "--changed", "--baseline", baseline)
    assert (code, document["tasks"][0]["status"]) == (0, "refuted")
    (finding,) = document["tasks"][0]["findings"]
    assert (finding["accepted"], finding["reason"]) == (True, "mended soon")


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """Run fairtrial in this process; return what it said of bad input."""
    assert main.run([str(word) for word in words]) == 2, words
    return " ".join(capsys.readouterr().err.split())


def test_bad_input_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = make_task(tmp_path / "task", SOUND)
    other = make_task(tmp_path / "elsewhere" / "task", SOUND)
    for words, expected in (
        (["prove", task, "--changed"], "--ledger"),
        (["prove", task, "--baseline", tmp_path / "none.json"], "none.json"),
        (["prove", task, "--sarif", tmp_path], "is a folder"),
        (["prove", task, other, "--certificate", tmp_path / "c.json"], "names each once"),
        (["verify", tmp_path / "none.json", task], "none.json"),
        (["verify", task / "task.toml", task], "is not JSON"),
        (["verify", tmp_path / "none.json", task, "--sample", "-1"], "sample"),
    ):
        assert expected in refused(capsys, *words), words


@pytest.mark.parametrize("name", ["moon", "os:system"])
def test_a_certificate_cannot_choose_what_is_loaded(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made_in = {
        "tool": "1", "catalogue": "", "sandbox": name, "isolated": True, "host": {},
        "options": {"repeats": 2, "concurrency": 2, "only": "", "pass_at": 1.0, "seed": 0, "known_only": True,
                    "mutants": 1, "runners": ["ours"]},
    }  # fmt: skip
    content = {
        "schema": "fairtrial.certificate/1",
        "hash": "x",
        "suite": "s",
        "suite_hash": "",
        "circumstances": made_in,
    }
    (tmp_path / "c.json").write_text(json.dumps(content))
    said = refused(capsys, "verify", tmp_path / "c.json", make_task(tmp_path / "task", SOUND))
    assert f"no sandbox `{name}`" in said
