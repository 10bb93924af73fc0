"""`fairtrial prove --grader` from the outside: documents as promised, exit codes, what a ledger keeps."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run as front_door
from fairtrial.ledger import Ledger, connect

GRADERS = """
def exact(completion, answer):
    return float(completion.strip() == answer)


def anything(completion, answer):
    return 1.0


def nothing(completion, answer):
    return 0.0
"""


Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a way to run fairtrial with --json among graders and cases: exit code, document, what stood on stderr."""
    (tmp_path / "graders.py").write_text(GRADERS)
    rows = [{"question": f"{n} squared?", "answer": str(n * n)} for n in (7, 12, 31)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.chdir(tmp_path)

    def run_it(*words: str) -> tuple[int, dict[str, Any], str]:
        code = front_door([*words, "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return run_it


@pytest.mark.parametrize(
    ("grader", "code", "status"),
    [("graders:exact", 3, "inconclusive"), ("graders:nothing", 3, "inconclusive"),
     pytest.param("graders.py:anything", 1, "refuted", marks=pytest.mark.extra)],
)  # fmt: skip
def test_exit_code_and_document(run: Run, tmp_path: Path, grader: str, code: int, status: str) -> None:
    words = ("prove", "--grader", grader, "--cases", "cases.jsonl", "--only", "nothing", "--ledger", "ledger")
    found, document, _ = run(*words)
    [task] = document["tasks"]
    assert (found, task["status"], document["schema"]) == (code, status, "fairtrial.proof/1")
    assert {"false_pass_ceiling", "laziest_policy", "false_fail_rate", "gold"} == set(task["figures"])
    kept = connect(Ledger.open(tmp_path / "ledger")).execute("select count(*) from proofs").fetchone()
    assert kept == (1,)
    one_a_family = {finding["family"]: finding for finding in task["findings"]}  # each is a proof of its own to run
    for finding in one_a_family.values():
        again, shown, _ = run(*shlex.split(finding["command"])[1:])
        assert again == code
        assert finding["probe"] in {one["probe"] for one in shown["tasks"][0]["findings"]}


@pytest.mark.parametrize(
    "words",
    [("--grader", "graders:absent", "--cases", "cases.jsonl"), ("--grader", "graders", "--cases", "cases.jsonl"),
     ("--grader", "graders:exact", "--cases", "absent.jsonl"), ("--grader", "graders:exact"),
     ("--grader", "graders:exact", "--cases", "cases.jsonl", "--python", "no-such-python"),
     ("--grader", "graders:exact", "--cases", "cases.jsonl", "--framework", "gym"),
     ("--grader", "graders:exact", "--cases", "cases.jsonl", "--sandbox", "fake"),
     ("--grader", "graders:exact", "--cases", "cases.jsonl", "--call-seconds", "inf"),
     ("--grader", "graders:exact", "--cases", "cases.jsonl", "--changed"),
     ("--grader", "graders:exact", "--cases", "cases.jsonl", "--judge", "judge.toml"),
     ("suite", "--grader", "graders:exact", "--cases", "cases.jsonl"), ("suite", "--cases", "cases.jsonl")],
)  # fmt: skip
def test_bad_input_is_said_with_exit_2(run: Run, words: tuple[str, ...]) -> None:
    code, document, said = run("prove", *words)
    assert (code, document) == (2, {})
    assert "error: " in said.lower().replace("─ error ─", "error: ")
