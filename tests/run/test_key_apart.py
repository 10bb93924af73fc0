"""Tries to leak the key: through the types that an agent is handed, and from inside the box it acts in."""

from __future__ import annotations

import dataclasses
import typing
from pathlib import Path

import pytest

from fairtrial.grade import HarborGrader
from fairtrial.run import Action, Agent, Assignment, Episode, Plan, ScriptedAgent, Situation, Trial, attempt_seed
from fairtrial.sandbox import Sandbox, find
from fairtrial.tasks import Key, StepKey, load_task

SECRET = "the-answer-is-4711"


def _reachable(kind: object, seen: set[object]) -> set[object]:
    """Return every type that a value of `kind` can hold, through dataclass fields and type arguments."""
    if kind in seen:
        return seen
    seen.add(kind)
    for argument in typing.get_args(kind):
        _reachable(argument, seen)
    if dataclasses.is_dataclass(kind):
        for hint in typing.get_type_hints(kind).values():
            _reachable(hint, seen)
    return seen


@pytest.mark.parametrize("kind", [Situation, Assignment, Plan, Action, Episode])
def test_no_type_that_reaches_an_agent_can_hold_a_key(kind: type) -> None:
    assert not _reachable(kind, set()) & {Key, StepKey, HarborGrader}


def test_no_method_of_an_agent_takes_a_key() -> None:
    for name in ("act", "mounts", "settings"):
        hints = typing.get_type_hints(getattr(Agent, name))
        assert not {kind for hint in hints.values() for kind in _reachable(hint, set())} & {Key, StepKey}


def _task(folder: Path) -> Path:
    for name in ("environment", "tests", "solution"):
        (folder / name).mkdir(parents=True)
    (folder / "task.toml").write_text('version = "1.0"\n[verifier]\ntimeout_sec = 30.0\n[agent]\ntimeout_sec = 60.0\n')
    (folder / "instruction.md").write_text("Find the answer.\n")
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\nRUN mkdir -p /logs/verifier\n")
    (folder / "solution" / "solve.sh").write_text(f"echo {SECRET} > /app/answer\n")
    (folder / "tests" / "expected.txt").write_text(SECRET)
    (folder / "tests" / "test.sh").write_text(
        f"grep -q {SECRET} /app/answer && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n"
    )
    return folder


SPY = """
import json, os, pathlib, subprocess
words = "the-answer-is-" + "4711"
found = []
tops = "/app /tests /solution /logs /tmp /root /home /var /srv /opt /mnt /etc /run"
for top in tops.split():
    for folder, _, names in os.walk(top):
        for name in names:
            path = pathlib.Path(folder, name)
            try:
                if path.is_file() and path.stat().st_size < 1_000_000 and words in path.read_text(errors="ignore"):
                    found.append(str(path))
            except OSError:
                pass
for process in pathlib.Path("/proc").glob("[0-9]*"):
    for name in ("environ", "cmdline"):
        try:
            if words in (process / name).read_text(errors="ignore"):
                found.append(str(process / name))
        except OSError:
            pass
places = [p for p in ("/tests", "/solution") if os.path.exists(p) and os.listdir(p)]
with open(os.environ["FAIRTRIAL_STEPS"], "a") as steps:
    told = {"found": found, "places": places, "env": dict(os.environ)}
    steps.write(json.dumps({"message": json.dumps(told)}) + "\\n")
    steps.write(json.dumps({"stop": "finished"}) + "\\n")
"""


def _isolating() -> Sandbox:
    sandbox = find("bwrap")
    if not sandbox.capability().available:
        pytest.skip(f"bubblewrap does not work here: {sandbox.capability().why}")
    return sandbox


def test_an_agent_that_searches_its_box_finds_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_PLANTED_CREDENTIAL", SECRET)
    sandbox = _isolating()
    task, key = load_task(_task(tmp_path / "task"))
    spy = tmp_path / "policy" / "spy.py"
    spy.parent.mkdir()
    spy.write_text(SPY)
    assignment = Assignment(
        task=task, agent=ScriptedAgent(program=spy), attempt=0, seed=attempt_seed(0, task.name, 0), sandbox=sandbox
    )
    tried = Trial(assignment=assignment, grader=HarborGrader(key=key, sandbox=sandbox))()
    trajectory = next(blob for blob in tried.blobs if blob.startswith(b"{"))
    assert tried.rollout.stop == "finished"
    assert b'\\"found\\": []' in trajectory
    assert b'\\"places\\": []' in trajectory
    assert SECRET.encode() not in trajectory
    assert tried.gradings[0].outcome == "failed"
