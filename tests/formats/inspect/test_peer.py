"""What Inspect's own library writes is read as it reads it: samples, scores, errors, limits, messages, model inputs.

FAIRTRIAL_INSPECT names an interpreter that holds inspect_ai; else this one, where it holds it. FAIRTRIAL_EVAL_LOGS may
name a folder of logs from elsewhere, which are compared too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats import Options, inspect, recognised
from fairtrial.formats.atif import read_trajectory
from fairtrial.formats.inspect.conversation import _Parts
from fairtrial.formats.inspect.log import Found, open_log
from fairtrial.formats.inspect.pools import Pools
from fairtrial.records import digest

PEER = os.environ.get("FAIRTRIAL_INSPECT", "") or (sys.executable if importlib.util.find_spec("inspect_ai") else "")
LOGS = os.environ.get("FAIRTRIAL_EVAL_LOGS", "")
SCRIPT = Path(__file__).parent / "peer_logs.py"

pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(not PEER, reason="FAIRTRIAL_INSPECT names no interpreter with inspect_ai"),
]
Samples = dict[tuple[str, int], dict[str, Any]]


def theirs(*words: str) -> dict[str, dict[str, Any]]:
    done = subprocess.run([PEER, str(SCRIPT), *words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


def ours(path: Path) -> tuple[Samples, dict[str, bytes]]:
    rows: Samples = {}
    blobs: dict[str, bytes] = {}
    for batch in inspect.read(path, Options()):
        verdicts = {one["rollout"]: one for one in batch.verdicts.to_pylist()}
        for one in batch.rollouts.to_pylist():
            rows[one["task"], one["attempt"]] = one | {"verdict": verdicts.get(one["id"])}
        blobs |= {digest(blob): blob for blob in batch.blobs}
    return rows, blobs


def outcomes_of(path: Path) -> Counter[str | None]:
    rows, _ = ours(path)
    return Counter(row["verdict"] and row["verdict"]["outcome"] for row in rows.values())


def compare(path: Path, told: dict[str, Any]) -> int:
    """Compare one log; return its number of samples."""
    rows, blobs = ours(path)
    if not told["samples"]:  # Inspect shows no samples of a log that holds none; we read those of its reductions
        assert not blobs
        return 0
    assert len(rows) == len(told["samples"])
    with closing(open_log(path)) as log:
        raw = {(str(found.content["id"]), found.content["epoch"]): found.content for found in log.samples
               if isinstance(found, Found)}  # fmt: skip
    for sample in told["samples"]:
        row = rows[str(sample["id"]), sample["epoch"]]
        compare_scores(row, sample)
        assert row["output_tokens"] == sample["output_tokens"]
        whole = raw[str(sample["id"]), sample["epoch"]]
        if "message_pool" not in whole:  # a form of 2025 that Inspect itself reads no longer
            assert inputs(whole) == sample["inputs"]
        if any(role == "assistant" for role, _ in sample["messages"]):
            compare_messages(blobs[row["trajectory"]], sample["messages"])
    return len(rows)


def inputs(sample: dict[str, Any]) -> list[list[list[str]]]:
    """Return what models were given, call by call, from the pool."""
    pools = Pools(sample)
    events = [event for event in sample.get("events") or () if event["event"] == "model"]
    return [[[one["role"], shown(one, pools)] for one in pools.model_input(event)] for event in events]


def shown(message: dict[str, Any], pools: Pools) -> str:
    content = _Parts(pools, message["content"]).content if isinstance(message["content"], list) else pools.resolved(
        message["content"])  # fmt: skip
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content if "text" in part)


def compare_scores(row: dict[str, Any], sample: dict[str, Any]) -> None:
    verdict = row["verdict"]
    evidence = orjson.loads(verdict["evidence"]) if verdict else {}
    assert evidence.get("error") == sample["error"]
    if sample["limit"]:
        assert evidence["limit"]["type"] == sample["limit"]
    if not sample["scores"]:
        assert verdict is None or verdict["outcome"] == "ungraded"
        return
    assert verdict is not None
    scorer = verdict["grader"].removeprefix("inspect/").partition("/")[0]
    value = sample["scores"][scorer]
    assert evidence["as_recorded"] == value or value != value
    if sample["error"] or value != value or isinstance(value, dict):
        assert (verdict["outcome"], verdict["score"]) == ("ungraded", None)
    else:
        score = {"C": 1, "I": 0, "P": 0.5, "N": 0}.get(value, value)
        assert verdict["outcome"] == ("ungraded" if score > 1 else "passed" if score == 1 else "failed")


def compare_messages(document: bytes, messages: list[list[str]]) -> None:
    trajectory = read_trajectory(document)
    said = [[step.source.replace("agent", "assistant"), step.message] for step in trajectory.steps]
    assert said == [one for one in messages if one[0] != "tool"]
    answers = [one.content for step in trajectory.steps for one in step.observations]
    assert sorted(answers) == sorted(content for role, content in messages if role == "tool")


def test_what_inspect_writes_is_read_as_inspect_reads_it(tmp_path: Path) -> None:
    told = theirs("write", str(tmp_path))
    assert recognised(tmp_path) == "inspect"
    counts = {one["task"]: compare(Path(name), one) for name, one in told.items() if one["task"] != "bare"}
    assert counts == {"plain": 12, "broken": 12, "ended": 5, "scored": 6, "odd": 6, "two": 6, "unscored": 6, "agent": 6,
                      "messages": 6, "tokens": 6, "image": 1, "json": 6}  # fmt: skip
    outcomes = {one["task"]: outcomes_of(Path(name)) for name, one in told.items()}
    assert outcomes["plain"] == {"passed": 6, "failed": 6}
    assert outcomes["bare"] == {"passed": 3, "failed": 3}, "a log without samples is read by its reductions"
    assert outcomes["broken"] == {"passed": 5, "failed": 6, "ungraded": 1}
    assert outcomes["odd"] == {"passed": 1, "failed": 3, "ungraded": 2}
    assert outcomes["unscored"] == {None: 6}
    assert outcomes["tokens"] == {"failed": 6}


@pytest.mark.skipif(not LOGS, reason="FAIRTRIAL_EVAL_LOGS names no folder of logs")
def test_logs_from_elsewhere_are_read_as_inspect_reads_them() -> None:
    paths = [path for path in sorted(Path(LOGS).rglob("*")) if path.is_file() and inspect.looks_like(path)]
    told = theirs("read", *map(str, paths))
    assert {name: compare(Path(name), one) for name, one in told.items()}
