"""Run unittest in this process and tell what every test came to, a JSON line each, on what was stdout at the start.

Stdin holds "secret", "canaries", "paths", "arguments", "import_from", "before": `paths` are folders to
discover tests in, or files of tests, run in this order. As with pytest's, the caller does not take its word alone.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.path[:] = [place for place in sys.path if place]  # nothing here may come from the folder of the work

import json
import os
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def told(secret: str, channel: int, write: Any = os.write, dumps: Any = json.dumps) -> Any:
    """Return a function that writes one record."""
    prefix = secret.encode() + b" "
    return lambda record: write(channel, prefix + dumps(record).encode() + b"\n")


class Recorder(unittest.TestResult):
    """Hear of every test; a test is one phase here."""

    def __init__(self, tell: Any) -> None:
        super().__init__()
        self.tell = tell
        self.worst: dict[str, str] = {}

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        """Tell of an error."""
        super().addError(test, err)
        self._failed(test, err)

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        """Tell of a failure."""
        super().addFailure(test, err)
        self._failed(test, err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        """Tell of a part that failed as a failure of the whole."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._failed(test, err)

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        """Tell of a test that was skipped."""
        super().addSkip(test, reason)
        self.worst.setdefault(test.id(), "skipped")

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        """Tell of a failure that was expected."""
        super().addExpectedFailure(test, err)
        self.worst[test.id()] = "xfailed"

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        """Tell of a success that was not expected."""
        super().addUnexpectedSuccess(test)
        self.worst[test.id()] = "xpassed"

    def _failed(self, test: Any, err: Any) -> None:
        kind, value, trace = err
        last = ""
        while trace is not None:
            last, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
        lost = type(test).__name__ == "_FailedTest"
        said = str(value).strip().splitlines()[-1] if lost and str(value).strip() else f"{kind.__name__}: {value}"
        module = sys.modules.get(type(test).__module__)
        in_test = lost or Path(last).name == Path(getattr(module, "__file__", None) or "-").name
        raised = said.partition(":")[0] if lost else kind.__name__
        self.tell({"test": test.id(), "raised": raised, "said": said[:300], "in_test": in_test})
        self.worst[test.id()] = "failed"

    def startTest(self, test: Any) -> None:  # noqa: N802
        """Tell that it begins: one that never ends has begun."""
        super().startTest(test)
        if type(test).__name__ != "_FailedTest":
            self.tell({"test": test.id(), "when": "setup", "outcome": "passed", "expected_to_fail": False})

    def stopTest(self, test: Any) -> None:  # noqa: N802
        """Tell how it ended."""
        super().stopTest(test)
        if type(test).__name__ == "_FailedTest":
            self.tell({"file": test.id().rpartition("_FailedTest.")[2], "outcome": "failed", "as": test.id()})
        else:
            status = self.worst.get(test.id(), "passed")
            self.tell({"test": test.id(), "when": "call", "outcome": status, "expected_to_fail": False})


def tests_in(top: Path, path: str) -> unittest.TestSuite:
    """Return the tests of a folder, or of one file."""
    place = top / path
    folder, pattern = (place, "test*.py") if place.is_dir() else (place.parent, place.name)
    above = top if (folder / "__init__.py").is_file() else folder
    return unittest.TestLoader().discover(str(folder), pattern=pattern, top_level_dir=str(above))


def each(suite: Any) -> Iterator[Any]:
    """Yield the tests of a suite."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each(test)
        else:
            yield test


def main() -> None:
    """Run, and end with 0 where all was well, else 1."""
    asked = json.loads(sys.stdin.buffer.read())
    channel, null, leave = os.dup(1), os.open(os.devnull, os.O_RDWR), os._exit
    tell = told(asked["secret"], channel)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.dont_write_bytecode = True
    top = Path.cwd()
    sys.path[:0] = [str(top / place) for place in asked["import_from"]]
    if asked["before"]:
        exec(compile(asked["before"], "<aliases>", "exec"), {"__name__": "aliases"})
    suites = [tests_in(top, path) for path in asked["paths"]]
    found = [test for suite in suites for test in each(suite)]
    tell({"collected": [test.id() for test in found if type(test).__name__ != "_FailedTest"]})
    result = Recorder(tell)
    for suite in suites:
        suite.run(result)
    status = 0 if result.wasSuccessful() else 1
    tell({"ended": status})
    leave(status)


if __name__ == "__main__":
    main()
