"""What a whole proof costs: 100 probe submissions, beside 100 bare runs of the same test.sh shared among the cores.

    python bench/proofs.py

Bar: at most 1.5 times, for a grader that takes 200 ms or more. Both are timed in this run; the second proof shows what
the cache saves.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fairtrial.attack import Card, Submission, Target
from fairtrial.prove import ProveOptions, prove
from fairtrial.run import FilesAgent, LocalEngine
from fairtrial.sandbox import find
from fairtrial.tasks import load_suite

CANDIDATES = 100
BARE = 10
LOOPS = 100_000
GRADER = """\
import hashlib, pathlib
for _ in range(LOOPS):
    hashlib.sha256(bytes(1000)).digest()
answer = pathlib.Path("/app/answer")
pathlib.Path("/logs/verifier/reward.txt").write_text("1" if answer.exists() and answer.read_text() == "right" else "0")
"""


@dataclass(frozen=True)
class Words:
    """Hands in wrong words."""

    @property
    def card(self) -> Card:
        """Return what this probe is."""
        return Card(id="words", family="hack", surface="workspace", submits="a wrong word", sound="fails it",
                    proof="always", classes=())  # fmt: skip

    def submissions(self, target: Target) -> Iterable[Submission]:
        """Yield as many as are timed."""
        for number in range(CANDIDATES):
            file = target.new_file("answer", f"wrong {number}".encode())
            agent = FilesAgent(model=f"wrong-{number}", files={"/app/answer": file})
            yield Submission(name=str(number), agent=agent, expects="fails", what="a wrong word")


def busy_task(folder: Path) -> Path:
    """Write a task whose grader is busy for a quarter of a second."""
    for name in ("environment", "tests", "solution"):
        (folder / name).mkdir(parents=True)
    (folder / "task.toml").write_text('version = "1.0"\n')
    (folder / "instruction.md").write_text("Write the right word.\n")
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\n")
    (folder / "solution" / "solve.sh").write_text("printf right > /app/answer\n")
    (folder / "tests" / "grade.py").write_text(GRADER.replace("LOOPS", str(LOOPS)))
    (folder / "tests" / "test.sh").write_text("python3 -I /tests/grade.py\n")
    return folder


def bare_seconds(folder: Path) -> float:
    """Return the median time of the grader with nothing around it."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("app", "logs/verifier"):
            (Path(scratch) / name).mkdir(parents=True)
        path = Path(scratch) / "grade.py"
        source = (folder / "tests" / "grade.py").read_text()
        path.write_text(source.replace("/app", f"{scratch}/app").replace("/logs", f"{scratch}/logs"))
        seconds = []
        for _ in range(BARE):
            began = time.perf_counter()
            subprocess.run(["bash", "-c", f"python3 -I {path}"], check=True, stdin=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - began)
        return statistics.median(seconds)


def proof_seconds(folder: Path, *, fresh: bool) -> tuple[float, int]:
    """Return how long a proof takes, its workers' start included, and how many gradings it made."""
    options = ProveOptions(repeats=1, concurrency=1, probes=(Words(),), fresh=fresh)
    began = time.perf_counter()
    with LocalEngine() as engine:
        (task,) = prove(load_suite(folder), find("bwrap"), engine, options, tool="bench", on_tried=lambda _: None)
    assert task.proof.status != "refuted", task.findings
    return time.perf_counter() - began, task.proof.gradings


def main() -> None:
    """Print the ratio and the bar."""
    sandbox = find("bwrap")
    if not sandbox.capability().available:
        sys.stdout.write(f"skipped: bubblewrap does not work here: {sandbox.capability().why}\n")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = busy_task(Path(scratch) / "busy")
        bare = bare_seconds(folder)
        seconds, gradings = proof_seconds(folder, fresh=True)
        floor = bare * gradings / (os.cpu_count() or 1)
        sys.stdout.write(
            f"{gradings} gradings: {seconds:.2f} s; bare ({1000 * bare:.0f} ms each), shared among "
            f"{os.cpu_count()} cores: {floor:.2f} s; ratio {seconds / floor:.2f} (bar: 1.5)\n"
        )
        again, _ = proof_seconds(folder, fresh=False)
        sys.stdout.write(f"the same again from the cache: {again:.2f} s, {again / seconds:.2f} of the first\n")


if __name__ == "__main__":
    main()
