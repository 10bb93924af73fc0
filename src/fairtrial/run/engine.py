"""The local engine: jobs in worker processes, bounded in flight, results as they come.

A job is a picklable callable without arguments. A worker that dies (killed for memory, say) takes down only the jobs in
its pool at that moment: they are tried once more, each alone, then reported as `Lost`. Ctrl-C stops handing out
jobs; what was yielded before is the caller's. Not covered: more than one machine (`engine_ray`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait as wait_for
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from fairtrial.records import InputError, ModelError

Result = TypeVar("Result")
MOST_TRIES = 2


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """A job that returned."""

    index: int
    value: Result


@dataclass(frozen=True, slots=True)
class Lost:
    """A job that ended in an unforeseen error, or whose worker died under it, twice."""

    index: int
    why: str


class Engine(Protocol):
    """Runs jobs somewhere."""

    def map(
        self, jobs: Iterable[Callable[[], Result]], *, at_once: int | None = None, cores_each: int | None = None,
        here: bool = False,
    ) -> Iterator[Done[Result] | Lost]:  # fmt: skip
        """Yield each job's result as it ends, in any order, at most `at_once` running.

        With `cores_each`, a machine runs no more than leaves each job so many of its cores. `here`: on this machine
        and no other, for jobs whose company is the question, or who write files that are read afterwards.
        """
        ...


class InlineEngine:
    """Runs each job in this process, one after the other: for tests and debuggers."""

    def map(
        self, jobs: Iterable[Callable[[], Result]], *, at_once: int | None = None, cores_each: int | None = None,
        here: bool = False,
    ) -> Iterator[Done[Result] | Lost]:  # fmt: skip
        """Yield each job's result in order."""
        del at_once, cores_each, here
        for index, job in enumerate(jobs):
            yield Done(index, job())


class LocalEngine:
    """Worker processes on this machine. Use it as a context manager."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(kill=error is not None)

    def map(
        self, jobs: Iterable[Callable[[], Result]], *, at_once: int | None = None, cores_each: int | None = None,
        here: bool = False,
    ) -> Iterator[Done[Result] | Lost]:  # fmt: skip
        """Yield each job's result as it ends, in any order, at most `at_once` running; all of it is here."""
        del here
        room = self.workers if cores_each is None else max(1, (os.cpu_count() or 1) // cores_each)
        limit = min(at_once or self.workers, self.workers, room)
        waiting = enumerate(jobs)
        again: list[tuple[int, Callable[[], Result]]] = []
        tries: dict[int, int] = {}
        flying: dict[Future[Result], tuple[int, Callable[[], Result]]] = {}
        while True:
            # Those whose pool broke go one at a time, with nobody beside: only the one at fault is lost.
            room = 1 if again or any(index in tries for index, _ in flying.values()) else limit
            while len(flying) < room and (job := again.pop() if again else next(waiting, None)) is not None:
                flying[self._submit(job[1])] = job
            if not flying:
                return
            ended, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in ended:
                index, job_again = flying.pop(future)
                try:
                    yield Done(index, future.result())
                except BrokenProcessPool as error:
                    self._end(kill=True)
                    tries[index] = tries.get(index, 1) + 1
                    if tries[index] > MOST_TRIES:
                        yield Lost(index, str(error))
                    else:
                        again.append((index, job_again))
                except (InputError, ModelError):
                    raise  # the user must mend it, and every other job would meet it too
                except (Exception, SystemExit) as error:  # noqa: BLE001  unforeseen: it costs this job, not the others
                    yield Lost(index, f"{type(error).__name__}: {error}")

    def _submit(self, job: Callable[[], Result]) -> Future[Result]:
        if self._pool is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["fairtrial.run.trial"])
            self._pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_settle_in)
        try:
            return self._pool.submit(job)
        except BrokenProcessPool as error:
            failed: Future[Result] = Future()
            failed.set_exception(error)
            return failed

    def _end(self, *, kill: bool) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=not kill, cancel_futures=True)
        if kill:
            for worker in workers:
                worker.terminate()


def _settle_in() -> None:
    """Leave Ctrl-C to the parent, which ends the workers in order; and do not outlive it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
