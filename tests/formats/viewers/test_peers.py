"""Inspect scores its log with our records, and Docent loads our agent runs, each with its own library.

FAIRTRIAL_INSPECT and FAIRTRIAL_DOCENT name interpreters that hold inspect_ai (0.3.285) and docent (0.1.88).
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fairtrial.formats.viewers import VIEWERS
from formats.viewers.shows import everything

INSPECT, DOCENT = os.environ.get("FAIRTRIAL_INSPECT", ""), os.environ.get("FAIRTRIAL_DOCENT", "")
HERE = Path(__file__).parent


def ran(interpreter: str, script: str, *words: str) -> Any:
    done = subprocess.run([interpreter, str(HERE / script), *words], capture_output=True, text=True, timeout=180,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.extra
@pytest.mark.skipif(not INSPECT, reason="FAIRTRIAL_INSPECT names no interpreter with inspect_ai")
def test_inspect_scores_its_log_with_our_records(tmp_path: Path) -> None:
    told = VIEWERS["inspect"].write(iter(everything()[:3]), tmp_path / "out")
    verdicts, people = (next(file.path for file in told.files if file.path.stem == kind)
                        for kind in ("verdicts", "people"))  # fmt: skip
    ran(INSPECT, "peer_inspect.py", "log", str(tmp_path / "logs"))
    graded, found = ran(INSPECT, "peer_inspect.py", "score", str(tmp_path / "logs"), str(verdicts), str(people))
    values = {(one["id"], one["epoch"]): one["value"] for one in graded}
    assert values == {("sum", 1): "I", ("sum", 2): "C", ("late", 1): None, ("late", 2): None}
    assert {(one["id"], one["epoch"]) for one in found if one["value"]} == {("sum", 1)}
    failed = next(one for one in graded if one["value"] == "I")
    assert "person ada, blind: not satisfied (hack, guessed)" in failed["explanation"]
    assert failed["metadata"]["reviews"][0]["citations"][0]["place"] == "step 3 output 1"


@pytest.mark.extra
@pytest.mark.skipif(not DOCENT, reason="FAIRTRIAL_DOCENT names no interpreter with docent")
def test_docent_loads_our_agent_runs(tmp_path: Path) -> None:
    VIEWERS["docent"].write(iter(everything()), tmp_path)
    runs = ran(DOCENT, "peer_docent.py", str(tmp_path / "agent_runs.jsonl"))
    assert [run["rollout"] for run in runs] == [one.id for one in everything()]
    assert [run["scores"]["passed"] for run in runs] == [False, True, None, False]
    assert [len(run["messages"]) for run in runs] == [7, 1, 0, 7]
    assert [kind for kind, _ in runs[0]["messages"]][:4] == [
        "SystemMessage", "UserMessage", "AssistantMessage", "ToolMessage"]  # fmt: skip
    assert runs[0]["calls"] == ["bash"]
    assert runs[0]["reviews"][0]["reviewer"] == "ada"
    assert not any(run["lost"] for run in runs)
