"""An agent's work without a box: a function of the test's lays out what it leaves, recorded as real work is."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file
from tests.posttrain.toys import ITEMS, write_rows

from fairtrial.posttrain.bench import Agent, Bench, Cell
from fairtrial.posttrain.document import Told, read_told
from fairtrial.posttrain.evaluating import terms_of
from fairtrial.posttrain.folder import Attempted, RunFolder
from fairtrial.posttrain.running import Results, Wanted, Work, run_all
from fairtrial.records import digest
from fairtrial.run.engine import InlineEngine
from fairtrial.sandbox import Command, Completed, FakeSandbox, Mount, Prepared, Sandbox
from fairtrial.sandbox.fake import FakeBox

Leaves = Callable[[Bench, Cell, RunFolder], dict[str, Any]]
TRAJECTORY = {
    "schema_version": "ATIF-v1.5", "session_id": "recorded", "agent": {"name": "agent", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Post-train the base model."},
        {"step_id": 2, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": "c", "function_name": "bash", "arguments": {"command": "python train.py"}}],
         "observation": {"results": [{"source_call_id": "c", "content": "done"}]}},
    ],
}  # fmt: skip


@dataclass
class FakeAttempter:
    """Stands for `posttrain.attempt.attempt`; counts what was asked of it."""

    leaves: dict[str, Leaves]
    """By the agent's name."""
    asked: list[str] = field(default_factory=list)

    def __call__(
        self, bench: Bench, cell: Cell, folder: RunFolder, sandbox: Sandbox, progress: Callable[[str], None]
    ) -> Attempted:
        del sandbox, progress
        self.asked.append(cell.model)
        for name in ("model", "workspace", "evaluator", "written"):
            shutil.rmtree(folder.path / name, ignore_errors=True)
        folder.workspace.mkdir(parents=True)
        folder.written.mkdir()
        shutil.copytree(bench.beside(bench.benchmark(cell.track).evaluator), folder.evaluator)
        (folder.path / "recorded.json").write_text(json.dumps(TRAJECTORY))
        (folder.path / "writes.jsonl").write_text("")
        told = self.leaves[cell.agent.name](bench, cell, folder)
        stated: dict[str, Any] = {
            "stop": "finished", "exit_code": 0, "seconds": 1.5, "cpu_seconds": 1.0, "began": "2026-01-01T00:00:00Z",
            "has_model": folder.model.is_dir(), "why_no_model": "" if folder.model.is_dir() else "there is none",
        }  # fmt: skip
        return Attempted(**stated | told)


def trained(seed: int = 3, raised: float = 0.3) -> Leaves:
    """Return an agent that trains on broad rows, and says so."""

    def leaves(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
        hand_in(bench, cell, folder, seed, raised)
        write_rows(folder.workspace / "train.jsonl", broad(seed))
        return {"declared": ("train.jsonl",)}

    return leaves


def hand_in(bench: Bench, cell: Cell, folder: RunFolder, seed: int = 3, raised: float = 0.3) -> None:
    """Leave a model that is trained from the base."""
    rng = np.random.default_rng(seed)
    whole = load_file(bench.base_weights(cell.base) / "model.safetensors")
    for name, value in whole.items():
        if value.ndim == 2:
            change = rng.normal(size=(value.shape[0], 3)) @ rng.normal(size=(3, value.shape[1]))
            whole[name] = (value + 0.03 * change).astype(np.float32)
    whole["head"] = (whole["head"] + np.float32(raised)).astype(np.float32)
    assert whole["head"].shape == (ITEMS,)
    folder.model.mkdir(parents=True)
    save_file(whole, folder.model / "model.safetensors")
    (folder.model / "config.json").write_text('{"model_type": "toy"}')


def broad(seed: int = 3, count: int = 150) -> list[dict[str, str]]:
    """Return rows that are near no item."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcdefghilmnoprstuv"))
    words = ["".join(rng.choice(letters, size=rng.integers(4, 9))) for _ in range(600)]
    return [
        {"id": f"t{n}", "question": "Practice: " + " ".join(rng.choice(words, size=14)) + "?"} for n in range(count)
    ]


def written(folder: RunFolder, path: str, content: bytes, suffix: str) -> None:
    """Record that a file was written, as the recorder does."""
    address = digest(content)
    (folder.written / f"{address.removeprefix('sha256:')}{suffix}").write_bytes(content)
    line = {"time": "2026-01-01T00:00:00Z", "path": path, "size": len(content), "digest": address, "why": ""}
    with (folder.path / "writes.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")


def nothing(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
    """Hand in no model."""
    del bench, cell, folder
    return {"why_no_model": "there is no folder /workspace/final_model"}


def evaluating(command: Command, root: Path) -> Completed:
    """Run evaluate.py in this process, its paths turned to those of the fake box: a sandbox's script."""
    began = time.perf_counter()
    at = command.argv.index("evaluate.py")
    mapped = [str(root / one.lstrip("/")) if one.startswith("/") else one for one in command.argv[at + 1 :]]
    program = str(root / "evaluator/evaluate.py")
    held, environment = sys.argv, dict(os.environ)
    sys.argv = [program, *mapped]
    os.environ.update(command.variables)
    code, said = 0, ""
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as ended:
        code = int(ended.code or 0)
    except Exception as error:  # noqa: BLE001  what an evaluator raises is how it ends
        code, said = 1, f"{type(error).__name__}: {error}"
    finally:
        sys.argv = held
        os.environ.clear()
        os.environ.update(environment)
    return Completed(exit_code=code, output=said, seconds=time.perf_counter() - began)


class FlakySandbox(FakeSandbox):
    """Ends the process, as Ctrl-C does, when the box of each number is opened for the first time."""

    def __init__(self) -> None:
        super().__init__(evaluating)
        self.opened = 0
        self.deaths: set[int] = set()

    def open(self, prepared: Prepared, mounts: Sequence[Mount] = (), *, live: bool = False) -> FakeBox:
        self.opened += 1
        if self.opened not in self.deaths:
            self.deaths.add(self.opened)
            self.opened = 0
            raise KeyboardInterrupt
        return super().open(prepared, mounts, live=live)


def work_of(bench: Bench, out: Path, attempter: FakeAttempter, sandbox: Sandbox | None = None) -> Work:
    """Return what `run_all` works with."""
    where = sandbox or FakeSandbox(evaluating)
    terms = terms_of(bench, where.name)
    out.mkdir(parents=True, exist_ok=True)
    Results(out).bind(bench, terms)
    return Work(bench=bench, results=out, terms=terms, sandbox=where, attempter=attempter)


def ran(bench: Bench, out: Path, leaves: dict[str, Leaves], repeats: int = 1, sandbox: Sandbox | None = None) -> Told:
    """Do all runs of agents and return what they came to."""
    attempter = FakeAttempter(leaves)
    wanted = Wanted(agents=[Agent(name=name, command="go") for name in leaves], repeats=repeats)
    run_all(work_of(bench, out, attempter, sandbox), wanted, InlineEngine(), lambda _: None)
    return read_told(bench, Results(out))
