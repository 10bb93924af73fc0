"""A limit on how long a call in this process may take, by the alarm of the system.

It reaches all Python code, and C code that looks for signals as it goes (the regular expressions of `re` do). Not
covered: C code that does not, a thread other than the main one, and a system without that alarm: there is no limit. An
alarm that was set before is put back, later by the time that the block took.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN = 1.0
"""Seconds until the alarm rings again, where the code under it caught the first and went on."""


class TookTooLong(BaseException):
    """Raised in code whose time is up. It is no Exception: code that catches every one of those lets it by."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TookTooLong inside the block after `seconds`."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    handler = signal.signal(signal.SIGALRM, _ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        try:
            yield
        finally:  # it may ring in here too: then the outer one still ends it
            signal.setitimer(signal.ITIMER_REAL, 0.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, left, interval)


def _ring(number: int, frame: object) -> None:
    del number, frame
    raise TookTooLong
