"""What verifiers' own libraries write is read as their own loaders read it, but for what they call 0.

FAIRTRIAL_VERIFIERS names an interpreter with verifiers 0.4 or later (v1), FAIRTRIAL_VERIFIERS_V0 one with 0.1.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.formats.atif import read_trajectory
from formats.verifiers.lines import read, said

V1, V0 = os.environ.get("FAIRTRIAL_VERIFIERS", ""), os.environ.get("FAIRTRIAL_VERIFIERS_V0", "")
HERE = Path(__file__).parent


def ran(interpreter: str, script: str, folder: Path) -> Any:
    done = subprocess.run(
        [interpreter, str(HERE / script), str(folder)], capture_output=True, text=True, timeout=180, cwd=folder,
        env=os.environ | {"NO_KEY": "none", "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.extra
@pytest.mark.skipif(not V1, reason="FAIRTRIAL_VERIFIERS names no interpreter with verifiers")
def test_what_v1_writes_is_read_as_its_own_loader_reads_it(tmp_path: Path) -> None:
    theirs = ran(V1, "peer_v1.py", tmp_path)
    for folder, traces in theirs.items():
        rows, skipped = read(Path(folder))
        ours = {row["label"]: row for row in rows}
        assert not skipped
        assert ours.keys() == {told["trace"] for told in traces}
        for told in traces:
            _compare(ours[told["trace"]], told)
    reasons = Counter(said(row) for row in read(tmp_path / "single")[0])
    assert reasons == {"passed": 11, "failed": 4, "harness_error": 3, "task_error": 3, "provider_error": 3,
                       "scoring_timeout": 3}  # fmt: skip
    (broken,) = read(tmp_path / "finite")[0]
    assert said(broken) == "reward_invalid", "verifiers writes NaN as null, and cannot read it itself"


def _compare(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Hold one rollout against what verifiers says of its trace."""
    evidence = orjson.loads(ours["verdict"]["evidence"])
    is_graded = theirs["ok"] and not theirs["nulls"] and theirs["scored"]
    assert (ours["verdict"]["outcome"] != "ungraded") == bool(is_graded)
    assert (evidence["as_recorded"] or 0) == pytest.approx(theirs["reward"])
    if is_graded:
        assert ours["verdict"]["score"] == pytest.approx(theirs["reward"] / 1.2)
    assert (ours["output_tokens"], ours["input_tokens"]) == (theirs["completion_tokens"], theirs["input_tokens"])
    assert (ours["steps"] or 0) == theirs["turns"]
    if theirs["messages"]:
        told = read_trajectory(ours["document"])
        results = sum(len(step.observations) for step in told.steps)
        assert Counter(step.source for step in told.steps) == {
            source: count for source, role in (("user", "user"), ("agent", "assistant"))
            if (count := theirs["messages"].count(role))
        }  # fmt: skip
        assert results == theirs["messages"].count("tool")
        assert ours["answer"] == told.final_message == theirs["last_reply"]


@pytest.mark.extra
@pytest.mark.skipif(not V0, reason="FAIRTRIAL_VERIFIERS_V0 names no interpreter with verifiers 0.1")
def test_what_v0_writes_is_read_as_its_own_loader_reads_it(tmp_path: Path) -> None:
    for folder, theirs in ran(V0, "peer_v0.py", tmp_path).items():
        rows, skipped = read(Path(folder), as_recorded=True)
        assert not skipped
        assert [row["verdict"]["score"] for row in rows] == [told["reward"] for told in theirs]
        assert [row["task"].rpartition("-")[2] for row in rows] == [str(told["example_id"]) for told in theirs]
        graded = [row["verdict"]["outcome"] != "ungraded" for row in read(Path(folder))[0]]
        assert graded == [not told["error"] for told in theirs]
        assert [len(read_trajectory(row["document"]).steps) for row in rows] == [told["steps"] for told in theirs]
