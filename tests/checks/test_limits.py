"""Work on hostile input ends, whatever it does, and its end is told."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

from fairtrial.checks import CheckError
from fairtrial.checks.limits import limited, searched
from fairtrial.checks.reading import WorkError


def _raises(error: BaseException) -> Callable[[], Any]:
    def work() -> Any:
        raise error

    return work


def _for_ever() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("work", "word"),
    [
        (_for_ever, "could not be worked through"),
        (lambda: "x" * 10**10, "MemoryError"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "ended with status"),
        (_raises(KeyError("word")), "KeyError"),
        (_raises(SystemExit(0)), "SystemExit"),
        (_raises(WorkError("it is empty")), "it is empty"),
        (lambda: _deep(0), "RecursionError"),
        (lambda: object(), "TypeError"),
    ],
)
def test_whatever_happens_in_it_is_a_fault_of_the_input(work: Callable[[], Any], word: str) -> None:
    with pytest.raises(WorkError, match=word):
        limited(work, "the document", seconds=3, memory=500_000_000)


def _deep(level: int) -> int:
    return _deep(level + 1) + 1


def test_a_missing_package_says_nothing_of_the_work() -> None:
    def work() -> None:
        import no_such_package_here  # noqa: F401 # type: ignore

    with pytest.raises(CheckError, match="no_such_package_here"):
        limited(work, "the document")


def test_a_large_answer_comes_through() -> None:
    assert limited(lambda: ["ä" * 1_000_000] * 3, "the document") == ["ä" * 1_000_000] * 3


def test_a_pattern_that_backtracks_for_ever_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.checks.limits.SECONDS_OF_A_SEARCH", 0.3)
    with pytest.raises(WorkError, match="could not be worked through"):
        searched("(a+)+b", "a" * 60, "the file")


def test_a_pattern_that_is_none_says_nothing_of_the_work() -> None:
    with pytest.raises(CheckError, match="no regular expression"):
        searched("(", "a", "the file")


def test_garbage_of_the_caller_is_not_taken_apart_elsewhere() -> None:
    """A browser's driver leaves such: taken apart in another process than its own, it ends that."""
    gc.disable()
    try:
        left = _Bound()
        left.itself = left
        del left
        assert limited(gc.collect, "it") >= 0
    finally:
        gc.enable()
    gc.collect()


def test_a_fork_of_another_thread_that_holds_the_pipe_makes_nothing_late(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, others = os.fork, list[int]()

    def beside() -> int:
        if (other := fork()) == 0:
            time.sleep(60)
            os._exit(0)
        others.append(other)
        return fork()

    monkeypatch.setattr(os, "fork", beside)
    try:
        assert limited(lambda: "worked", "it", seconds=20) == "worked"
    finally:
        for one in others:
            os.kill(one, signal.SIGKILL)
            os.waitpid(one, 0)


class _Bound:
    """What only the process that made it may take apart."""

    def __init__(self) -> None:
        self.itself: object = None
        self._of = os.getpid()

    def __del__(self) -> None:
        if os.getpid() != self._of:
            os.kill(os.getpid(), signal.SIGSEGV)
