"""`fairtrial prove` and `certify` from the outside: documents as promised, exit codes, commands that show it again."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairtrial.ledger import Ledger, connect
from fairtrial.sandbox import default

COMMAND = str(Path(sys.executable).with_name("fairtrial"))
SOUND = '[ "$(cat /app/answer 2>/dev/null)" = 42 ] && r=1 || r=0\n'
GENEROUS = "grep -q 4 /app/answer 2>/dev/null && r=1 || r=0\n"
BROKEN = "r=7\n"


def make_task(folder: Path, grader: str, *, reference: bool = True) -> Path:
    """Write a task that wants 42, with one defect that hands in 24."""
    files = {
        "task.toml": 'version = "1.0"\n[verifier]\ntimeout_sec = 30.0\n[agent]\ntimeout_sec = 30.0\n',
        "instruction.md": "Write 42 into /app/answer.\n",
        "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n",
        "tests/test.sh": f"mkdir -p /logs/verifier\n{grader}echo $r > /logs/verifier/reward.txt\n",
        "candidates/turned/solve.sh": "echo 24 > /app/answer\n",
        "proof.toml": '[[candidate]]\nname = "turned"\nkind = "defect"\nsolve = "candidates/turned/solve.sh"\n',
    }
    if reference:
        files["solution/solve.sh"] = "echo 42 > /app/answer\n"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def run(*words: str | Path) -> tuple[int, dict[str, Any], str]:
    """Run fairtrial with --json; return exit code, document and what stood on stderr."""
    done = subprocess.run([COMMAND, *map(str, words), "--json"], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    if not default()[0].capability().isolated:
        pytest.skip("bubblewrap does not work here")


@pytest.mark.parametrize(
    ("grader", "reference", "code", "status"),
    [(SOUND, True, 0, "proven"), (GENEROUS, True, 1, "refuted"), (BROKEN, True, 3, "inconclusive"),
     (SOUND, False, 3, "inconclusive")],
)  # fmt: skip
def test_exit_code_and_document(tmp_path: Path, grader: str, reference: bool, code: int, status: str) -> None:
    found, document, _ = run(
        "prove", make_task(tmp_path / "task", grader, reference=reference), "--repeats", 2, "--known-only"
    )
    assert (found, document["schema"]) == (code, "fairtrial.proof/1")
    (task,) = document["tasks"]
    assert task["status"] == status
    keys = {"task", "path", "status", "findings", "required", "measured", "not_applicable", "not_measured"}
    assert keys <= set(task)
    for finding in task["findings"]:
        assert {"probe", "family", "severity", "claim", "command", "evidence", "runner"} <= set(finding)


@pytest.mark.extra
def test_the_command_of_a_proof_shows_it_again(tmp_path: Path) -> None:
    _, document, _ = run("prove", make_task(tmp_path / "task", GENEROUS), "--repeats", 2, "--known-only")
    (finding,) = document["tasks"][0]["findings"]
    verb, *words = shlex.split(finding["command"])
    assert verb == "fairtrial"
    code, again, _ = run(*words)
    assert code == 1
    assert [one["claim"] for one in again["tasks"][0]["findings"]] == [finding["claim"]]


@pytest.mark.extra
def test_a_probe_finds_what_no_declared_candidate_shows(tmp_path: Path) -> None:
    task = make_task(tmp_path / "task", SOUND)
    code, document, _ = run("prove", task, "--only", "left_running")
    (finding,) = [one for one in document["tasks"][0]["findings"] if one["severity"] == "proof"]
    assert (code, finding["family"], finding["runner"]) == (1, "hack", "harbor_shared")
    _, again, _ = run(*shlex.split(finding["command"])[1:])
    assert (finding["probe"], "proof") in [(one["probe"], one["severity"]) for one in again["tasks"][0]["findings"]]
    code, document, _ = run("prove", task, "--only", "left_running", "--runners", "ours")
    assert (code, document["tasks"][0]["findings"]) == (3, [])


def test_a_runner_that_nobody_has_is_refused(tmp_path: Path) -> None:
    code, _, errors = run("prove", make_task(tmp_path / "task", SOUND), "--runners", "ours,theirs")
    assert code == 2
    assert "theirs" in errors


@pytest.mark.extra
def test_several_paths_and_the_worst_exit_code(tmp_path: Path) -> None:
    sound, generous = make_task(tmp_path / "sound", SOUND), make_task(tmp_path / "generous", GENEROUS)
    broken = make_task(tmp_path / "broken", BROKEN)
    code, document, _ = run("prove", broken, generous, sound, "--repeats", 2, "--known-only")
    assert code == 1
    assert [task["status"] for task in document["tasks"]] == ["inconclusive", "refuted", "proven"]


def test_the_ledger_keeps_proofs_findings_and_known_rollouts(tmp_path: Path) -> None:
    words = ["--repeats", 2, "--known-only", "--ledger", tmp_path / "ledger"]
    run("prove", make_task(tmp_path / "task", GENEROUS), *words)
    connection = connect(Ledger.open(tmp_path / "ledger"))
    assert connection.execute("select status from proofs").fetchall() == [("refuted",)]
    assert connection.execute("select family, severity from findings").fetchall() == [("defect", "proof")]
    assert connection.execute("select distinct origin from rollouts").fetchall() == [("known",)]


def test_bad_input_is_named(tmp_path: Path) -> None:
    task = make_task(tmp_path / "task", SOUND)
    for words, expected in (
        (["prove", tmp_path / "nowhere"], "nowhere"),
        (["prove", task, "--only", "defect:none"], "defect:turned"),
        (["prove", task, "--repeats", 0], "repeats"),
        (["prove", task, "--sandbox", "moon"], "moon"),
        (["prove", task, "--cases", "cases.jsonl"], "--cases"),
        (["prove", task, "--sarif", task / "task.toml" / "found.sarif"], "--sarif"),
    ):
        code, _, errors = run(*words)
        assert code == 2, words
        assert expected in errors
    (task / "tests" / "test.sh").unlink()
    code, _, errors = run("prove", task)
    assert code == 2
    assert "test.sh" in errors


POLICY = """
import json, os, sys
right = int(sys.argv[sys.argv.index("--seed") + 1]) % 2
open("/app/answer", "w").write("42" if right else "24")
with open(os.environ["FAIRTRIAL_STEPS"], "a") as steps:
    steps.write(json.dumps({"message": "wrote it", "command": "write", "output": ""}) + "\\n")
    steps.write(json.dumps({"stop": "finished"}) + "\\n")
