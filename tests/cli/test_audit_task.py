"""`fairtrial audit task` from the outside: forms, second designs on the own grader, what stands and what is void."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_prove import SOUND, make_task

from fairtrial.cli import main
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.proven import all_findings
from fairtrial.sandbox import default

Run = Callable[..., tuple[int, dict[str, Any], str]]
ADA, BO = (("--reviewer", name, "--role", "domain expert", "--design", "in words") for name in ("ada", "bo"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs `audit task` with --json, and returns exit code, document and what it noted."""

    def run_here(*words: str | Path) -> tuple[int, dict[str, Any], str]:
        code = main.run(["audit", "task", *map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return run_here


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return a suite of one task that wants 42 in digits, with designs beside it."""
    if not default()[0].capability().isolated:
        pytest.skip("bubblewrap does not work here")
    make_task(tmp_path / "suite" / "digits", SOUND)
    designs = {"words/app/answer": "forty-two", "script/solve.sh": "echo 42 >/app/answer", "ends/solve.sh": "exit 3",
               "wrong.patch": "nothing",
               "right.patch": "--- /dev/null\n+++ b/answer\n@@ -0,0 +1 @@\n+42\n"}  # fmt: skip
    for name, text in designs.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "suite"


@pytest.mark.parametrize(
    ("design", "code", "passes"),
    [("words", 1, False), ("script", 0, True), ("ends", 3, None), ("right.patch", 0, True), ("wrong.patch", 3, None)],
)
def test_a_design_is_graded_by_the_tasks_own_grader(
    suite: Path, run: Run, design: str, code: int, passes: bool | None
) -> None:
    found, document, _ = run(suite, "--try", suite.parent / design)
    assert (found, document["passes"], document["schema"]) == (code, passes, "fairtrial.second-design/1")
    assert bool(document["reasons"]) is (passes is None)


def test_a_refused_design_is_a_lead_and_with_a_second_expert_a_proof_whose_command_shows_it(
    suite: Path, tmp_path: Path, run: Run
) -> None:
    book = tmp_path / "ledger"
    code, document, _ = run(suite, "--ledger", book, "--try", tmp_path / "words", *ADA)
    assert (code, document["finding"]["severity"]) == (1, "lead")
    code, document, _ = run(suite, "--ledger", book, "--try", tmp_path / "words", *BO)
    assert (code, document["finding"]["severity"]) == (1, "proof")
    words = shlex.split(document["finding"]["command"])
    assert words[:3] == ["fairtrial", "audit", "task"]
    assert run(*words[3:])[0] == 1
    held = Ledger.open(book)
    assert [finding.severity for finding in all_findings(held)].count("proof") == 1
    assert connect(held).execute("select distinct origin from rollouts").fetchall() == [("known",)]
    code, status, _ = run(suite, "--ledger", book)
    (task,) = status["tasks"]
    assert (code, status["schema"], task["parts"]["grader"]["state"]) == (1, "fairtrial.signoffs/1", "refused")
    assert [one["passes"] for one in task["second_designs"]] == [False, False]


def test_from_form_to_sign_offs_and_void_when_the_task_moves(suite: Path, tmp_path: Path, run: Run) -> None:
    form, book = tmp_path / "form.jsonl", tmp_path / "ledger"
    assert run(suite, "--write", form)[0] == 0
    rows = [json.loads(line) | {"holds": "yes", "reviewer": "ada", "role": "domain expert"}
            for line in form.read_text().splitlines()]  # fmt: skip
    rows[2] |= {"second_design": "the same by a script", "try": "script"}
    form.write_text("\n".join(map(json.dumps, rows)))
    code, document, noted = run(suite, "--ledger", book, "--answers", form)
    (task,) = document["tasks"]
    assert (code, document["holds"]) == (0, True)
    assert task["second_designs"][0]["passes"] is True
    assert "4 sign-offs kept" in noted
    assert "4 were there already" in run(suite, "--ledger", book, "--answers", form)[2]
    instruction = suite / "digits" / "instruction.md"
    instruction.write_text(instruction.read_text() + "In digits.\n")
    code, document, _ = run(suite, "--ledger", book, "--status")
    (moved,) = document["tasks"]
    assert (code, document["holds"], len(moved["void"])) == (3, None, 4)
    assert (moved["void"][0]["was"], moved["void"][0]["now"]) == (task["task_hash"], moved["task_hash"])
    code, _, noted = run(suite, "--ledger", book, "--answers", form)
    assert code == 2
    assert "moved since the form was written" in noted


def test_wrong_words_are_named(suite: Path, tmp_path: Path, run: Run) -> None:
    make_task(suite / "other", SOUND)
    form = tmp_path / "form.toml"
    form.write_text("")
    for words, said in (
        (["--try", tmp_path / "words"], "--task"),
        (["--task", "digits", "--try", tmp_path / "none"], "no such file"),
        (["--task", "digits", "--try", tmp_path / "words", "--ledger", tmp_path / "l", *ADA[:4]], "--design"),
        (["--task", "nothing", "--status"], "no task `nothing`"),
        (["--status"], "--ledger"),
        (["--status", "--write", form], "one thing at a time"),
        (["--write", form], "there already"),
        (["--write", tmp_path / "f.xls"], "no form of ours"),
    ):
        code, _, noted = run(suite, *words)
        assert code == 2, words
        assert said in noted


@pytest.mark.extra
def test_what_stands_is_on_the_certificate_and_verify_says_which_is_void(
    suite: Path, tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    book, certificate = tmp_path / "ledger", tmp_path / "certificate.json"
    run(suite, "--ledger", book, "--try", tmp_path / "script", *ADA)
    words = ["prove", suite, "--known-only", "--repeats", 2, "--concurrency", 1, "--ledger", book]
    main.run([*map(str, words), "--certificate", str(certificate)])
    (signoff,) = json.loads(certificate.read_text())["tasks"][0]["signoffs"]
    assert (signoff["reviewer"], signoff["second_design_passes"]) == ("ada", True)
    instruction = suite / "digits" / "instruction.md"
    instruction.write_text(instruction.read_text() + "In digits.\n")
    capsys.readouterr()
    assert main.run(["verify", str(certificate), str(suite), "--sample", "0"]) == 1
    assert f"ada (domain expert) on the grader: said of {signoff['task_hash']}" in capsys.readouterr().out
