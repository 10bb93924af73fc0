"""Attacks: logs of several runs, scorers and scales: what is another attempt, which score counts, and what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairtrial.formats import Options, inspect, store
from fairtrial.ledger import Ledger
from formats.inspect.test_reading import read, said
from formats.inspect.written import HEADER, header, sample, text, write_log


@pytest.mark.parametrize("more", [{}, {"events": [{"event": "state"}]}])
def test_two_runs_of_logs_without_uuids_are_two_attempts_and_a_retried_one_is_one(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    samples = {run: sample(value=value, uuid=None, **more) for run, value in (("r1", "C"), ("r2", "I"))}
    for run, one_sample in samples.items():
        write_log(tmp_path / f"{run}.eval", [one_sample], header(run_id=run))
    assert len({row["id"] for row in read(tmp_path)[0]}) == 2
    for number, one_sample in enumerate(samples.values()):
        one_sample["events"] = [{"event": "state", "timestamp": f"2024-11-05T18:31:4{number}+00:00"}]
    for run, copied in (("r1", "r1"), ("r2", "r2"), ("r3", "r2")):
        write_log(tmp_path / f"{run}.eval", [samples[copied]], header(run_id=run))
    assert len({row["id"] for row in read(tmp_path)[0]}) == 2


def test_summaries_and_reductions_of_two_runs_are_two_attempts(tmp_path: Path) -> None:
    for run, value in (("r1", "C"), ("r2", "I")):
        summary = {"id": 1, "epoch": 1, "uuid": run, "completed": True, "scores": {"match": {"value": value}}}
        write_log(tmp_path / f"{run}.eval", [], header(run_id=run), **{"summaries.json": text([summary])})
        reduced = text([{"scorer": "match", "samples": [{"sample_id": 2, "value": value}]}])
        write_log(tmp_path / f"{run}-2.eval", [], header(run_id=run), **{"reductions.json": reduced})
    rows, _, _ = read(tmp_path)
    assert sorted((row["task"], said(row)[0]) for row in rows) == [
        ("1", "failed"), ("1", "passed"), ("2", "failed"), ("2", "passed")]  # fmt: skip
    assert len({row["id"] for row in rows}) == 4


def test_which_of_several_scorers_counts_is_noted_where_nobody_said(tmp_path: Path) -> None:
    head = header(scorers=[{"name": "format"}, {"name": "match"}]) | {"results": None}
    path = write_log(
        tmp_path / "a.eval", [sample(number, scores={"format": {"value": "C"}}) for number in range(3)], head
    )
    (noted,) = [noted for batch in inspect.read(path, Options()) for noted in batch.notes]
    assert "`format` counts, the first of its scorers, and not match" in noted
    (batch,) = inspect.read(path, Options(columns={"score": "format"}))
    assert (list(batch.notes), list(batch.skipped)) == ([], [])
    imported = store(inspect.read(path, Options()), Ledger.open(tmp_path / "ledger", create=True), lambda *_: None)
    assert imported.document()["notes"] == [noted]


def test_a_bomb_of_empty_objects_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.formats.inspect.log.MOST_BRACKETS", 4_000)
    path = write_log(tmp_path / "a.eval", [sample(1, events=[{}] * 4_000), sample(2, x="," * 9_000)])
    rows, skipped, _ = read(path)
    assert [row["task"] for row in rows] == ["2"]
    assert ["more than 4,000 objects and lists" in told for told in skipped] == [True]


def test_a_log_without_anything_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(text(HEADER | {"status": "error"}))
    for path in (tmp_path / "a.json", write_log(tmp_path / "a.eval", [], HEADER | {"status": "error"})):
        assert read(path)[1] == [f"{path}: holds no samples; its status is error"]


def test_scores_of_another_scale_are_told_once_a_log_and_1_of_10_is_no_pass(tmp_path: Path) -> None:
    samples = [sample(number, value) for number, value in enumerate((1, 7, 0, 9, "C"))]
    rows, skipped, _ = read(write_log(tmp_path / "a.eval", samples))
    assert [said(row)[0] for row in rows] == ["passed", "ungraded", "failed", "ungraded", "passed"]
    assert [" outside [0, 1] (7): " in told for told in skipped] == [True]
    for name in ("mean", "accuracy"):
        score = {"name": "match", "scorer": "match", "metrics": {name: {"name": name, "value": 3.4}}}
        rows, skipped, _ = read(write_log(tmp_path / "a.eval", samples, HEADER | {"results": {"scores": [score]}}))
        assert {said(row)[:2] for row in rows[:4]} == {("ungraded", "score_out_of_range")}
        assert said(rows[4])[0] == "passed", "a word has no scale"
        assert ["the mean of `match` lies outside" in told for told in skipped] == [True]
