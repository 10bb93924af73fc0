"""Watch a started process to its end: feed it, read what it prints, and end it when it goes past a limit.

Covers time and output. Memory, processes and file size are limited where the process is started. How the whole tree
is ended is the caller's: it knows the namespace, the cgroup or the process group.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from fairtrial.records import Limits
from fairtrial.sandbox.output import HeadTail
from fairtrial.sandbox.protocol import Killed

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of a process: `killed` names the limit that ended it."""

    output: str
    truncated: bool
    seconds: float
    killed: Killed


def watch(
    process: subprocess.Popen[bytes],
    stdin: bytes,
    limits: Limits,
    kill: Callable[[], None],
    *,
    until_exit: bool = False,
) -> Watched:
    """Read `process` until every holder of its output has closed it; call `kill` once when a limit is passed.

    With `until_exit` only until the process itself ends; what it left in the background may print on, unread.
    """
    begun = time.monotonic()
    kept = HeadTail(limits.output_bytes)
    killed: Killed = ""
    unsent = memoryview(stdin)
    handle = os.pidfd_open(process.pid)
    try:
        with selectors.DefaultSelector() as selector:
            _register(process, stdin, handle if until_exit else None, selector)
            reading = True
            while reading:
                left = begun + limits.seconds - time.monotonic()
                if not killed and (left <= 0 or kept.is_flood):
                    killed = "output" if kept.is_flood else "timeout"
                    kill()
                ready = [key.fileobj for key, _ in selector.select(None if killed else left)]
                if process.stdin in ready:
                    unsent = _send(process, unsent, selector)
                # The handle last: when the process is gone, all that it printed is there to be read.
                reading = (process.stdout not in ready or _read(process, kept)) and handle not in ready
    finally:
        os.close(handle)
    if until_exit:
        _read_rest(process, kept)
    if not killed and not _ends_within(process, begun + limits.seconds - time.monotonic()):
        killed = "timeout"
        kill()
    process.wait()
    return Watched(kept.text(), kept.truncated, time.monotonic() - begun, killed)


def _ends_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for a process that may have closed its output long before its end."""
    try:
        process.wait(max(seconds, 0.0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _register(
    process: subprocess.Popen[bytes], stdin: bytes, handle: int | None, selector: selectors.BaseSelector
) -> None:
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    selector.register(process.stdout, selectors.EVENT_READ)
    if handle is not None:
        selector.register(handle, selectors.EVENT_READ)
    if process.stdin is not None and not stdin:
        process.stdin.close()
    elif process.stdin is not None:
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin, selectors.EVENT_WRITE)


def _read(process: subprocess.Popen[bytes], kept: HeadTail) -> bool:
    """Read what is there; return whether more may come."""
    assert process.stdout is not None
    try:
        data = os.read(process.stdout.fileno(), CHUNK)
    except BlockingIOError:
        return True
    kept.add(data)
    return bool(data)


def _read_rest(process: subprocess.Popen[bytes], kept: HeadTail) -> None:
    """Read what is there now, then let a thread read on and forget, so that nothing in the background is held up."""
    stream = process.stdout
    assert stream is not None
    before = -1
    while kept.total != before and not kept.is_flood:
        before = kept.total
        if not _read(process, kept):
            return
    process.stdout = None
    threading.Thread(target=_forget, args=(stream,), daemon=True, name="fairtrial-output").start()


def _forget(stream: IO[bytes]) -> None:
    with stream:
        os.set_blocking(stream.fileno(), True)
        while os.read(stream.fileno(), CHUNK):
            pass


def _send(process: subprocess.Popen[bytes], unsent: memoryview, selector: selectors.BaseSelector) -> memoryview:
    stream = process.stdin
    assert stream is not None
    try:
        unsent = unsent[os.write(stream.fileno(), unsent[:CHUNK]) :]
    except BlockingIOError:
        return unsent
    except BrokenPipeError:
        unsent = unsent[:0]
    if not unsent:
        selector.unregister(stream)
        try:
            stream.close()
        except BrokenPipeError:
            pass
    return unsent


def let_go(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was ended, and close what we hold of it."""
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None and not stream.closed:
            stream.close()
