"""`fairtrial prove --judge` from the outside, the model over loopback: documents, exit codes, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger, connect
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import fail
from prove.judges.acted import POINTWISE, Acting, cases, injectable, sound


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "judge.toml").write_text(POINTWISE)
    return ["prove", "--judge", str(tmp_path / "judge.toml"), "--cases", str(cases(tmp_path / "cases.jsonl")),
            "--model", "m", "--repeats", "4", "--json"]  # fmt: skip


def proven(words: list[str], act: Any, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, Any]]:
    with ScriptedServer(Acting(act)) as server:
        code = run([*words, "--base-url", server.base_url, *more])
    return code, json.loads(capsys.readouterr().out)


def test_a_refuted_judge_is_told_with_its_command_and_kept(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--only", "injection", "--ledger", str(tmp_path / "ledger"), "--price", "1,1")
    code, document = proven(words, injectable, capsys, *more)
    (task,) = document["tasks"]
    assert (code, document["schema"], task["status"]) == (1, "fairtrial.proof/1", "refuted")
    (finding,) = task["findings"]
    assert finding["command"].endswith("--repeats 4 --only injection:note")
    assert task["figures"]["cost_usd"] > 0
    kept = connect(Ledger.open(tmp_path / "ledger")).execute("select probe from findings").fetchall()
    assert kept == [("injection:note",)]


def test_one_probe_alone_proves_no_judge(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, document = proven(words, sound, capsys, "--only", "known")
    assert (code, document["tasks"][0]["status"]) == (3, "inconclusive")


def test_a_budget_that_ends_leaves_the_rest_ungraded(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, document = proven(words, sound, capsys, "--only", "known", "--price", "100,100", "--max-usd", "0.02")
    (task,) = document["tasks"]
    assert (code, task["status"]) == (3, "inconclusive")
    assert 0 < task["ungraded"]["budget"] < task["asked"]


def test_a_model_that_cannot_be_asked_is_exit_3_and_nothing_is_measured(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer(lambda _: fail(401, "no such key")) as server:
        assert run([*words, "--base-url", server.base_url]) == 3
    assert "nothing was measured" in capsys.readouterr().err


@pytest.mark.parametrize(("gone", "said"), [("--cases", "--cases"), ("--model", "--model"), ("--judge", "PATHS")])
def test_what_is_missing_is_named(gone: str, said: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    place = words.index(gone)
    assert run(words[:place] + words[place + 2 :]) == 2
    assert said in capsys.readouterr().err


def test_an_unknown_probe_is_refused_before_anything_is_asked(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer([]) as server:
        assert run([*words, "--base-url", server.base_url, "--only", "nonsense"]) == 2
    assert "injection:note" in capsys.readouterr().err
    assert not server.asked
