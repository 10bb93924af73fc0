"""`fairtrial export` from the outside: the document, the page, exit codes, bad words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.cli.main import run
from train.sets.ledgers import ledger_at, put_all, tasks_at, text_rollout


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    put_all(ledger_at(folder), [(text_rollout("a", 0), "passed"), (text_rollout("a", 1, "five"), "failed")])
    tasks_at(folder, {"name": "a"})
    return folder


@pytest.fixture
def words(there: Path, tmp_path: Path) -> list[str]:
    return ["export", str(there / "ledger"), "--tasks", str(there / "tasks.jsonl"), "--out", str(tmp_path / "out")]


def test_the_document_is_the_card(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--format", "trl", "--set", "sft", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("out") == str(tmp_path / "out")
    assert told == json.loads((tmp_path / "out" / "card.json").read_text())
    assert (told["schema"], told["examples"], told["left_out"]) == ("fairtrial.export/1", 1, {"failed": 1})


def test_the_page_says_what_was_left_out_and_what_was_not_measured(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--format", "trl", "--set", "preferences"]) == 0
    told = capsys.readouterr()
    assert "1 example of 1 task in" in told.out
    assert "false passes not measured: nothing was reviewed" in told.out
    assert "not measured: " in told.err


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--format", "trl"], 2, "is needed for a training set"),
        (["--format", "nothing", "--set", "sft"], 2, "there is no format"),
        (["--format", "trl", "--set", "all"], 2, "is none of"),
        (["--format", "trl", "--set", "prompts", "--band", "0.5"], 2, "is not LOW,HIGH"),
        (["--format", "trl", "--set", "prompts", "--near-copies", "all"], 2, "is none of"),
        (["--format", "trl", "--set", "sft", "--model", "x"], 2, "no rollout of `x`"),
        (["--format", "trl", "--set", "prompts", "--band", "0.9,1"], 3, "no row is left"),
    ],
)
def test_what_cannot_be_done_says_why_and_writes_nothing(
    more: list[str], code: int, said: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, *more]) == code
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
