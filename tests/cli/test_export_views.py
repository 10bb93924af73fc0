"""`fairtrial export` for viewers from the outside: documents, pages, exit codes; options that do not apply."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.cli.main import run
from fairtrial.formats.viewers import VIEWERS
from train.sets.ledgers import ledger_at, put_all, text_rollout


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views")
    put_all(ledger_at(folder), [(text_rollout("a", 0), "passed"), (text_rollout("a", 1, "five"), "failed"),
                                (text_rollout("b", 0), "ungraded")])  # fmt: skip
    return folder / "ledger"


@pytest.mark.parametrize("name", VIEWERS)
def test_the_document_names_the_files_and_counts_what_is_left_out(
    name: str, there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(there), "--format", name, "--out", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("out") == str(tmp_path / "out")
    assert told == json.loads((tmp_path / "out" / "export.json").read_text())
    assert (told["schema"], told["rollouts"], told["counts"]["ungraded"]) == ("fairtrial.export_view/1", 3, 1)
    assert told["written"] + sum(told["left_out"].values()) == 3
    assert {file["path"] for file in told["files"]} | {"export.json"} == {
        file.relative_to(tmp_path / "out").as_posix() for file in (tmp_path / "out").rglob("*") if file.is_file()
    }


def test_the_page_says_what_there_is(there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(there), "--format", "inspect", "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "2 rollouts for inspect in" in told.out
    assert "left out: nothing said 1" in told.out
    assert "precomputed_scores" in told.err


def test_what_was_written_for_scout_says_nothing_new_to_its_own_ledger(
    there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(there), "--format", "scout", "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    assert run(["import", str(tmp_path / "out"), "--to", str(tmp_path / "back"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["format"], told["rollouts"], told["verdicts"], told["ungraded"]) == ("scout", 3, 3, 1)
    assert run(["import", str(tmp_path / "out"), "--to", str(there), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rollouts"] == 0


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--format", "scout", "--set", "sft"], 2, "`--set`: does not apply to `scout`"),
        (["--format", "docent", "--seed", "0"], 2, "`--seed`: does not apply to `docent`"),
        (["--format", "inspect", "--per-task", "8"], 2, "`--per-task`: does not apply"),
        (["--format", "trl"], 2, "`--set`: is needed for a training set"),
        (["--format", "trl", "--set", "sft", "--known"], 2, "`--known`: does not apply to `trl`"),
        (["--format", "nothing", "--set", "sft"], 2, "scout, inspect, docent"),
        (["--format", "scout", "--model", "x"], 2, "no rollout of `x`"),
        (["--format", "inspect", "--task", "b"], 3, "no rollout is left to show: nothing_said 1"),
    ],
)
def test_what_does_not_apply_is_refused_and_nothing_is_written(
    more: list[str], code: int, said: str, there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(there), "--out", str(tmp_path / "out"), *more]) == code
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
