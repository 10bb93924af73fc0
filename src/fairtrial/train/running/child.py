"""The process of seeds: `python -m fairtrial.train.running.child DIR` with one JSON document of orders on stdin.

Of one seed it does the work itself. Of several it loads torch once, which takes longer than many a tiny run, and forks
a process for each, `at_once` side by side; that is for machines without a GPU, which a fork could not use. A seed's
process trains what is left, evaluates what was planned, and writes one JSON line to stdout for each thing that happens;
the last of a seed is `end` or `error`, or `exit` where its process died. Whatever libraries print goes to the seed's
train.log. All end when their parent does: stdin closes then.
"""

from __future__ import annotations

import importlib
import os
import select
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, cast

import orjson

from fairtrial.records import FairtrialError
from fairtrial.train.running.folder import RunFolder

_WORK = "fairtrial.train.running.seed"
"""Loaded once the log is in place, since loading torch may print."""
_TRAINERS = "fairtrial.train.trainers.{}"


def main() -> int:
    """Do what was ordered; return the exit code: of one seed its own, of several 0."""
    run, orders = RunFolder(Path(sys.argv[1])), orjson.loads(_line())
    lines = os.dup(1)
    seeds: list[int] = orders["seeds"]
    if len(seeds) == 1:
        return _work(run, seeds[0], orders, lines)
    _redirect(run.log)
    importlib.import_module(_WORK)
    for method in orders["methods"]:
        importlib.import_module(_TRAINERS.format(method))
    _fork_each(run, seeds, orders, lines)
    return 0


def _fork_each(run: RunFolder, seeds: list[int], orders: dict[str, Any], lines: int) -> None:
    """Fork a process for each seed, some side by side, until all have ended or the parent is gone."""
    waiting: Iterator[int] = iter(seeds)
    running: dict[int, int] = {}
    while True:
        while len(running) < orders["at_once"] and not _is_alone() and (seed := next(waiting, None)) is not None:
            if (process := os.fork()) == 0:
                _end_as_a_seed(run, seed, orders, lines)
            running[process] = seed
        if not running:
            return
        process, status = os.wait()
        _tell(lines, {"seed": running.pop(process), "exit": os.waitstatus_to_exitcode(status)})


def _end_as_a_seed(run: RunFolder, seed: int, orders: dict[str, Any], lines: int) -> NoReturn:
    """Work in a fork, which never returns to what its parent was about."""
    code = 1
    try:
        code = _work(run, seed, orders, lines)
    finally:
        if code:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _work(run: RunFolder, seed: int, orders: dict[str, Any], lines: int) -> int:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _redirect(run.seed(seed).log)

    def tell(document: dict[str, Any]) -> None:
        _tell(lines, {"seed": seed, **document})

    try:
        with run.seed(seed).held():
            work = cast(Callable[..., dict[str, Any]], importlib.import_module(_WORK).train_seed)
            tell({"end": work(run, seed, orders, tell)})
    except FairtrialError as error:
        traceback.print_exc()
        tell({"error": str(error), "exit_code": error.exit_code})
    except Exception as error:  # noqa: BLE001  a library's: it is told as the end of this seed, not of the others
        traceback.print_exc()
        why = "".join(traceback.format_exception_only(error)).strip().splitlines() or [type(error).__name__]
        tell({"error": f"{why[-1]}; see {run.seed(seed).log}", "exit_code": 3})
    return 0


def _tell(lines: int, document: dict[str, Any]) -> None:
    os.write(lines, line_of(document))


def line_of(document: dict[str, Any]) -> bytes:
    """Return a document as a line that a pipe takes in one piece: those of two seeds never mix; long texts are cut."""
    most = select.PIPE_BUF
    while len(line := orjson.dumps(document) + b"\n") > select.PIPE_BUF:
        most //= 2
        document = _cut(document, most)
    return line


def _cut(document: dict[str, Any], most: int) -> dict[str, Any]:
    return {key: _cut(value, most) if isinstance(value, dict) else value[:most] if isinstance(value, str) else value
            for key, value in document.items()}  # fmt: skip


def _redirect(log: Path) -> None:
    """Send stdout and stderr to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as file:
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)


def _line() -> bytes:
    """Read a line of stdin, past Python's own buffer: a thread that waits in that would break the interpreter's end."""
    line = b""
    while not line.endswith(b"\n") and (more := os.read(0, 1)):
        line += more
    return line


def _is_alone() -> bool:
    """Say whether the parent is gone: nothing more is ever sent, so that stdin can be read at its end alone."""
    return bool(select.select([0], [], [], 0)[0])


def _end_with_parent() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
