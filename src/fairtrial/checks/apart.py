"""Run a program of the agent's apart from the grader: own session, stated time, capped output, nothing left behind.

It is no sandbox: the program has the grader's rights unless `user` names lesser ones, and it can read what they can
read. What it starts and tries to leave running is ended too: orphans become children of this process, or, where it has
other threads, whose children cannot be told from them, of a fork of it.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import pwd
import resource
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn, cast

from fairtrial.checks.alone import parent_of, remove_tree
from fairtrial.checks.protocol import CheckError

SECONDS = 30.0
MOST_OUTPUT = 10_000_000
MOST_WRITTEN = 2_000_000_000
PR_SET_CHILD_SUBREAPER = 36
_PIECE = 65_536
_GRACE = 1.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended, and what it printed."""

    code: int | None
    """Exit code, negative for a signal; None where it was stopped from here."""
    output: str
    errors: str
    stopped: str = ""
    """Why it was stopped: out of time, or printed too much."""
    is_started: bool = True
    """False where there is no such program here; one that ends with 127 by its own choice was started."""

    @property
    def said(self) -> str:
        """Return how it ended, as a clause: `ended with 1`."""
        if self.code is None:
            return f"was stopped: {self.stopped}"
        return f"was ended by signal {-self.code}" if self.code < 0 else f"ended with {self.code}"


def run_apart(
    argv: Sequence[str],
    folder: Path | str,
    *,
    seconds: float = SECONDS,
    stdin: bytes | str = b"",
    environment: Mapping[str, str] | None = None,
    user: str = "",
    memory_bytes: int = 0,
    most_output: int = MOST_OUTPUT,
) -> Ended:
    """Run `argv` in `folder` and return how it ended. A program that is not there ends with 127, as in a shell.

    It sees PATH and a fresh TMPDIR and HOME, besides `environment`; nothing else of ours, so no keys. `user` is whom it
    runs as (a grader that is root says "nobody"). Raise CheckError where this machine cannot run it so.
    """
    sent = stdin.encode() if isinstance(stdin, str) else stdin

    def run() -> Ended:
        return _run(argv, folder, seconds, sent, dict(environment or {}), user, memory_bytes, most_output)

    return run() if threading.active_count() == 1 else _in_a_fork(run)


def _run(
    argv: Sequence[str],
    folder: Path | str,
    seconds: float,
    stdin: bytes,
    environment: Mapping[str, str],
    user: str,
    memory_bytes: int,
    most_output: int,
) -> Ended:
    before = _children()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    scratch = tempfile.mkdtemp(prefix="apart-")
    try:
        Path(scratch).chmod(0o777)
        with tempfile.TemporaryFile() as sent:
            sent.write(stdin)
            sent.seek(0)
            process = _started(argv, folder, sent, _environment(scratch) | dict(environment), user, memory_bytes)
        if isinstance(process, Ended):
            return process
        try:
            stopped, printed = _listened(process, seconds, most_output)
        finally:
            _end(process)
            _sweep(before)
    finally:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)  # or others' orphans would become ours
        remove_tree(Path(scratch))
    texts = [bytes(part).decode("utf-8", "backslashreplace") for part in printed]
    return Ended(None if stopped else process.returncode, texts[0], texts[1], stopped)


