"""Run pytest in this process and tell what every test came to, a JSON line each, on what was stdout at the start.

Stdin holds "secret", "canaries", "paths", "arguments", "import_from", "before". Pytest is loaded before the code
under test can stand in for it. What runs here shares this process, so a determined one can lie: the caller asks for
tests that must fail, for the count, for the secret on every line and for the exit code.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.path[:] = [place for place in sys.path if place]  # nothing here may come from the folder of the work

import json
import os
from pathlib import Path
from typing import Any

try:
    import pytest
except ImportError as lacking:
    sys.exit(f"pytest is not installed for {sys.executable}: {lacking}")


def told(secret: str, channel: int, write: Any = os.write, dumps: Any = json.dumps) -> Any:
    """Return a function that writes one record."""
    prefix = secret.encode() + b" "
    return lambda record: write(channel, prefix + dumps(record).encode() + b"\n")


class Recorder:
    """Hear of every phase of every test."""

    def __init__(self, tell: Any, canaries: str) -> None:
        self.tell, self.canaries = tell, canaries

    def pytest_collect_file(self, file_path: Path, parent: Any) -> Any:
        """Read the tests that must fail where their folder is read, whatever names the settings ask for."""
        if self.canaries in file_path.name and not parent.session.isinitpath(file_path):
            return pytest.Module.from_parent(parent, path=file_path)
        return None

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> Any:
        """Keep the tests that must fail, first and last, out of what options select and others sort."""
        kept = [item for item in items if self.canaries in item.nodeid]
        items[:] = [item for item in items if self.canaries not in item.nodeid]
        yield
        half = len(kept) // 2
        items[:] = [*kept[:half], *items, *kept[half:]]

    def pytest_collection_finish(self, session: Any) -> None:
        """Tell which tests there are."""
        self.tell({"collected": [item.nodeid for item in session.items]})

    def pytest_exception_interact(self, node: Any, call: Any) -> None:
        """Tell what a test, or the reading of a file of tests, raised; comes before the report of the phase."""
        value = call.excinfo.value
        value = value.__cause__ or value if type(value).__name__ == "CollectError" else value
        trace, last = value.__traceback__, ""
        while trace is not None:
            place = trace.tb_frame.f_code.co_filename
            last, trace = last if place.startswith("<frozen") else place, trace.tb_next
        said = f"{type(value).__name__}: {str(value)[:300]}"
        in_test = Path(last).name in ("conftest.py", Path(str(getattr(node, "path", ""))).name)
        self.tell({"test": node.nodeid, "raised": type(value).__name__, "said": said, "in_test": in_test})

    def pytest_collectreport(self, report: Any) -> None:
        """Tell which files could not be read, or were skipped as a whole."""
        if report.outcome != "passed":
            self.tell({"file": report.nodeid, "outcome": report.outcome})

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tell how one phase ended."""
        record = {"test": report.nodeid, "when": report.when, "outcome": report.outcome}
        self.tell({**record, "expected_to_fail": hasattr(report, "wasxfail")})


def main() -> None:
    """Run, and end with pytest's own exit code."""
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
    fixed = ["-q", "--rootdir", str(top), "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    words = [*fixed, *asked["arguments"], *asked["paths"]]
    try:
        status = pytest.main(words, plugins=[Recorder(tell, asked["canaries"])])
    except BaseException as error:
        tell({"crashed": f"{type(error).__name__}: {str(error)[:500]}"})
        raise
    tell({"ended": int(status)})
    leave(int(status))


if __name__ == "__main__":
    main()
