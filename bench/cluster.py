"""What the ray engine costs a job, beside the local engine and beside ray alone, in one run.

    python bench/cluster.py

A small job, so that what is timed is the way to it and back; and a job that computes for 20 ms, as a quick trial does.
Figures are those of one machine: the way over a network is not in them. Bar: at 20 ms a job, at most 1.25 times the
local engine's time.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fairtrial.run import Engine, LocalEngine
from fairtrial.run.engine_ray import RayEngine, imported

SMALL, LONG = 2000, 300
SECONDS = 0.02
WORKERS = max(1, min(2, os.cpu_count() or 1))
BAR = 1.25


@dataclass(frozen=True, slots=True)
class Compute:
    """Keep a core busy for so many seconds of its own time."""

    seconds: float

    def __call__(self) -> float:
        """Return the seconds that passed."""
        began = time.perf_counter()
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass
        return time.perf_counter() - began


def timed(work: Callable[[], int], count: int) -> float:
    """Return the seconds of `work`, which must say that it did `count` jobs."""
    began = time.perf_counter()
    done = work()
    assert done == count, f"{done} of {count} jobs were done"
    return time.perf_counter() - began


def on(engine: Engine, job: Callable[[], float], count: int) -> float:
    """Return the seconds of `count` jobs on an engine that is warm."""
    list(engine.map([job] * WORKERS))
    return timed(lambda: sum(1 for _ in engine.map([job] * count)), count)


def floor(job: Callable[[], float], count: int) -> float:
    """Return the seconds of the same jobs through ray alone, all sent at once."""
    ray = imported()
    remote = ray.remote(_call)
    ray.get([remote.remote(job)] * WORKERS)
    return timed(lambda: len(ray.get([remote.remote(job) for _ in range(count)])), count)


def _call(job: Callable[[], float]) -> float:
    return job()


def main() -> None:
    """Print the figures."""
    if importlib.util.find_spec("ray") is None:
        sys.stdout.write("skipped: ray is not installed (pip install 'fairtrial[ray]')\n")
        return
    # Workers import this file by its name, and ray's find it where the driver's script lies.
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    work: type[Compute] = __import__("cluster").Compute
    began = time.perf_counter()
    with LocalEngine(WORKERS) as local, RayEngine(WORKERS) as far:
        sys.stdout.write(f"ray started in {time.perf_counter() - began:.1f} s, {WORKERS} workers\n")
        for name, seconds, count in (("small", 0.0, SMALL), ("20 ms", SECONDS, LONG)):
            job = work(seconds)
            here, there, alone = on(local, job, count), on(far, job, count), floor(job, count)
            sys.stdout.write(
                f"{count} jobs, {name}: local {1000 * here / count:.2f} ms a job, ray {1000 * there / count:.2f}, "
                f"ray alone {1000 * alone / count:.2f}; ray / local {there / here:.2f}, ray / ray alone "
                f"{there / alone:.2f}" + (f" (bar for the first: {BAR})\n" if seconds else "\n")
            )


if __name__ == "__main__":
    main()
