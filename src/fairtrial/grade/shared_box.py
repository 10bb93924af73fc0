"""Grading in the agent's own box, its processes alive: what each kind of runner does there.

`ours`, for a task with `live = true`: tests laid fresh in place of whatever stood at /tests, the log folder emptied.
`harbor_shared`: tests laid over what stands there, entry by entry, and reward files that were written before removed.
`legacy`: the same, and the log folder as the agent left it. Harbor collects the log folder a moment after the tests
ended; where a process of the agent's is still there, so do the latter two.
"""

from __future__ import annotations

from pathlib import Path

from fairtrial.records import Limits, Runner
from fairtrial.sandbox import Box, Command, Completed

LOGS = "/logs/verifier"
TESTS = "/tests"
_OLD_REWARDS = (f"{LOGS}/reward.txt", f"{LOGS}/reward.json")
_MAKE_LOGS = f"test -d {LOGS} || {{ test -d /logs || rm -f /logs; rm -rf {LOGS}; mkdir -p {LOGS}; }}"
_SETTLE = 'set -- /proc/[0-9]*; test "$#" -le 2 || sleep 0.25'
"""Two processes are the box's first and this shell; Harbor takes longer than a quarter second to fetch a folder."""
_QUICK = Limits(seconds=20.0)


def lay_tests(box: Box, tests: Path, scratch: Path, runner: Runner) -> None:
    """Lay the tests and set the log folder as `runner` does."""
    if runner == "ours":
        box.put(tests, TESTS)
        empty = scratch / "empty"
        empty.mkdir(exist_ok=True)
        box.put(empty, LOGS)
        return
    for entry in sorted(tests.iterdir()):
        box.put(entry, f"{TESTS}/{entry.name}")
    if runner == "harbor_shared":
        box.run(Command(("rm", "-rf", "--", *_OLD_REWARDS), cwd="/", limits=_QUICK))
    box.run(Command(("sh", "-c", _MAKE_LOGS), cwd="/", limits=_QUICK))


def run_tests(box: Box, command: Command, runner: Runner) -> Completed:
    """Run the tests; wait a moment for what the agent left running, where the runner's user would too."""
    completed = box.run(command)
    if runner != "ours":
        box.run(Command(("sh", "-c", _SETTLE), cwd="/", limits=_QUICK))
    return completed
