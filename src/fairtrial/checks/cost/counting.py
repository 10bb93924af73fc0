"""Count the instructions of a command and of all that it starts: by valgrind's callgrind, else by `perf stat`.

Callgrind counts the same on every machine and needs no rights; perf is asked only where there is no valgrind. Counted
is what runs outside the kernel. What callgrind cannot see (a child that is killed, work before an `exec`, a program
with other rights) still takes processor time, which is reported beside the count.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.checks.protocol import CheckError

SECONDS = 900
MOST_OUTPUT = 64_000_000
_COLLECTED = re.compile(rb"^==\d+== Collected\s*:\s*(\d+)", re.MULTILINE)
_SUPERVISOR = "fairtrial.checks.cost.supervisor"
_VARIABLES = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
              "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TZ": "UTC"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Count:
    """What one run took, and what it gave."""

    instructions: int
    code: int
    output: bytes
    cpu: float
    """Processor seconds of all its processes, counted or not."""
    seconds: float
    timed_out: bool = False


def counted(
    command: Sequence[str], folder: Path, stdin: Path | None = None, output: Path | None = None, user: str = ""
) -> Count:
    """Run `command` in `folder` and count. Raise CheckError where nothing here can count.

    What it gives is what it writes to `output`, or prints where that is None.
    """
    tool = counter()
    count, printed = folder.parent / "count", folder.parent / "printed"
    for path in (count, printed):
        path.unlink(missing_ok=True)
    answer = _run(_started(tool, command, user), folder, stdin, (count, printed))
    said = count.read_bytes()
    instructions = _by_callgrind(said) if tool == "callgrind" else _by_perf(said)
    if answer["timed_out"]:
        return Count(0, -1, b"", answer["cpu"], answer["seconds"], timed_out=True)
    given = _read(output or printed)
    return Count(instructions, int(answer["code"]), given, answer["cpu"], answer["seconds"])


Started = Callable[[int, int], list[str]]
"""From the descriptors for the answer and for the counts to the whole command line."""


def _started(tool: str, command: Sequence[str], user: str) -> Started:
    """Return how the supervisor is started, and what it starts."""

    def line(answer: int, log: int) -> list[str]:
        settings = {"seconds": SECONDS, "file_bytes": MOST_OUTPUT, "answer": answer, "user": user}
        supervisor = [sys.executable, "-I", "-S", "-c", _source(), json.dumps(settings)]
        return [*supervisor, *_under(tool, log), *command]

    return line


def _run(started: Started, folder: Path, stdin: Path | None, kept: tuple[Path, Path]) -> dict[str, float]:
    """Run under the supervisor; return what it says."""
    count, printed = kept
    ours, theirs = os.pipe()
    log = os.open(count, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
    environment = _VARIABLES | {"PATH": os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")}
    try:
        with printed.open("xb") as out, (stdin or Path(os.devnull)).open("rb") as given:
            subprocess.run(started(theirs, log), cwd=folder, env=environment, stdin=given,
                           stdout=out, stderr=subprocess.DEVNULL, pass_fds=(theirs, log), check=False)  # fmt: skip
        os.close(theirs)
        theirs = -1
        said = os.read(ours, 65536)
    finally:
        for descriptor in (ours, theirs, log):
            if descriptor >= 0:
                os.close(descriptor)
    if not said:
        raise CheckError("the run could not be supervised to its end")
    found: dict[str, float] = json.loads(said)
    return found


def _under(tool: str, log: int) -> list[str]:
    if tool == "callgrind":
        # A descriptor and no file: valgrind keeps it out of the program's reach. Nor may a program set up the counting
        # of what it starts, by VALGRIND_OPTS or a .valgrindrc (`--collect-atstart=no` counts nothing).
        return ["valgrind", "--command-line-only=yes", "--tool=callgrind", "--trace-children=yes",
                "--callgrind-out-file=/dev/null", f"--log-fd={log}", "--vgdb=no"]  # fmt: skip
    return ["perf", "stat", "-x", ",", "-e", "instructions:u", "--log-fd", str(log), "--"]


@functools.cache
def counter() -> str:
    """Return which tool counts here. Raise CheckError where none does."""
    if shutil.which("valgrind"):
        return "callgrind"
    if shutil.which("perf"):
        command = ["perf", "stat", "-x", ",", "-e", "instructions:u", "true"]
        ended = subprocess.run(command, capture_output=True, check=False)
        if ended.returncode == 0 and ended.stderr.partition(b",")[0].strip().isdigit():
            return "perf"
        raise CheckError("there is no valgrind here, and perf cannot count instructions")
    raise CheckError("there is neither valgrind nor perf here, so instructions cannot be counted")


def _by_callgrind(said: bytes) -> int:
    return sum(int(number) for number in _COLLECTED.findall(said))


def _by_perf(said: bytes) -> int:
    for line in said.splitlines():
        number, _, rest = line.partition(b",")
        if b"instructions" in rest and number.strip().isdigit():
            return int(number)
    return 0


@functools.cache
def _source() -> str:
    """Return the supervisor's source, from the kit's one file too."""
    spec = importlib.util.find_spec(_SUPERVISOR)
    source = getattr(spec.loader, "get_source", lambda _: None)(_SUPERVISOR) if spec is not None else None
    if source is None:
        raise CheckError("the supervisor of a run is missing")
    return str(source)


def _read(path: Path) -> bytes:
    """Return what a run wrote; nothing where that is no plain file, or too much."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        held = os.fstat(file.fileno())
        return file.read(MOST_OUTPUT) if stat.S_ISREG(held.st_mode) and held.st_size <= MOST_OUTPUT else b""


def filled(command: Sequence[str], places: Mapping[str, str]) -> list[str]:
    """Return `command` with `{name}` replaced where it names one of `places`.

    >>> filled(["python3", "{program}", "{x}"], {"program": "/app/a.py"})
    ['python3', '/app/a.py', '{x}']
    """
    return [re.sub(r"\{(\w+)\}", lambda match: places.get(match[1], match[0]), one) for one in command]
