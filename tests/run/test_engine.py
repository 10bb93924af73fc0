"""Attacks: workers that die, jobs that raise, more jobs than places, a consumer that stops early."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairtrial.records import InputError
from fairtrial.run import Done, LocalEngine, Lost


@dataclass(frozen=True)
class Square:
    number: int

    def __call__(self) -> int:
        return self.number**2


@dataclass(frozen=True)
class Die:
    """Die without a word, every time, or only until a file exists."""

    unless: Path | None = None

    def __call__(self) -> int:
        if self.unless is not None:
            if self.unless.exists():
                return 7
            self.unless.touch()
        os._exit(137)


@dataclass(frozen=True)
class Raise:
    def __call__(self) -> int:
        raise ValueError("a fault of the job")


@dataclass(frozen=True)
class Leave:
    def __call__(self) -> int:
        raise SystemExit(3)


@dataclass(frozen=True)
class Refuse:
    def __call__(self) -> int:
        raise InputError("mend this")


@dataclass(frozen=True)
class Overlap:
    """Say from when to when it ran, and wait until so many have begun, so that a slow machine is no bound."""

    folder: Path
    number: int
    company: int = 0

    def __call__(self) -> tuple[float, float]:
        began = time.monotonic()
        (self.folder / str(self.number)).touch()
        while len(list(self.folder.iterdir())) < self.company and time.monotonic() < began + 20:
            time.sleep(0.005)
        time.sleep(0.005)
        return began, time.monotonic()


def together(spans: list[tuple[float, float]]) -> int:
    """Return how many ran at the same time, at most."""
    return max(sum(one[0] <= began < one[1] for one in spans) for began, _ in spans)


def test_every_job_ends_once_under_its_own_index() -> None:
    with LocalEngine(2) as engine:
        ended = list(engine.map([Square(n) for n in range(20)]))
    assert sorted((one.index, one.value) for one in ended if isinstance(one, Done)) == [(n, n * n) for n in range(20)]


def test_at_once_bounds_what_runs_together(tmp_path: Path) -> None:
    (tmp_path / "crowd").mkdir()
    (tmp_path / "alone").mkdir()
    alone_jobs = [Overlap(tmp_path / "alone", n) for n in range(4)]
    crowd_jobs = [Overlap(tmp_path / "crowd", n, company=2) for n in range(7)]
    with LocalEngine(3) as engine:
        alone = [one.value for one in engine.map(alone_jobs, at_once=1) if isinstance(one, Done)]
        crowd = [one.value for one in engine.map(crowd_jobs) if isinstance(one, Done)]
    assert (len(alone), len(crowd)) == (4, 7)
    assert together(alone) == 1
    assert 1 < together(crowd) <= 3


def test_a_job_whose_worker_dies_is_tried_again_then_reported_lost(tmp_path: Path) -> None:
    jobs: list[Callable[[], int]] = [Die(tmp_path / "died-once"), Die(), Square(3)]
    with LocalEngine(1) as engine:
        ended = {one.index: one for one in engine.map(jobs)}
    assert ended[0] == Done(0, 7)
    assert isinstance(ended[1], Lost)
    assert ended[2] == Done(2, 9)


def test_an_unforeseen_error_costs_its_job_and_no_other() -> None:
    with LocalEngine(1) as engine:
        ended = {one.index: one for one in engine.map([Raise(), Leave(), Square(3)])}
    assert ended[0] == Lost(0, "ValueError: a fault of the job")
    assert ended[1] == Lost(1, "SystemExit: 3")
    assert ended[2] == Done(2, 9)


def test_what_the_user_must_mend_reaches_the_user() -> None:
    with LocalEngine(1) as engine, pytest.raises(InputError, match="mend this"):
        list(engine.map([Refuse()]))


def test_jobs_are_drawn_only_as_places_free_up() -> None:
    drawn: list[int] = []

    def endless() -> Iterator[Square]:
        number = 0
        while True:
            drawn.append(number)
            yield Square(number)
            number += 1

    with LocalEngine(2) as engine:
        results = engine.map(endless())
        for _ in range(5):
            next(results)
    assert len(drawn) <= 5 + 2


def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from fairtrial.run import LocalEngine\n"
        "def main():\n"
        "    with LocalEngine(1) as engine:\n"
        "        worker = next(engine.map([os.getpid])).value\n"
        "        Path(sys.argv[1]).write_text(str(worker))\n"
        "        os.kill(os.getpid(), 9)\n"
        "if __name__ == '__main__':\n"
        "    main()\n"
    )
    told = tmp_path / "worker"
    subprocess.run([sys.executable, str(program), str(told)], check=False, timeout=60)
    worker = int(told.read_text())
    deadline = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


def test_only_the_job_at_fault_is_lost() -> None:
    jobs: list[Callable[[], int]] = [Square(1), Die(), Square(2), Die(), *(Square(n) for n in range(3, 6))]
    with LocalEngine(2) as engine:
        ended = list(engine.map(jobs))
    assert sorted(one.index for one in ended if isinstance(one, Lost)) == [1, 3]
    assert len(ended) == len(jobs)
