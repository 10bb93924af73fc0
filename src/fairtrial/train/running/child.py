"""The process of one seed: `python -m fairtrial.train.running.child DIR SEED` with a JSON document of orders on stdin.

It trains what is left, evaluates what was planned, and writes one JSON line to stdout for each thing that happens; the
last is `end` or `error`. Whatever libraries print goes to train.log. It ends when its parent does: stdin closes then.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import orjson

from fairtrial.records import FairtrialError
from fairtrial.train.running.folder import RunFolder

_WORK = "fairtrial.train.running.seed"
"""Loaded once the log is in place, since loading torch may print."""


def main() -> int:
    """Do what was ordered; return the exit code."""
    run, seed = RunFolder(Path(sys.argv[1])), int(sys.argv[2])
    orders: dict[str, Any] = orjson.loads(_line())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    tell = _redirected(run.seed(seed).log)
    try:
        work = cast(Callable[..., dict[str, Any]], importlib.import_module(_WORK).train_seed)
        tell({"end": work(run, seed, orders, tell)})
    except FairtrialError as error:
        traceback.print_exc()
        tell({"error": str(error), "exit_code": error.exit_code})
        return error.exit_code
    return 0


def _redirected(log: Path) -> Callable[[dict[str, Any]], None]:
    """Send stdout and stderr to `log`; return what writes a line to the stdout that was."""
    log.parent.mkdir(parents=True, exist_ok=True)
    lines = os.fdopen(os.dup(1), "wb", buffering=0)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    return lambda document: cast(None, lines.write(orjson.dumps(document) + b"\n"))


def _line() -> bytes:
    """Read a line of stdin, past Python's own buffer: a thread that waits in that would break the interpreter's end."""
    line = b""
    while not line.endswith(b"\n") and (more := os.read(0, 1)):
        line += more
    return line


def _end_with_parent() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
