"""`fairtrial watch`: exit codes, one document on stdout, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.train.watch.runs import Run, group, line
from tests.train.watch.test_live import train

from fairtrial.cli.main import run as fairtrial


def run_of(folder: Path, *, outage: bool) -> Path:
    run = Run({"sort": 0.6}, groups=8, size=4)
    steps = [run.step(number) for number in range(1, 13)]
    steps += [run.step(number, rate=0.0) for number in range(13, 20)] if outage else []
    train(folder / "seed-0", steps)
    return folder


def test_a_run_that_was_paused_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fairtrial(["watch", str(run_of(tmp_path / "r", outage=True)), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "fairtrial.watch/1"
    assert [alarm["kind"] for alarm in document["runs"][0]["alarms"]] == ["outage"]
    assert document["runs"][0]["seed"] == 0


def test_a_clean_run_holds_and_its_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fairtrial(["watch", str(run_of(tmp_path / "r", outage=False)), "--out", str(tmp_path / "page")]) == 0
    told = capsys.readouterr()
    assert "No alarm in 12 steps of 1 run." in told.out
    assert "nobody looked" in told.out
    assert (tmp_path / "page" / "watch.html").exists()


def test_hacks_above_the_line_do_not_hold_though_too_few_to_stop_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [group(1, f"t{i}", "", ["passed", "failed"], hacks=(True, None)) for i in range(3)]
    train(tmp_path / "seed-0", [(line(1, made), made)])
    assert fairtrial(["watch", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "No grave alarm in 1 step of 1 run; hacks lie above the line in 1 run." in told
    assert "above the line of 2.0%" in told


def test_a_run_without_samples_could_not_be_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "steps.jsonl").write_text('{"step": 1, "stage": 1, "method": "sft", "loss": 2.0}\n')
    assert fairtrial(["watch", str(tmp_path)]) == 3
    assert "sampled anything" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["nowhere"], "no such ledger"), (["."], "no log"), ([".", "--serve", "--json"], "--json")],
)
def test_what_is_no_run_is_refused(
    arguments: list[str], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fairtrial(["watch", *arguments]) == 2
    told = capsys.readouterr().err
    assert word in told
    assert "Traceback" not in told
