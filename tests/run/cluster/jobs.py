"""Jobs and a small plan that tests send to clusters, real and fake; also imported by ray's workers, under this name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from fairtrial.grade import Grader, HarborGrader
from fairtrial.ledger import TABLES, Ledger, Writer
from fairtrial.run import Action, Engine, Episode, Plan, Situation, Tally, run_plan
from fairtrial.sandbox import Command, Completed, FakeSandbox, Mount
from fairtrial.tasks import load_suite

TIMES = ("seconds", "recorded_at")


@dataclass(frozen=True)
class Square:
    number: int

    def __call__(self) -> int:
        return self.number**2


@dataclass(frozen=True)
class ReadBelow:
    """Read a file below a folder that travels."""

    folder: Path
    file: Path
    lacks: str = ""
    reads: tuple[str, ...] = ()
    besides: Path | None = None
    """A path that it does not carry."""

    def carries(self) -> Iterator[Path]:
        yield self.folder

    def variables(self) -> tuple[str, ...]:
        return self.reads

    def why_not_here(self) -> str:
        return self.lacks

    def __call__(self) -> tuple[str, str]:
        return str(self.besides or self.file), self.file.read_text()


@dataclass(frozen=True)
class Raise:
    error: BaseException

    def __call__(self) -> int:
        raise self.error


@dataclass(frozen=True)
class Die:
    def __call__(self) -> int:
        os._exit(137)


@dataclass(frozen=True)
class Troubled:
    """An agent that writes one file; the first time, its worker dies under one attempt and its machine under another.

    `marks` is a folder that all see; `home` the machine that stays.
    """

    marks: Path | None = None
    home: str = ""
    name: str = "troubled"
    model: str = "tester"
    effort: str = ""
    needs_isolation: bool = False
    said: Mapping[str, str] = field(default_factory=dict)

    def settings(self) -> Mapping[str, Any]:
        return {}

    def mounts(self) -> Sequence[Mount]:
        return ()

    def act(self, situation: Situation) -> Episode:
        if self.marks is not None:
            self._meet_trouble(self.marks, situation.attempt)
        situation.box.run(Command(("write", f"{situation.task.name} {situation.attempt} {situation.seed}")))
        return Episode(actions=(Action(message=f"attempt {situation.attempt}"),), stop="finished")

    def _meet_trouble(self, marks: Path, attempt: int) -> None:
        import ray

        if attempt == 1 and not (marks / "died").exists():
            (marks / "died").touch()
            os._exit(137)
        if ray.get_runtime_context().get_node_id() != self.home and not (marks / "away").exists():
            (marks / "away").touch()
            time.sleep(100)  # until the machine is taken away under it


def acted(command: Command, root: Path) -> Completed:
    """`write` writes /app/file; grading passes even attempts."""
    if command.argv[0] == "write":
        (root / "app" / "file").write_text(command.argv[1])
    else:
        attempt = int((root / "app" / "file").read_text().split()[1])
        (root / "logs" / "verifier" / "reward.txt").write_text(str(1 - attempt % 2))
    return Completed(exit_code=0, output="ok", seconds=0.0)


def write_suite(folder: Path, tasks: int = 2) -> Path:
    """Write a suite of tasks that the fake sandbox can grade."""
    for number in range(tasks):
        files = {
            "task.toml": 'version = "1.0"\n', "instruction.md": f"Write file {number}.\n",
            "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n", "tests/test.sh": f"single {number}\n",
        }  # fmt: skip
        for name, text in files.items():
            path = folder / f"task-{number}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder


def ran(suite: Path, ledger: Path, engine: Engine, agent: Troubled, attempts: int) -> Tally:
    """Run the plan on `engine` into a new ledger at `ledger`."""
    loaded, sandbox = load_suite(suite), FakeSandbox(acted)
    plan = Plan(tasks=loaded.tasks, agents=[agent], attempts=attempts, sandbox=sandbox, allow_unisolated=True)
    graders: dict[str, Grader] = {name: HarborGrader(key=key, sandbox=sandbox) for name, key in loaded.keys.items()}
    with Writer(Ledger.open(ledger, create=True)) as writer:
        return run_plan(plan, graders, engine, lambda tried: tried.keep(writer))


def rows(ledger: Path) -> dict[str, list[str]]:
    """Return every row as it lies on disk, repeats and all, but for times; and the name and size of every blob."""
    found: dict[str, list[str]] = {}
    for table in TABLES:
        parts = [pq.read_table(path).to_pylist() for path in (ledger / table).glob("*.parquet")]
        found[table] = sorted(
            repr({name: value for name, value in row.items() if name not in TIMES}) for part in parts for row in part
        )
    blobs = (path for path in (ledger / "blobs").rglob("*") if path.is_file())
    found["blobs"] = sorted(f"{path.name} {path.stat().st_size}" for path in blobs)
    return found
