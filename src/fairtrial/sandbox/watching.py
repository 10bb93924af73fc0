"""Watch a started process to its end: feed it, read what it prints, and end it when it goes past a limit.

Covers time and output. Memory, processes and file size are limited where the process is started. How the whole tree
is ended is the caller's: it knows the namespace, the cgroup or the process group.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from fairtrial.records import Limits
from fairtrial.sandbox.output import HeadTail
from fairtrial.sandbox.protocol import Killed

CHUNK = 1 << 16
LOOK_SECONDS = 0.05
"""How often a log file is looked at for a flood."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What was seen of a process: `killed` names the limit that ended it."""

    output: str
    truncated: bool
    seconds: float
    killed: Killed


def watch_pipe(process: subprocess.Popen[bytes], stdin: bytes, limits: Limits, kill: Callable[[], None]) -> Watched:
    """Read `process` until every holder of its output has closed it; call `kill` once when a limit is passed."""
    begun = time.monotonic()
    kept = HeadTail(limits.output_bytes)
    killed: Killed = ""
    with selectors.DefaultSelector() as selector:
        if process.stdout is not None:
            os.set_blocking(process.stdout.fileno(), False)
            selector.register(process.stdout, selectors.EVENT_READ)
        _register_stdin(process, stdin, selector)
        unsent = memoryview(stdin)
        while process.stdout is not None and process.stdout in {key.fileobj for key in selector.get_map().values()}:
            left = begun + limits.seconds - time.monotonic()
            if not killed and (left <= 0 or kept.is_flood):
                killed = "output" if kept.is_flood else "timeout"
                kill()
            for key, _ in selector.select(None if killed else left):
                if key.fileobj is process.stdout:
                    _read(process.stdout, kept, selector)
                else:
                    unsent = _send(process, unsent, selector)
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


def watch_file(process: subprocess.Popen[bytes], log: IO[bytes], limits: Limits, kill: Callable[[], None]) -> Watched:
    """Wait for `process` alone, whose output goes to the file `log`, so that what it leaves behind may hold it open."""
    begun = time.monotonic()
    killed: Killed = ""
    most = HeadTail(limits.output_bytes)
    while True:
        left = begun + limits.seconds - time.monotonic()
        try:
            process.wait(min(max(left, 0.0), LOOK_SECONDS))
            break
        except subprocess.TimeoutExpired:
            most.total = os.fstat(log.fileno()).st_size
            if left <= LOOK_SECONDS or most.is_flood:
                killed = "output" if most.is_flood else "timeout"
                kill()
                process.wait()
                break
    seconds = time.monotonic() - begun
    kept = _read_file(log, limits.output_bytes)
    return Watched(kept.text(), kept.truncated, seconds, killed)


def _register_stdin(process: subprocess.Popen[bytes], stdin: bytes, selector: selectors.BaseSelector) -> None:
    if process.stdin is None:
        return
    if not stdin:
        process.stdin.close()
        return
    os.set_blocking(process.stdin.fileno(), False)
    selector.register(process.stdin, selectors.EVENT_WRITE)


def _read(stream: IO[bytes], kept: HeadTail, selector: selectors.BaseSelector) -> None:
    try:
        data = os.read(stream.fileno(), CHUNK)
    except BlockingIOError:
        return
    if data:
        kept.add(data)
    else:
        selector.unregister(stream)


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


def _read_file(log: IO[bytes], most: int) -> HeadTail:
    """Read the head and the tail of a log without reading what lies between."""
    kept = HeadTail(most)
    size = os.fstat(log.fileno()).st_size
    kept.add(os.pread(log.fileno(), most if size <= most else most // 2, 0))
    if size > most:
        tail = os.pread(log.fileno(), most, size - most)
        kept.add(tail)
        kept.total = size
    return kept
