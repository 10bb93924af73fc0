"""`fairtrial lift`: the document others rely on, exit codes, the readable page, the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.report.lift.ledgers import make_run
from tests.train.lift.boards import Book, of_passes

from fairtrial.cli.lift import exit_code
from fairtrial.cli.lift_page import points, visible
from fairtrial.cli.main import run
from fairtrial.train.lift import Options, lift

CONTRACT = {
    *("base", "trained", "held_out_tasks", "runs_per_task", "gain", "failures_fixed", "gross_fixes", "regressions"),
    *("by_family", "beyond_noise", "runs", "reading", "strict", "curves", "control_bound", "over_control"),
}
LOW, HIGH = of_passes([1, 2, 1, 3, 2, 1, 0, 2]), of_passes([5, 6, 6, 7, 5, 4, 5, 7])


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a ledger of a base, one that gained, one that did not, and one on another board; nobody writes to it."""
    book = Book(tmp_path_factory.mktemp("lift") / "ledger")
    book.model("base", LOW)
    book.model("new", HIGH)
    book.model("same", of_passes([2, 1, 1, 3, 2, 1, 1, 1]))
    book.model("elsewhere", HIGH, settings="cold")
    book.model("[red]odd\x1b[31m", HIGH)
    return book.written().path


def test_the_document_has_every_field_that_others_rely_on(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lift", str(ledger), "--base", "base", "--trained", "new", "--control", "same", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["schema"] == "fairtrial.lift/1"
    assert found["controls_hold"] is True
    new, same = found["comparisons"]
    assert set(new) >= CONTRACT
    assert set(new["gain"]) >= {"value", "low", "high", "method", "n", "ungraded"}
    assert (new["runs_per_task"], new["runs"], new["held_out_tasks"]) == (8, [8, 8], 8)
    assert (new["beyond_noise"], same["beyond_noise"]) == (True, False)
    assert new["by_family"][0]["family"] == "t"
    assert found["refused"] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["--base", "base", "--trained", "new"], 0, marks=pytest.mark.extra),
        (["--base", "base", "--trained", "new", "--trained", "same"], 1),
        pytest.param(["--base", "new", "--trained", "base"], 1, marks=pytest.mark.extra),
        pytest.param(
            ["--base", "base", "--trained", "new", "--control", "[red]odd\x1b[31m"], 1, marks=pytest.mark.extra
        ),
        (["--base", "base", "--trained", "nobody"], 2),
        (["--base", "base"], 2),
        (["--base", "base", "--trained", "new", "--seeds", "perhaps"], 2),
        (["--base", "base", "--trained", "elsewhere"], 3),
        pytest.param(["--base", "base", "--trained", "new", "--trained", "elsewhere"], 3, marks=pytest.mark.extra),
    ],
)
def test_the_exit_code_says_whether_it_holds(
    ledger: Path, arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lift", str(ledger), *arguments]) == code
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    if code == 2:
        assert told.out == ""
        assert told.err.startswith("error: ")


def test_the_page_says_gain_loss_and_within_noise_in_words(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["lift", str(ledger), "--base", "base", "--trained", "new", "--trained", "same", "--trained", "elsewhere"])
    told = capsys.readouterr()
    assert "● gain" in told.out
    assert "△ within noise" in told.out
    assert "a true gain of" in told.out
    assert "refused: elsewhere: settings: got cold, the base has warm" in told.err
    run(["lift", str(ledger), "--base", "new", "--trained", "base"])
    assert "◆ loss" in capsys.readouterr().out


@pytest.mark.extra
def test_names_are_never_markup_and_move_no_cursor(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["lift", str(ledger), "--base", "base", "--trained", "[red]odd\x1b[31m"])
    told = capsys.readouterr()
    assert "[red]odd<1B>[31m" in told.out
    assert "\x1b" not in told.out + told.err


def test_a_control_that_gains_ends_with_one_whatever_else_gained(tmp_path: Path) -> None:
    book = Book(tmp_path / "book")
    book.model("base", LOW)
    book.model("new", HIGH)
    lifted = lift(book.written(), "base", [], Options(controls=("new",), replicates=200))
    assert lifted.controls_hold is False
    assert exit_code(lifted) == 1


def test_points_have_a_sign_and_names_show_what_a_terminal_would_obey() -> None:
    assert [points(x) for x in (0.0004, -0.0004, 0.05, -1.0, None)] == ["0.0", "0.0", "+5.0", "−100.0", "not measured"]
    assert visible("a\nb") == "a<A>b"


@pytest.mark.extra
def test_the_files_are_written_and_hold_the_document(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["lift", str(ledger), "--base", "base", "--trained", "new", "--json", "--out", str(out)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert json.loads((out / "lift.json").read_text()) == shown
    assert "new" in (out / "lift.md").read_text()
    assert (out / "lift.html").read_text().startswith("<!doctype html>")


@pytest.mark.extra
def test_what_a_named_run_sampled_in_training_is_not_held_out(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_run(tmp_path / "run", name="new")
    sampled = Book(folder / "training")
    sampled.add("new", "t1", "p", split="train")
    sampled.written()
    command = ["lift", str(ledger), "--base", "base", "--trained", "new", "--run", str(folder), "--json"]
    assert run(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["comparisons"][0]["held_out_tasks"] == 7


@pytest.mark.extra
def test_seeds_of_the_base_are_read_by_an_option_of_their_own(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lift", str(ledger), "--base", "base", "--trained", "new", "--base-seeds"]
    assert run([*command, "none", "--json"]) == 0
    assert run([*command, "perhaps"]) == 2
    assert "field `--base-seeds`: `perhaps` is none of auto, training, none" in capsys.readouterr().err
