"""Seeds in processes of their own, some at once: one that crashes does not end the others, Ctrl-C ends them all.

What a seed has done is on disk, so that a run that was ended goes on from its last checkpoints.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.train.running.folder import RunFolder

_LOG_TAIL = 400
_GPUS = ("/dev/nvidiactl", "/dev/kfd")
Heard = Callable[[int, dict[str, Any]], None]
"""Takes what a seed's process says as it goes: (seed, document)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What each seed's process is to do."""

    ledger: str
    threads: int = 1
    methods: tuple[str, ...] = ()
    """Of the stages, whose trainers are loaded once for all seeds."""
    forks: bool = True
    """Load torch once and fork a process a seed; not where a GPU is used."""
    go_on: bool = False
    base_by: frozenset[int] = frozenset()
    """Seeds that evaluate the base: all where each has its own, else one."""
    explore: int | None = None
    """Evaluate this step alone, and train nothing."""
    grader: str = ""
    """MODULE:FUNCTION that pays in place of the tasks' own grader."""

    def written(self, seeds: Sequence[int], at_once: int) -> bytes:
        """Return the line that a process is sent."""
        return orjson.dumps({
            "ledger": self.ledger, "go_on": self.go_on, "base_by": sorted(self.base_by), "explore": self.explore,
            "methods": list(self.methods), "grader": self.grader, "seeds": list(seeds), "at_once": at_once,
        }) + b"\n"  # fmt: skip


def has_gpu() -> bool:
    """Say whether this machine shows a GPU, without loading torch."""
    return any(Path(device).exists() for device in _GPUS)


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
    groups = [list(seeds)] if orders.forks else [[seed] for seed in seeds]
    with _Processes() as processes, ThreadPoolExecutor(max(1, at_once)) as pool:
        try:
            futures = [pool.submit(_run_group, processes, run, group, orders, at_once, heard) for group in groups]
            ends = {end.seed: end for done in as_completed(futures) for end in done.result()}
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
                with suppress(BrokenPipeError):
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
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)  # its forks too

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _run_group(
    processes: _Processes, run: RunFolder, seeds: Sequence[int], orders: Orders, at_once: int, heard: Heard
) -> list[SeedEnd]:
    """Run some seeds in one process, or in its forks."""
    # -P: a random.py or datasets.py in the current folder is not the library's
    command = [sys.executable, "-P", "-m", "fairtrial.train.running.child", str(run.path)]
    said: dict[int, dict[str, Any]] = {seed: {} for seed in seeds}
    exits: dict[int, int] = {}
    with processes.started(command, orders.threads) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it died at once: its exit code says so
            process.stdin.write(orders.written(seeds, at_once))
            process.stdin.flush()
        for line in process.stdout:
            document = orjson.loads(line)
            seed = document.pop("seed")
            if "exit" in document:
                exits[seed] = document["exit"]
            else:
                said[seed] = document
                heard(seed, document)
        code = process.wait()
    return [_ended(run, seed, said[seed], exits.get(seed, code)) for seed in seeds]


def _ended(run: RunFolder, seed: int, last: dict[str, Any], code: int) -> SeedEnd:
    if "end" in last:  # all is on disk by then, however its process ended
        return SeedEnd(**last["end"])
    if "error" in last:
        return SeedEnd(seed=seed, error=str(last["error"]), exit_code=int(last["exit_code"]))
    log = run.seed(seed).log if run.seed(seed).log.exists() else run.log
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return SeedEnd(seed=seed, error=f"its process {how}; see {log}{_tail(log)}", exit_code=3)


def _tail(log: Path) -> str:
    try:
        last = log.read_bytes()[-_LOG_TAIL:].decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return f": {last[-1]}" if last else ""