def _in_a_fork(run: Callable[[], Ended]) -> Ended:
    """Return what `run` returns, done in a forked process, and raise what it raises."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _tell(run, writer)
    os.close(writer)
    try:
        with os.fdopen(reader, "rb") as pipe:
            answer = pickle.load(pipe)  # to its own end: forks of other threads may hold this pipe open, too
    except (EOFError, pickle.UnpicklingError):
        answer = CheckError("what ran a program here was ended from outside")
    finally:
        _kill(child, signal.SIGINT)  # it has ended, but where this process was interrupted: what it runs ends first
        os.waitpid(child, 0)
    if isinstance(answer, BaseException):
        raise answer
    return cast(Ended, answer)


def _tell(run: Callable[[], Ended], writer: int) -> NoReturn:
    """Send what `run` returns or raises; never return."""
    gc.freeze()  # what the other threads hold is not for this process to take apart
    try:
        signal.signal(signal.SIGINT, _interrupted)
        try:
            answer: object = run()
        except BaseException as error:  # noqa: BLE001 - it is raised where the program was asked for
            answer = error
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(pickle.dumps(answer))
    finally:
        os._exit(0)


def _interrupted(*_: object) -> NoReturn:
    """Raise once: a terminal interrupts this process and its parent, which passes it on, and ending takes a moment."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _started(
    argv: Sequence[str],
    folder: Path | str,
    sent: IO[bytes],
    environment: Mapping[str, str],
    user: str,
    memory_bytes: int,
) -> subprocess.Popen[bytes] | Ended:
    try:
        return subprocess.Popen(
            list(argv),
            cwd=folder,
            env=environment,
            stdin=sent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: _bounded(memory_bytes),
            user=user or None,
            group=group_of(user),
            extra_groups=[] if user else None,
        )
    except PermissionError as error:
        if user and os.geteuid() != 0:
            raise CheckError(f"cannot run a program as `{user}`: {error.strerror}") from error
        return Ended(126, "", f"{argv[0]}: {error}", is_started=False)
    except (OSError, ValueError) as error:
        return Ended(127, "", f"{argv[0]}: {error}", is_started=False)
    except subprocess.SubprocessError as error:
        raise CheckError(f"cannot run a program here: {error}") from error


def _environment(scratch: str) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH") or os.defpath,
        "LANG": "C.UTF-8",
        "HOME": scratch,
        "TMPDIR": scratch,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }


def group_of(user: str) -> int | None:
    """Return the group that `user` belongs to first, None for nobody in particular. Raise CheckError for a stranger."""
    if not user:
        return None
    try:
        return pwd.getpwnam(user).pw_gid
    except KeyError:
        raise CheckError(f"there is no user `{user}` here") from None


def _bounded(memory_bytes: int) -> None:
    """Be the first to go where memory runs out, leave no core, fill no disk."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        pass
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _at_most(resource.RLIMIT_FSIZE, MOST_WRITTEN)
    if memory_bytes:
        _at_most(resource.RLIMIT_AS, memory_bytes)


def _at_most(limit: int, most: int) -> None:
    """Lower a limit to `most`; a box may have set it lower already, and nobody may raise it again."""
    _, hard = resource.getrlimit(limit)
    lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(limit, (lowest, lowest))


def _listened(process: subprocess.Popen[bytes], seconds: float, most: int) -> tuple[str, tuple[bytearray, bytearray]]:
    """Read both streams until the program ends. Return why it had to be stopped ("" if not), and what was read."""
    assert process.stdout is not None
    assert process.stderr is not None
    printed = (bytearray(), bytearray())
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for stream, into in zip((process.stdout, process.stderr), printed, strict=True):
            selector.register(stream, selectors.EVENT_READ, into)
        while selector.get_map():
            left = end - time.monotonic()
            if left <= 0:
                return f"it had not ended after {seconds:g} s", printed
            for key, _ in selector.select(min(left, _GRACE)):
                piece = os.read(key.fd, _PIECE)
                if not piece:
                    selector.unregister(key.fileobj)
                key.data.extend(piece)
                if len(key.data) > most:
                    del key.data[most:]
                    return f"it printed more than {most} bytes", printed
            if process.poll() is not None and not selector.select(0):
                return "", printed  # ended; whoever still holds its streams open is not waited for
    try:
        process.wait(timeout=max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        return f"it had not ended after {seconds:g} s", printed
    return "", printed


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(-process.pid)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _kill(pid: int, number: int = signal.SIGKILL) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return


def _children() -> set[int]:
    found = set()
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are wanted
        if name.isdigit() and parent_of(int(name)) == os.getpid():
            found.add(int(name))
    return found


def _sweep(before: set[int]) -> None:
    """End what the program left: orphans become children of ours, so all new children are meant."""
    end = time.monotonic() + 5
    while (left := _children() - before) and time.monotonic() < end:
        for pid in left:
            _kill(pid)
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                continue
