"""`fairtrial measure`: the document others rely on, the readable page, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.cli.measure_page import percent
from fairtrial.ledger import Ledger
from fairtrial.records import Rollout, Verdict

MODEL_FIELDS = {
    *("tasks", "rollouts", "ungraded", "pass_rate", "pass_at_k", "pass_hat_k", "all_fail_tasks", "all_pass_tasks"),
    *("band_share", "informative_fraction", "stops", "ungraded_bounds", "curves"),
}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Return a ledger of two models, three tasks, three attempts each, one ungraded."""
    book = Ledger.open(tmp_path / "ledger", create=True)
    for model, passes in (("strong", (3, 2, 1)), ("weak", (2, 0, 0))):
        for task, passed in zip("abc", passes, strict=True):
            for i in range(3):
                rollout = Rollout(
                    task=task, model=model, attempt=i, stop="finished", output_tokens=100 + i, suite="s@1"
                )
                outcome: Any = "passed" if i < passed else "failed"
                if (model, task, i) == ("weak", "c", 2):
                    outcome = "ungraded"
                book.append("rollouts", [rollout])
                book.append("verdicts", [Verdict(rollout=rollout.id, outcome=outcome, score=float(i < passed))])
    return tmp_path / "ledger"


def document(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert run(["measure", *arguments, "--json"]) == code
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    return shown


def test_the_document_has_every_field_that_others_rely_on(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, str(ledger))
    assert found["schema"] == "fairtrial.measure/1"
    assert set(found["models"]) == {"strong", "weak"}
    for model in found["models"].values():
        assert set(model) >= MODEL_FIELDS
        assert set(model["pass_rate"]) >= {"value", "low", "high", "method"}
        assert set(model["informative_fraction"]) >= {"group_size", "plug_in", "posterior", "low", "high"}
        assert list(model["pass_at_k"]) == ["1", "2", "3"]
    assert found["models"]["strong"]["stops"] == {"finished": {"passed": 6, "failed": 3, "ungraded": 0}}
    assert found["models"]["weak"]["ungraded"] == 1
    assert found["bins"]["tasks"] == {"both_pass": 1, "discriminates": 1, "too_hard": 1, "reversed": 0}
    assert (found["bins"]["strong"], found["bins"]["weak"]) == ("strong", "weak")
    assert found["bins"]["reversed_tasks"] == []
    assert found["suspects"] == []


def test_the_page_gives_every_figure_its_interval_n_and_ungraded(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["measure", str(ledger), "--suspects"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for part in ("18 rollouts of 3 tasks by 2 models, 1 ungraded", "pass@k", "Strong against weak: strong against weak",
                 "66.7 [", "Suspects: 0 tasks", "0 of 3 tasks were never passed"):  # fmt: skip
        assert part in shown, part


def test_options_choose_what_is_measured(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = document(
        capsys, str(ledger), "--model", "strong", "--task", "a", "--task", "b", "--group-size", "4", "--band", "0.5,0.9"
    )
    assert list(one["models"]) == ["strong"]
    assert one["models"]["strong"]["tasks"] == 2
    assert one["models"]["strong"]["informative_fraction"]["group_size"] == 4
    assert one["models"]["strong"]["band_share"] == pytest.approx(0.5)
    assert one["bins"] is None
    assert (
        document(capsys, str(ledger), "--suite", "s", "--pass-at", "0")["models"]["weak"]["pass_rate"]["value"] == 1.0
    )


WRONG = ["--strong nobody", "--model nobody", "--task none", "--suite none", "--band 0.9,0.1", "--band x",
         "--group-size 1", "--pass-at 2"]  # fmt: skip


@pytest.mark.parametrize("arguments", WRONG)
def test_a_wrong_option_is_bad_input_without_a_traceback(
    arguments: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["measure", str(ledger), *arguments.split()]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err
    assert "Traceback" not in shown.err


def test_an_empty_ledger_could_not_be_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Ledger.open(tmp_path / "empty", create=True)
    assert run(["measure", str(tmp_path / "empty"), "--json"]) == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "nothing to measure" in shown.err


def test_nothing_graded_could_not_be_measured_and_is_not_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Ledger.open(tmp_path / "l", create=True).append("rollouts", [Rollout(task="a", model="m")])
    found = document(capsys, str(tmp_path / "l"), code=3)
    assert found["models"]["m"]["pass_rate"]["value"] is None
    assert run(["measure", str(tmp_path / "l")]) == 3
    assert "not measured" in capsys.readouterr().out


def test_no_ledger_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["measure"]) == 2
    assert run(["measure", str(tmp_path / "none")]) == 2
    assert "no such ledger" in capsys.readouterr().err


def test_the_known_answers_on_real_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shared = Path(__file__).resolve().parents[3] / "shared"
    source = shared / "data/tau_bench_airline_gpt4o/regrade.jsonl"
    if not source.exists():
        pytest.skip(f"{source.name}: shared data are not here")
    rows = [json.loads(line) for line in source.read_text().splitlines()]
    table = tmp_path / "rows.jsonl"
    table.write_text("".join(json.dumps({"task": str(r["task_id"]), "model": "gpt-4o", "attempt": r["trial"],
                                         "passed": r["logged_reward"] == 1.0}) + "\n" for r in rows))  # fmt: skip
    assert run(["import", str(table), "--format", "table", "--to", str(tmp_path / "l")]) == 0
    capsys.readouterr()
    found = document(capsys, str(tmp_path / "l"))["models"]["gpt-4o"]
    want = json.loads((shared / "expected/tau_bench_airline.json").read_text())
    assert found["pass_hat_k"] == pytest.approx(want["pass_hat_k"])


@pytest.mark.parametrize("columns", ["40", "80"])
def test_no_figure_is_cut_and_every_row_has_its_model(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    book = Ledger.open(tmp_path / "ledger", create=True)
    tried = [Rollout(task=f"t{i // 12}", model="only", attempt=i % 12) for i in range(240)]
    book.append("rollouts", tried)
    book.append("verdicts", [Verdict(rollout=rollout.id, outcome="passed" if i * 7919 % 5 else "failed")
                             for i, rollout in enumerate(tried)])  # fmt: skip
    monkeypatch.setenv("COLUMNS", columns)
    found = document(capfd, str(tmp_path / "ledger"))["models"]["only"]["curves"]["pass_hat_k"]
    assert run(["measure", str(tmp_path / "ledger")]) == 0
    page = capfd.readouterr().out
    assert sum(line.startswith("only ") for line in page.splitlines()) == 4
    assert all(f"[{percent(found['low'][k - 1])}, {percent(found['high'][k - 1])}]" in page for k in (3, 4, 5, 8, 10))


def test_strong_alone_in_its_ledger_is_told_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    book = Ledger.open(tmp_path / "ledger", create=True)
    book.append("rollouts", [rollout := Rollout(task="t", model="only", attempt=0)])
    book.append("verdicts", [Verdict(rollout=rollout.id, outcome="passed")])
    assert run(["measure", str(tmp_path / "ledger"), "--strong", "only"]) == 2
    assert "no other model" in capfd.readouterr().err
