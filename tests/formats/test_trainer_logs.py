"""Attacks: other trainers' logs and sets come in as what they are: no verdict made up, no step or group mixed up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairtrial.formats import READERS, Options, recognised, store
from fairtrial.formats.atif import read_trajectory
from fairtrial.ledger import Ledger, connect
from fairtrial.records import InputError


def lines(path: Path, rows: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def imported(name: str, path: Path, **options: Any) -> tuple[list[dict[str, Any]], list[tuple[str, str]], Ledger]:
    """Return the outcomes by step, task and attempt, what was skipped, and the ledger."""
    ledger = Ledger.open(path.parent / "ledger", create=True)
    done = store(READERS[name](path, Options(**{"model": "m"} | options)), ledger, lambda *_: None)
    found = connect(ledger).execute("select * from outcomes order by step, task, attempt")
    columns = [column[0] for column in found.description or []]
    rows = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
    return rows, [(skip.where.replace(f"{path.parent}/", ""), skip.why) for skip in done.skipped], ledger


def dumped(step: int, **more: Any) -> dict[str, Any]:
    return {"input": "user\nq\nassistant\n", "output": "a", "gts": "a", "score": 1.0, "step": step} | more


def test_verls_dumps_keep_steps_groups_keys_and_what_was_said(tmp_path: Path) -> None:
    for step in (1, 2, 10):
        lines(tmp_path / "dump" / f"{step}.jsonl", [dumped(step), dumped(step, output="b", score=0.0, reward_a=0.3)])
    assert recognised(tmp_path / "dump" / "1.jsonl") == "verl"
    rows, skipped, ledger = imported("verl", tmp_path / "dump")
    assert [(row["step"], row["attempt"], row["outcome"], row["answer"], row["expected"]) for row in rows] == [
        (step, *said, "a") for step in (1, 2, 10) for said in ((0, "passed", "a"), (1, "failed", "b"))
    ]
    assert (skipped, len({row["group"] for row in rows}), len({row["task"] for row in rows})) == ([], 3, 1)
    evidence = connect(ledger).execute("select evidence from verdicts where outcome = 'failed' limit 1").fetchall()
    assert json.loads(evidence[0][0]) == {"score": 0.0, "reward_a": 0.3}
    told = read_trajectory(ledger.get_blob(rows[0]["trajectory"]))
    assert [(step.source, step.message) for step in told.steps] == [("user", "user\nq\nassistant\n"), ("agent", "a")]


def test_a_score_that_says_nothing_is_no_failure(tmp_path: Path) -> None:
    told: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
        "none": ({"score": None}, ("ungraded", "score_missing")),
        "nan": ({"score": float("nan")}, ("ungraded", "score_missing")),
        "infinite": ({"score": float("inf")}, ("ungraded", "score_out_of_range")),
        "negative": ({"score": -1.0}, ("ungraded", "score_out_of_range")),
        "negative, said wrong": ({"score": -1.0, "acc": False}, ("failed", "")),
        "said right": ({"score": 0.9, "acc": 1}, ("passed", "")),
        "not whole": ({"score": 0.9}, ("failed", "")),
    }
    path = lines(tmp_path / "1.jsonl", [dumped(1, output=name, **said) for name, (said, _) in told.items()])
    rows, skipped, _ = imported("verl", path)
    assert {row["answer"]: (row["outcome"], row["reason"]) for row in rows} == {n: how for n, (_, how) in told.items()}
    assert skipped == []


def test_what_is_no_dump_is_skipped_by_line(tmp_path: Path) -> None:
    bad = [dumped(1, output=3), dumped(1) | {"step": "x"}, [], {"score": 1.0}, dumped(1)]  # and half a character
    path = lines(tmp_path / "1.jsonl", bad)
    path.write_text(path.read_text() + "{\n" + json.dumps(dumped(1, output="\ud800")) + "\n")
    rows, skipped, _ = imported("verl", path)
    assert len(rows) == 1
    assert [where.split(",")[0] for where, _ in skipped] == [f"1.jsonl:{line}" for line in (1, 2, 3, 4, 6, 7)]


def log(path: Path, **columns: list[Any]) -> Path:
    told: dict[str, list[Any]] = {
        "step": [3, 3],
        "prompt": ["q", "q"],
        "completion": ["a", "b"],
        "advantage": [1.0, -1.0],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(told | columns), path)
    return path


def test_trls_log_is_read_with_its_reward_and_none_is_a_broken_grader(tmp_path: Path) -> None:
    path = log(tmp_path / "completions" / "completions_00003.parquet", exact=[1.0, None])
    assert recognised(path) == "trl"
    rows, _, _ = imported("trl", path)
    assert [(row["step"], row["answer"], row["outcome"], row["reason"]) for row in rows] == [
        (3, "a", "passed", ""), (3, "b", "ungraded", "score_missing")
    ]  # fmt: skip
    assert rows[0]["group"] == rows[1]["group"] != ""


def test_a_log_whose_steps_are_no_numbers_is_skipped_by_row(tmp_path: Path) -> None:
    path = log(tmp_path / "completions" / "completions_00003.parquet", step=["x", "y"], exact=[1.0, 0.0])
    rows, skipped, _ = imported("trl", path)
    assert (rows, [why for _, why in skipped]) == ([], ["is no number of a step"] * 2)


def test_which_of_several_columns_is_the_reward_must_be_said(tmp_path: Path) -> None:
    path = log(tmp_path / "completions" / "completions_00003.parquet", exact=[1.0, 0.0], length=[0.1, 0.2])
    with pytest.raises(InputError, match="which column is the reward"):
        imported("trl", path)
    rows, _, _ = imported("trl", path, columns={"score": "exact"})
    assert [row["outcome"] for row in rows] == ["passed", "failed"]
    with pytest.raises(InputError, match="no column `none`"):
        imported("trl", path, columns={"score": "none"})


CHAT = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}], "id": "one"}


def test_rows_of_a_training_set_are_rollouts_that_nobody_graded(tmp_path: Path) -> None:
    path = lines(tmp_path / "set.jsonl", [CHAT, {"messages": CHAT["messages"][:1]}, {"text": "q"}])
    assert recognised(path) == "openai"
    rows, skipped, _ = imported("openai", path)
    assert [(row["task"], row["outcome"], row["reason"], row["step"], row["group"]) for row in rows] == [
        ("one", "ungraded", "not_graded", None, "")
    ]  # fmt: skip
    assert [where.split(",")[0] for where, _ in skipped] == ["set.jsonl:2", "set.jsonl:3"]


def test_pairs_and_prompts_are_no_rollouts(tmp_path: Path) -> None:
    rows = [{"prompt": "q", "chosen": "a", "rejected": "b"}, {"prompt": "q"}, {"prompt": "q", "completion": "a"}, CHAT]
    found, skipped, _ = imported("trl", lines(tmp_path / "set.jsonl", rows))
    assert len(found) == 2
    assert [why for _, why in skipped] == ["is a pair, and no rollout", "is a prompt, and no rollout"]


@pytest.mark.parametrize("name", ["openai", "trl", "verl"])
def test_a_file_that_names_no_model_is_refused_without_one(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model"):
        imported(name, lines(tmp_path / "x.jsonl", [dumped(1)]), model="")


def test_reading_twice_adds_nothing(tmp_path: Path) -> None:
    path = lines(tmp_path / "1.jsonl", [dumped(1), dumped(1), dumped(1, output="b")])
    first, _, _ = imported("verl", path)
    again, _, _ = imported("verl", path)
    assert [row["id"] for row in first] == [row["id"] for row in again]
    assert len(first) == 3
