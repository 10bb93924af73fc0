"""The process that calls the grader: one completion after the other, each result written as soon as it is there.

Whatever a grader raises is its outcome, never ours: this is the boundary at which it is caught.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import time
from typing import Any

from .errors import UnscoredError
from .rows import Row

OUTPUT_TAIL = 2000
MOST_DETAIL = 500


class Loop:
    """One event loop for all async calls of a process, made when the first comes: most graders have none."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def wait_for(self, awaited: Any) -> Any:
        """Return what an awaitable comes to."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(awaited)


def work(adapter: Any, calls: list[dict[str, Any]], cases: list[dict[str, Any]], form: str, pipe: int) -> None:
    """Grade every call in order, and write `{id, begun}` and `{id, score | ungraded, detail}` lines to `pipe`."""
    loop, own = Loop(), os.getpid()
    for call in calls:
        _write(pipe, {"id": call["id"], "begun": True})
        began = time.monotonic()
        result = _graded(adapter, Row(cases[call["case"]], call["completion"], form), loop)
        if os.getpid() != own:
            return  # a copy that the grader forked and that returned: the process that was asked answers
        _write(pipe, {"id": call["id"], "seconds": round(time.monotonic() - began, 6), **result})


def _graded(adapter: Any, row: Row, loop: Loop) -> dict[str, Any]:
    try:
        found = adapter.score(row)
        if inspect.isawaitable(found):
            found = loop.wait_for(found)
        return {"score": float(found)}
    except UnscoredError as error:
        return {"ungraded": error.reason, "detail": error.detail[:MOST_DETAIL]}
    except SystemExit as error:
        return {"ungraded": "ended the process", "detail": f"sys.exit({error.code!r}) in the grader"}
    except BaseException as error:  # noqa: BLE001  the grader: what it raises is its outcome
        return {"ungraded": "raised", "detail": f"{type(error).__name__}: {_said(error)}"[:MOST_DETAIL]}


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: BLE001  an exception of the submission's own making may not even print
        return "(its message cannot be printed)"


def _write(pipe: int, message: dict[str, Any]) -> None:
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(pipe, line):]  # fmt: skip
