"""Seeds in processes of their own, some at once: one that crashes does not end the others, Ctrl-C ends them all.

What a seed has done is on disk, so that a run that was ended goes on from its last checkpoints.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.train.running.folder import RunFolder

_LOG_TAIL = 400
Heard = Callable[[int, dict[str, Any]], None]
"""Takes what a seed's process says as it goes: (seed, document)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What each seed's process is to do."""

    ledger: str
    threads: int = 1
    go_on: bool = False
    base_by: frozenset[int] = frozenset()
    """Seeds that evaluate the base: all where each has its own, else one."""
    explore: int | None = None
    """Evaluate this step alone, and train nothing."""
    grader: str = ""
    """MODULE:FUNCTION that pays in place of the tasks' own grader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedEnd:
    """How a seed ended."""

    seed: int
    steps: int = 0
    whole: bool = False
    paused: str = ""
    attempts_added: int = 0
    error: str = ""
    """Why it did not end as it should; empty where it did."""
    exit_code: int = 0


def run_seeds(run: RunFolder, seeds: Sequence[int], orders: Orders, *, at_once: int, heard: Heard) -> list[SeedEnd]:
    """Run `seeds`, `at_once` side by side; return how each ended, in order."""
    with _Processes() as processes, ThreadPoolExecutor(max(1, at_once)) as pool:
        try:
            futures = {pool.submit(_run_seed, processes, run, seed, orders, heard): seed for seed in seeds}
            ends = {futures[done]: done.result() for done in as_completed(futures)}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            processes.end()
            raise
    return [ends[seed] for seed in seeds]


class _Processes:
    """The processes that run, so that all of them can be ended."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    @contextmanager
    def started(self, command: Sequence[str], threads: int) -> Iterator[subprocess.Popen[bytes]]:
        """Start a process that libraries find set for `threads` threads and no network."""
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive",
                       "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}  # fmt: skip
        # A group of its own: Ctrl-C reaches the parent alone, which ends its children in order.
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
                                   start_new_session=True)  # fmt: skip
        with self._lock:
            self._running.add(process)
        try:
            yield process
        finally:
            if process.stdin is not None:
                process.stdin.close()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
            with self._lock:
                self._running.discard(process)

    def end(self) -> None:
        """End all that runs."""
        with self._lock:
            for process in self._running:
                process.terminate()

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _run_seed(processes: _Processes, run: RunFolder, seed: int, orders: Orders, heard: Heard) -> SeedEnd:
    command = [sys.executable, "-m", "fairtrial.train.running.child", str(run.path), str(seed)]
    last: dict[str, Any] = {}
    with processes.started(command, orders.threads) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_written(orders, seed))
        process.stdin.flush()
        for line in process.stdout:
            last = orjson.loads(line)
            heard(seed, last)
        code = process.wait()
    if "end" in last and code == 0:
        return SeedEnd(**last["end"])
    if "error" in last:
        return SeedEnd(seed=seed, error=str(last["error"]), exit_code=int(last["exit_code"]))
    how = f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return SeedEnd(seed=seed, error=f"its process was {how}; see {run.seed(seed).log}{_tail(run, seed)}", exit_code=3)


def _written(orders: Orders, seed: int) -> bytes:
    document = {"ledger": orders.ledger, "go_on": orders.go_on, "base": seed in orders.base_by,
                "explore": orders.explore, "grader": orders.grader}  # fmt: skip
    return orjson.dumps(document) + b"\n"


def _tail(run: RunFolder, seed: int) -> str:
    try:
        last = run.seed(seed).log.read_bytes()[-_LOG_TAIL:].decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return f": {last[-1]}" if last else ""
