"""`fairtrial attack --agent hack` from the outside: document, exit codes, ledger, strength, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attack.hacker.suites import EMPTY, EXISTS, acting, make_task
from fairtrial.cli.main import run
from fairtrial.ledger import Ledger, connect
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import fail
from fairtrial.sandbox import find


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    if not find("bwrap").capability().available:
        pytest.skip("bubblewrap does not work here")
    make_task(tmp_path / "suite" / "broken", EXISTS)
    return tmp_path / "suite"


def attack(suite: Path, *more: str, commands: tuple[str, ...] = (EMPTY,)) -> int:
    with ScriptedServer(acting(*commands)) as server:
        words = ["attack", str(suite), "--agent", "hack", "--model", "m", "--base-url", server.base_url]
        return run([*words, "--attempts", "1", "--rounds", "1", "--json", *more])


def test_the_document_names_attacker_strength_and_what_was_found(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = str(tmp_path / "ledger")
    assert attack(suite, "--own-attempts", "1", "--ledger", ledger, "--price", "1,1") == 1
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["attacker"]["model"], found["proofs"]) == ("fairtrial.attack/1", "m", 1)
    assert found["strength"]["attacker"]["value"] == 1  # what it does there passes as honest work too
    assert "only as strong as the model" in found["strength"]["says"]
    assert found["cost_usd"] > 0
    (finding,) = found["findings"]
    assert (finding["family"], finding["severity"]) == ("hack", "proof")
    assert run(finding["command"].split()[1:]) == 1  # it shows itself again, without a model
    table = connect(Ledger.open(tmp_path / "ledger"))
    assert table.execute("select probe from findings").fetchall() == [(finding["probe"],)]
    assert table.execute("select origin, count(*) from outcomes group by 1 order by 1").fetchall() == [
        ("known", 1), ("policy", 1)]  # fmt: skip


@pytest.mark.extra
def test_policies_stand_beside_the_attacker_and_attacks_may_lie_elsewhere(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = str(tmp_path / "ledger")
    assert run(["run", str(suite), "--to", ledger, "--attempts", "1"]) == 0
    capsys.readouterr()
    assert attack(suite, "--policy-results", ledger, "--out", str(tmp_path / "else")) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["strength"]["policies"]["null"]["n"], found["strength"]["attacker"]["value"]) == (1, None)
    assert found["findings"][0]["command"].startswith("cp -r ")
    assert (tmp_path / "else" / "attacks" / "attacks.toml").is_file()
    assert not (suite / "attacks").exists()


def test_nothing_found_is_exit_0_and_a_model_that_cannot_be_asked_exit_3(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attack(suite, commands=("true",)) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["found"]["one_sided"], found["found"]["n"], found["stopped"]) == (True, 1, "none found")
    with ScriptedServer(lambda _: fail(401, "no")) as server:
        assert run(["attack", str(suite), "--agent", "hack", "--model", "m", "--base-url", server.base_url]) == 3


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--agent", "hack"], "--model"),
        (["--agent", "hack", "--model", "m", "--max-usd", "1"], "--max-usd"),
        (["--agent", "hack", "--model", "m", "--task", "none"], "--task"),
        (["--agent", "hack", "--model", "m", "--sandbox", "local"], "does not isolate"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_model_is_asked(
    more: list[str], said: str, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["attack", str(suite), *more]) == 2
    assert said in capsys.readouterr().err


def test_the_agent_needs_a_suite(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["attack", "--agent", "hack", "--model", "m"]) == 2
    assert "SUITE" in capsys.readouterr().err
