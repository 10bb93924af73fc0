"""Read one job from standard input, load the grader once, grade each call in a process that it cannot outlive.

A job is JSON lines: the set-up, then its cases, then its calls. Answers go to what was standard output at the start,
each line behind a mark; the grader's own output goes to a file of which an ungraded call quotes the end. A call that
takes too long, or whose process dies, is ungraded, and the calls behind it go on in a new process.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

from .calling import OUTPUT_TAIL, work
from .errors import UnusableError
from .loading import load, source_of

MOST_OUTPUT = 8 << 20


class Teller:
    """Writes answers where the grader does not print."""

    def __init__(self, descriptor: int, mark: str) -> None:
        self._descriptor = descriptor
        self._mark = mark.encode()

    def tell(self, **message: Any) -> None:
        """Write one answer."""
        line = self._mark + json.dumps(message).encode() + b"\n"
        while line:
            line = line[os.write(self._descriptor, line):]  # fmt: skip


class Group:
    """Calls that one process grades in turn."""

    def __init__(self, adapter: Any, calls: list[dict[str, Any]], job: Job) -> None:
        reading, writing = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(reading)
            self._grade(adapter, calls, job, writing)
        os.close(writing)
        self._pipe = reading
        self._handle = os.pidfd_open(self.process)
        self._unread = b""

    def _grade(self, adapter: Any, calls: list[dict[str, Any]], job: Job, pipe: int) -> None:
        """Never return: this is the new process."""
        code = 1
        try:
            os.setsid()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            work(adapter, calls, job.cases, job.form, pipe)
            code = 0
        finally:
            os._exit(code)

    def lines(self, seconds: float) -> Iterator[dict[str, Any]]:
        """Yield what the process writes until it ends, or writes nothing for `seconds`."""
        alive = True
        while alive:
            ready, _, _ = select.select([self._pipe, self._handle], [], [], seconds)
            if not ready:
                return
            alive = self._handle not in ready
            if (self._pipe in ready or not alive) and not self._read(drain=not alive):
                alive = False
                select.select([self._handle], [], [], seconds)  # it has closed the pipe, and is about to end
            while b"\n" in self._unread:
                line, _, self._unread = self._unread.partition(b"\n")
                yield json.loads(line)

    def _read(self, *, drain: bool) -> bool:
        """Read what is there; return whether more may come. What the dead have left is read to its end."""
        while True:
            if not select.select([self._pipe], [], [], 0)[0]:
                return True
            data = os.read(self._pipe, 1 << 16)
            self._unread += data
            if not data:
                return False
            if not drain:
                return True

    def end(self) -> int | None:
        """Kill what is left of the process and its children; return the signal that had ended it, if one had."""
        gone, status = os.waitpid(self.process, os.WNOHANG)
        for kill in (os.killpg, os.kill):  # the group is there once the process has made it
            try:
                kill(self.process, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        if not gone:
            os.waitpid(self.process, 0)
        os.close(self._pipe)
        os.close(self._handle)
        return status if gone else None


class Job:
    """What is to be graded, and how."""

    def __init__(self, stream: BinaryIO) -> None:
        lines = [json.loads(line) for line in stream.read().splitlines() if line.strip()]
        self.setup: dict[str, Any] = lines[0]
        cases = self.setup["cases"]
        self.cases: list[dict[str, Any]] = lines[1 : 1 + cases]
        self.calls: list[dict[str, Any]] = lines[1 + cases :]
        self.form: str = self.setup["form"]
        self.seconds: float = self.setup["seconds"]
        self.columns = frozenset(self.setup["columns"])


def grade_all(job: Job, adapter: Any, teller: Teller, output: Output) -> None:
    """Grade every call: each in a process of its own, or (`shared`) all in one for as long as it lives."""
    waiting = list(job.calls)
    at_once = len(waiting) if job.setup["shared"] else 1
    while waiting:
        group = Group(adapter, waiting[:at_once], job)
        done, current, stopped = 0, None, time.monotonic() + job.seconds
        for line in group.lines(job.seconds):
            current = line["id"] if line.get("begun") else None
            if current is None:
                teller.tell(**line, output=output.tail() if "ungraded" in line else "")
                done += 1
            stopped = time.monotonic() + job.seconds
        status = group.end()
        if current is not None or done == 0:
            teller.tell(id=waiting[done]["id"], output=output.tail(), **_ended(status, stopped, job.seconds))
            done += 1
        waiting = waiting[done:]
        output.shorten()


def _ended(status: int | None, stopped: float, seconds: float) -> dict[str, Any]:
    """Say how a process ended that did not finish its call."""
    if status is None or (time.monotonic() >= stopped and os.WIFSIGNALED(status)):
        return {"ungraded": "timeout", "detail": f"no answer within {seconds:g} s"}
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        hint = " (out of memory, perhaps)" if name == "SIGKILL" else ""
        return {"ungraded": "killed", "detail": f"the grader's process died of {name}{hint}"}
    return {"ungraded": "ended the process", "detail": f"the grader's process ended with code {os.WEXITSTATUS(status)}"}


class Output:
    """The grader's standard output and error, in a file that is kept short."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  as long as the process
        for descriptor in (1, 2):
            os.dup2(self._file.fileno(), descriptor)
        fcntl.fcntl(self._file.fileno(), fcntl.F_SETFL, os.O_APPEND)  # so that it can be shortened meanwhile
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(line_buffering=True, errors="backslashreplace")

    def tail(self) -> str:
        """Return the end of what was printed."""
        size = os.fstat(self._file.fileno()).st_size
        return os.pread(self._file.fileno(), OUTPUT_TAIL, max(0, size - OUTPUT_TAIL)).decode("utf-8", "replace")

    def shorten(self) -> None:
        """Forget it."""
        self._file.truncate(0)


def main() -> None:
    """Do the job on standard input."""
    job = Job(sys.stdin.buffer)
    teller = Teller(os.dup(1), job.setup["mark"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    output = Output()
    for name, value in job.setup["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (value if hard < 0 else min(value, hard), hard))
    signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, job.setup["load_seconds"])
    adapter = _loaded(job, teller, output)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if adapter is None:
        return
    teller.tell(loaded={"framework": adapter.framework, "source": source_of(adapter), **adapter.described()})
    if job.setup["own_cases"]:
        for case in job.cases:
            teller.tell(case=case)
    grade_all(job, adapter, teller, output)
    teller.tell(finished=True)


def _loaded(job: Job, teller: Teller, output: Output) -> Any:
    """Return the grader, with its own cases where they are asked for; None where it cannot be used, which is told."""
    try:
        adapter = load(job.setup["target"], job.setup["framework"], job.columns)
        if job.setup["own_cases"]:
            if not hasattr(adapter, "own_cases"):
                raise UnusableError("it brings no cases of its own; name a file of them with --cases", "name")
            job.cases = adapter.own_cases(job.setup["own_cases"], job.setup["seed"])
        return adapter
    except UnusableError as error:
        teller.tell(unusable=str(error), kind=error.kind, output=output.tail())
    except BaseException as error:  # noqa: BLE001  the grader: whatever its import raises is why it cannot be used
        said = f"loading it failed: {type(error).__name__}: {error}"
        teller.tell(unusable=said[:1000], kind="grader", output=output.tail())
    return None


def _too_slow(number: int, frame: object) -> None:
    del number, frame
    raise UnusableError("loading it took too long")


if __name__ == "__main__":
    main()
