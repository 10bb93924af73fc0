"""What a graded trial costs: over its bare test.sh, and 100 oracle trials beside Harbor's runner, in one run.

    python bench/trials.py                          ours, and the floor
    HARBOR=/path/to/harbor python bench/trials.py   Harbor too (its own interpreter; needs Python 3.12)

Bars: one graded candidate at most 20 ms over its bare test.sh; 100 trials at most a third of Harbor's time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fairtrial.grade import HarborGrader
from fairtrial.run import Assignment, InlineEngine, LocalEngine, Plan, SubmissionAgent, run_plan
from fairtrial.run.attempt import Attempt
from fairtrial.sandbox import Sandbox, find
from fairtrial.tasks import Key, Task, load_task

TRIALS = 100
GRADINGS = 40
WORKERS = 2


def small_task(folder: Path) -> Path:
    """Write a task of nine workspace files whose grader compares one word."""
    for name in ("environment/workspace", "tests", "solution"):
        (folder / name).mkdir(parents=True)
    for number in range(9):
        (folder / "environment" / "workspace" / f"file-{number}.txt").write_text("x\n" * 100)
    (folder / "task.toml").write_text('version = "1.0"\n[verifier]\ntimeout_sec = 60.0\n[agent]\ntimeout_sec = 60.0\n')
    (folder / "instruction.md").write_text("Write 42 into /app/answer.\n")
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\nCOPY workspace/ /app/\n")
    (folder / "solution" / "solve.sh").write_text("#!/bin/bash\necho 42 > /app/answer\n")
    (folder / "tests" / "test.sh").write_text(
        "#!/bin/bash\nmkdir -p /logs/verifier\n"
        'if [ "$(cat /app/answer)" = 42 ]; then echo 1 > /logs/verifier/reward.txt; '
        "else echo 0 > /logs/verifier/reward.txt; fi\n"
    )
    return folder


def bare_seconds(folder: Path) -> list[float]:
    """Time the test.sh with nothing around it, its inside paths rewritten to a temporary folder."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("app", "logs/verifier"):
            (Path(scratch) / name).mkdir(parents=True)
        (Path(scratch) / "app" / "answer").write_text("42\n")
        script = (folder / "tests" / "test.sh").read_text().replace("/app", f"{scratch}/app")
        path = Path(scratch) / "test.sh"
        path.write_text(script.replace("/logs", f"{scratch}/logs"))
        return [_timed(["bash", str(path)]) for _ in range(GRADINGS)]


def _timed(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return time.perf_counter() - began


def graded_seconds(task: Task, key: Key, sandbox: Sandbox) -> list[float]:
    """Time the whole grading of one deliverable: fresh box, deliverable laid, tests run, reward read."""
    assignment = Assignment(task=task, agent=_oracle(key), attempt=0, seed=0, sandbox=sandbox, origin="known")
    grader = HarborGrader(key=key, sandbox=sandbox)
    seconds = []
    with tempfile.TemporaryDirectory() as scratch, Attempt(assignment, Path(scratch)) as attempt:
        taken = attempt.act(task.steps[0])
        assert taken is not None
        for _ in range(GRADINGS):
            began = time.perf_counter()
            grading = grader.grade(task, task.steps[0], taken)
            seconds.append(time.perf_counter() - began)
            assert grading.outcome == "passed", grading
    return seconds


def _oracle(key: Key) -> SubmissionAgent:
    return SubmissionAgent(model="reference", folders={s.name: s.solution for s in key.steps if s.solution})


def trials_seconds(task: Task, key: Key, sandbox: Sandbox) -> float:
    """Time 100 oracle trials, worker start-up included."""
    plan = Plan(tasks=[task], agents=[_oracle(key)], attempts=TRIALS, sandbox=sandbox)
    began = time.perf_counter()
    with LocalEngine(WORKERS) as engine:
        tally = run_plan(plan, {task.name: HarborGrader(key=key, sandbox=sandbox)}, engine, lambda _: None)
    assert tally.passed == TRIALS, tally
    return time.perf_counter() - began


def harbor_seconds(harbor: str, folder: Path) -> float | None:
    """Time `harbor run -a oracle -k 100 -n 2` on the same task; None if it does not pass them all."""
    with tempfile.TemporaryDirectory() as jobs:
        command = [harbor, "run", "-p", str(folder), "-a", "oracle", "-k", str(TRIALS), "-n", str(WORKERS), "-q",
                   "-e", "bench.peers.harbor_local:LocalEnvironment", "-o", jobs, "-y"]  # fmt: skip
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
        began = time.perf_counter()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - began
        rewards = [path.read_text().strip() for path in Path(jobs).rglob("reward.txt")]
        if done.returncode or rewards != ["1"] * TRIALS:
            sys.stderr.write(
                f"harbor: exit {done.returncode}, {len(rewards)} rewards\n{(done.stdout + done.stderr)[-4000:]}\n"
            )
            return None
        return seconds


def main() -> None:
    """Print the figures and the bars."""
    sandbox = find("bwrap")
    if not sandbox.capability().available:
        sys.stdout.write(f"skipped: bubblewrap does not work here: {sandbox.capability().why}\n")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = small_task(Path(scratch) / "small")
        task, key = load_task(folder)
        list(InlineEngine().map([lambda: sandbox.prepare(task.environment)]))
        bare, graded = statistics.median(bare_seconds(folder)), statistics.median(graded_seconds(task, key, sandbox))
        sys.stdout.write(f"one grading: {1000 * graded:.1f} ms, bare test.sh {1000 * bare:.1f} ms, "
                         f"over it {1000 * (graded - bare):.1f} ms (bar: 20)\n")  # fmt: skip
        ours = trials_seconds(task, key, sandbox)
        sys.stdout.write(f"{TRIALS} oracle trials, {WORKERS} workers: {ours:.2f} s\n")
        harbor = os.environ.get("HARBOR")
        theirs = harbor_seconds(harbor, folder) if harbor else None
        if theirs is not None:
            sys.stdout.write(
                f"harbor run -k {TRIALS} -n {WORKERS}: {theirs:.2f} s, ratio {ours / theirs:.2f} (bar: 0.33)\n"
            )
        else:
            sys.stdout.write("harbor: not measured (set HARBOR to its command)\n")


if __name__ == "__main__":
    main()