"""


@pytest.mark.extra
def test_certify_proves_runs_and_reports(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_task(tmp_path / "suite" / name, SOUND)
    policy = tmp_path / "policies" / "coin.py"
    policy.parent.mkdir()
    policy.write_text(POLICY)
    words = [
        "certify",
        tmp_path / "suite",
        "--policy",
        policy,
        "--attempts",
        4,
        "--repeats",
        2,
        "--known-only",
        "--out",
        tmp_path / "out",
    ]
    code, document, _ = run(*words)
    assert (code, document["schema"]) == (0, "fairtrial.certify/1")
    assert document["proofs"] == {"proven": 2, "refuted": 0, "inconclusive": 0}
    assert document["rollouts"]["passed"] + document["rollouts"]["failed"] == 8
    page = (tmp_path / "out" / "report.html").read_text()
    assert "scripted:coin" in page
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"report.html", "report.md", "report.json", "ledger"}
    _, again, _ = run(*words)
    assert again["rollouts"]["already_there"] == 8


@pytest.mark.extra
def test_a_judge_that_cannot_be_asked_stops_certify_before_anything_is_run(tmp_path: Path) -> None:
    make_task(tmp_path / "suite" / "one", SOUND)
    with socket.socket() as held:  # a port that nobody answers on
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        code, _, said = run("certify", tmp_path / "suite", "--out", tmp_path / "out", "--judge-model", "m",
                            "--judge-base-url", url)  # fmt: skip
    assert code == 3
    assert "--judge-base-url" in said
    assert not (tmp_path / "out").exists()
