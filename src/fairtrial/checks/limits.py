"""Do work on hostile input in a process of its own, with stated time and memory: a regular expression, a document.

The work returns JSON. Whatever its library raises on a broken document says that the document cannot be read. Not
covered: running programs (`apart`).
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import json
import os
import re
import resource
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, ParamSpec

from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import WorkError, said

SECONDS = 30.0
SECONDS_OF_A_SEARCH = 10.0
MEMORY_BYTES = 2_000_000_000
SECONDS_OF_A_DATABASE = 120.0
MEMORY_OF_A_DATABASE = 6_000_000_000
MOST_SENT = 200_000_000
PACKAGES = {"PIL": "Pillow", "ruamel": "ruamel.yaml"}
"""Modules -> what they are installed as, where that differs."""
_PIECE = 1 << 20
_LENGTH = 8

P = ParamSpec("P")


def limited(work: Callable[[], Any], what: str, *, seconds: float = SECONDS, memory: int = MEMORY_BYTES) -> Any:
    """Return what `work` returns, done in a forked process within `seconds` and `memory` bytes more than there are now.

    `what` names the input: "the document", say. Raise WorkError where it cannot be done, CheckError as `work` does.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _worked(work, writer, memory)
    os.close(writer)
    try:
        answer = _received(reader, time.monotonic() + seconds)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if answer is None:
        raise WorkError(f"{what} could not be worked through in {seconds:g} s")
    try:
        kind, value = json.loads(answer)
    except ValueError:
        raise WorkError(f"{what} could not be read: reading it ended with status {status}") from None
    if kind == "broken":
        raise CheckError(value)
    if kind != "done":
        raise WorkError(value if kind == "fault" else f"{what} could not be read: {value}")
    return value


def within_limits(check: Callable[P, Result]) -> Callable[P, Result]:
    """Do a whole check of a database in a process of its own: one SQL function of a view can run for hours.

    SQLite counts its steps, and a search for 10 MB in 20 MB (`instr`) is one step that nothing interrupts.
    """

    @functools.wraps(check)
    def checked(*args: P.args, **named: P.kwargs) -> Result:
        def work() -> Any:
            try:
                return dataclasses.astuple(check(*args, **named))
            except (MemoryError, RecursionError) as error:
                raise WorkError(f"the database is too much to read: {type(error).__name__}") from None
            except (TypeError, LookupError, ValueError, AttributeError) as error:
                raise CheckError(f"it ended with {type(error).__name__}: {error}") from None

        return Result(*limited(work, "the database", seconds=SECONDS_OF_A_DATABASE, memory=MEMORY_OF_A_DATABASE))

    return checked


def _worked(work: Callable[[], Any], writer: int, memory: int) -> NoReturn:
    """Do `work` and send its outcome; never return. A parser raises anything at all on a hostile document."""
    gc.freeze()  # garbage of the caller's may hold what only its threads or its libraries can take apart
    answer: tuple[str, Any]
    try:
        most = memory + int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        answer = ("done", work())
        sent = json.dumps(answer).encode()
    except WorkError as error:
        sent = json.dumps(("fault", str(error))).encode()
    except CheckError as error:
        sent = json.dumps(("broken", error.what)).encode()
    except ModuleNotFoundError as error:
        sent = json.dumps(("broken", f"needs the package `{PACKAGES.get(str(error.name), error.name)}`")).encode()
    except BaseException as error:  # noqa: BLE001 - what a library makes of a hostile document
        sent = json.dumps(("raised", f"{type(error).__name__}: {said(str(error))}")).encode()
    try:
        os.write(writer, len(sent).to_bytes(_LENGTH))
        left = memoryview(sent)
        while left:
            left = left[os.write(writer, left) :]
    finally:
        os._exit(0)


def _received(reader: int, end: float) -> bytes | None:
    """Return all that is sent; None where it takes too long or is too much.

    How much it is comes first: forks of other threads may hold the pipe open after its writer has ended.
    """
    pieces = bytearray()
    while (left := end - time.monotonic()) > 0 and len(pieces) < MOST_SENT:
        if select.select([reader], [], [], left)[0]:
            piece = os.read(reader, _PIECE)
            pieces.extend(piece)
            if not piece or len(pieces) == _LENGTH + int.from_bytes(pieces[:_LENGTH]):
                return bytes(pieces[_LENGTH:])
    return None


def pattern_of(regex: str) -> re.Pattern[str]:
    """Return the compiled `regex`. Raise CheckError for what is none."""
    try:
        return re.compile(regex)
    except (re.error, OverflowError, RecursionError) as error:
        raise CheckError(f"{said(regex)} is no regular expression: {error}") from None


def searched(regex: str, text: str, what: str) -> bool:
    """Say whether `regex` is found in `text`. Raise WorkError where that takes more than SECONDS_OF_A_SEARCH.

    >>> searched("(?m)^b$", "a\\nb", "the file")
    True
    """
    pattern = pattern_of(regex)
    named = f"{what}, searched for {said(regex)},"
    return bool(limited(lambda: pattern.search(text) is not None, named, seconds=SECONDS_OF_A_SEARCH))
