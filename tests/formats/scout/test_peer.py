"""What Scout's own library writes is read as it reads it; what we write for it, it opens, filters and loads.

FAIRTRIAL_SCOUT names an interpreter that holds inspect_scout (0.6); without it both are skipped.
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

from fairtrial.formats import recognised
from fairtrial.formats.atif import read_trajectory
from fairtrial.formats.viewers import VIEWERS
from formats.scout.transcripts import read
from formats.viewers.shows import everything

SCOUT = os.environ.get("FAIRTRIAL_SCOUT", "")
SCRIPT = Path(__file__).parent / "peer_scout.py"

pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(not SCOUT, reason="FAIRTRIAL_SCOUT names no interpreter with inspect_scout"),
]


def ran(*words: str) -> Any:
    done = subprocess.run([SCOUT, str(SCRIPT), *words], capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_what_scout_writes_of_inspects_logs_is_read_as_scout_reads_it(tmp_path: Path) -> None:
    theirs = {one["id"]: one for one in ran("write", str(tmp_path))}
    assert recognised(tmp_path / "db") == "scout"
    rows, skipped, blobs = read(tmp_path / "db")
    assert not skipped
    assert {row["label"] for row in rows} == set(theirs)
    for row in rows:
        told = theirs[row["label"]]
        assert (row["task"], row["attempt"], row["suite"]) == (told["task"], told["repeat"], "sums")
        steps = read_trajectory(blobs[row["trajectory"]]).steps
        roles = {"agent": "assistant"}
        assert [[roles.get(step.source, step.source), step.message] for step in steps] == told["messages"]
        assert orjson.loads(row["verdict"]["evidence"]).get("error", "") == (told["error"] or "")
    said = Counter((row["task"], row["verdict"]["outcome"], row["verdict"]["reason"]) for row in rows)
    assert said == {
        ("right", "passed", ""): 2, ("wrong", "failed", ""): 2, ("half", "failed", ""): 2,
        ("unscored", "ungraded", "unscored"): 2, ("broken", "ungraded", "runtime_error"): 2,
        ("several", "ungraded", "several_values"): 2,
    }  # fmt: skip
    half = next(told for told in theirs.values() if told["task"] == "half")
    assert half["success"], "Scout calls a half success; the score is .5, and that is no pass"


def test_what_is_written_for_scout_it_opens(tmp_path: Path) -> None:
    told = VIEWERS["scout"].write(iter(everything()), tmp_path)
    theirs = ran("open", str(tmp_path))
    assert not theirs["wrong"]
    assert len(theirs["transcripts"]) == told.written
    found = {one["id"]: one for one in theirs["transcripts"]}
    for one in everything():
        shown = found[one.id]
        assert (shown["task"], shown["success"], shown["repeat"]) == (one.rollout.task, one.passed, one.epoch)
        assert len(shown["messages"]) == (7 if one.trajectory else int(one.rollout.answer is not None))
        assert [review["reviewer"] for review in shown["reviews"]] == [review.reviewer for review in one.reviews]
    assert sorted(theirs["hacks"]) == sorted(one.id for one in everything() if one.hack)
