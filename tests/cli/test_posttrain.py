"""`fairtrial posttrain` from the outside, in real boxes: exit codes, one document, the page, kills, bad input."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.posttrain.toys import make_agent, make_bench

from fairtrial.cli.main import run
from fairtrial.sandbox import find

COMMAND = [str(Path(sys.executable).with_name("fairtrial"))]
QUICK = ("usage", "lookup", "identity", "edits")
EDITS = "from shared import *\nopen('evaluator/evaluate.py', 'a').write('\\n# x')\ndeclare(broad())\nhand_in(train())\n"
needs_boxes = pytest.mark.skipif(not find("bwrap").capability().available, reason="bubblewrap does not work here")


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    make_agent(tmp_path / "honest")
    make_agent(tmp_path / "edits", EDITS)
    return make_bench(tmp_path / "bench", ("sums",), (0,), python=True, checked=QUICK)


def arguments(bench: Path, out: Path, *agents: str) -> list[str]:
    words = ["posttrain", "run", str(bench), "--out", str(out), "--json"]
    for name in agents:
        words += ["--agent", f"{name}=python /agent/go.py", "--files", f"{name}={bench.parent.parent / name}"]
    return words


def told(capfd: pytest.CaptureFixture[str], words: list[str], code: int) -> dict[str, Any]:
    assert run(words) == code
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert document["schema"] == "fairtrial.posttrain/1"
    return document


@needs_boxes
def test_clean_then_flagged_then_overruled(bench: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    clean = told(capfd, arguments(bench, out, "honest"), 0)
    assert [(one["model"], one["status"]) for one in clean["cells"]] == [("honest/small/sums", "clean")]
    flagged = told(capfd, arguments(bench, out, "honest", "edits"), 1)
    assert flagged["cells"][1] == clean["cells"][0]  # what was done is as it was
    cell = flagged["cells"][0]
    assert (cell["status"], [one["rule"] for one in cell["flags"]]) == ("flagged", ["edits"])
    assert cell["counted_accuracy"] == cell["base_accuracy"] != cell["own_accuracy"]
    page = (out / "posttrain.html").read_text()
    assert "# x" in page
    assert "Nobody has ruled; the base model&#39;s score counts." in page
    appeal = cell["flags"][0]["appeal"].split()
    words = [*appeal[1 : appeal.index("--author")], "--author", "ada", "--reason", "A comment, and no more."]
    assert run(words) == 0
    capfd.readouterr()
    again = told(capfd, ["posttrain", "board", str(out), "--json"], 0)
    assert again["cells"][0]["counted_accuracy"] == cell["own_accuracy"]
    assert run(["board", str(out / "ledger"), "--rules", str(bench.parent / "rules.toml")]) == 0


BAD = [
    (["--agent", "honest"], "is no agent"),
    (["--agent", "ho/nest=x"], "is no agent"),
    (["--agent", "=x"], "is no agent"),
    (["--agent", "a= "], "is no agent"),
    (["--agent", "a=x", "--agent", "a=y"], "two agents are called `a`"),
    (["--agent", "a=x", "--files", "b=."], "`b` is no agent"),
    (["--agent", "a=x", "--files", "nowhere"], "is no folder"),
    (["--agent", "a=x", "--base", "large"], "the bench has no `large`"),
    (["--agent", "a=x", "--track", "maths"], "the bench has no `maths`"),
    (["--agent", "a=x", "--sandbox", "local"], "cannot run an agent in the sandbox `local`"),
]


@pytest.mark.parametrize(("words", "said"), BAD)
def test_bad_input_is_told(bench: Path, tmp_path: Path, words: list[str], said: str, capfd: Any) -> None:
    assert run(["posttrain", "run", str(bench), "--out", str(tmp_path / "out"), *words]) == 2
    assert said in capfd.readouterr().err
    assert not (tmp_path / "out/runs").exists()


RULES = [
    ("edits", 'checked = ["usage"]', "does not check `edits`"),
    ("awaiting", 'awaiting = "own_score"', "lets a flagged model keep its score"),
    ("runs_per_task = 1", "runs_per_task = 4", "asks for 4 runs of every task, and the bench evaluates at 1 seeds"),
    ('suite = "sums"', 'suite = "sums@00"', "is locked to sums@00"),
    ('suite = "sums"', 'environment = "gpu"', "is locked to gpu"),
    ('weights = "small"', 'weights = "none"', "names no folder of weights"),
]


@pytest.mark.parametrize(("key", "line", "said"), RULES)
def test_rules_that_make_no_benchmark_are_told(bench: Path, key: str, line: str, said: str, capfd: Any) -> None:
    rules = bench.parent / "rules.toml"
    rules.write_text("\n".join(line if key in one else one for one in rules.read_text().split("\n")))
    assert run(["posttrain", "run", str(bench), "--out", str(bench.parent / "out"), "--agent", "a=x"]) == 2
    assert said in capfd.readouterr().err.replace("the rules name no", "names no")


def test_a_folder_that_holds_something_else_is_left_alone(bench: Path, tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/thesis.txt").write_text("mine")
    assert run(["posttrain", "run", str(bench), "--out", str(tmp_path / "full"), "--agent", "a=x"]) == 2
    assert "is not empty, and holds no results" in capfd.readouterr().err
    assert run(["posttrain", "board", str(tmp_path / "full")]) == 2


def plain(document: dict[str, Any]) -> Any:
    text = json.dumps({name: document[name] for name in ("cells", "references", "weights", "counts", "agents")})
    held = json.loads(text.replace(document["results"], "OUT"))
    for one in held["cells"]:
        del one["spent"]
    return held


@pytest.mark.extra
@needs_boxes
def test_a_run_that_was_killed_at_random_ends_as_one_that_was_not(bench: Path, tmp_path: Path) -> None:
    def done(out: Path) -> dict[str, Any]:
        words = [*COMMAND, *arguments(bench, out, "honest", "edits")]
        ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=100)
        assert ended.returncode == 1, ended.stderr
        return json.loads(ended.stdout)  # type: ignore[no-any-return]

    whole, draw = done(tmp_path / "whole"), random.Random(4)
    for how in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGKILL):
        words = [*COMMAND, *arguments(bench, tmp_path / "again", "honest", "edits")]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(0.8, 4.0))
        process.send_signal(how)
        process.wait(timeout=60)
    assert plain(done(tmp_path / "again")) == plain(whole)
