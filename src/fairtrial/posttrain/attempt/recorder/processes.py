"""See what runs in a box from outside it: every few milliseconds, its members and what each was started with.

Not covered: a process that begins and ends between two looks; what an interpreter does without starting anything; a
process that writes over its own arguments is recorded with what it wrote.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from fairtrial.contamination.conduct.masking import masked
from fairtrial.sandbox.live_box import DROP_ALL, LiveBox, members_of

LOOK_SECONDS = 0.02
SHARE = 8
"""A look that takes long is followed by a pause this many times as long: no more than a ninth of a core is used."""
MOST_PROCESSES = 100_000
MOST_ARGV = 64 << 10
MOST_WORDS = 128 << 20
"""Bytes of arguments of all processes together; of later ones the first SHORT_ARGV are kept."""
SHORT_ARGV = 300
MOST_WORDS_OF = 1000
"""Processes whose arguments are held beside the list; past that, of those that run."""
ENTRIES = ("/usr/bin/nsenter", "/usr/bin/setpriv", "/usr/bin/env")
"""Programs by which a command enters the box."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Seen:
    """One program that ran: a process that starts another in its own place is two."""

    time: str
    pid: int
    """On the host; 0 for a command that ended before it was looked at."""
    parent: int
    argv: tuple[str, ...]
    began: float
    ended: float

    def row(self) -> dict[str, object]:
        """Return it as a line of processes.jsonl."""
        return {"time": self.time, "pid": self.pid, "parent": self.parent, "argv": [masked(one) for one in self.argv],
                "seconds": round(self.ended - self.began, 3)}  # fmt: skip


class Processes:
    """Looks at the members of a box in a thread of its own."""

    def __init__(self, box: LiveBox, most_cpu_seconds: float | None) -> None:
        self.seen: list[Seen] = []
        self.left_out = 0
        self.cut = 0
        """Programs of which only the first arguments are listed."""
        self.looks = 0
        self.slowest = 0.0
        self.is_over_cpu = False
        self.is_counted_by_group = False
        """Whether a control group counts processor time, not we."""
        self._most_cpu_seconds = most_cpu_seconds
        self._box = box
        self._live: dict[tuple[int, str], Seen] = {}
        self._ticks: dict[tuple[int, str], int] = {}
        self._ticks_of_ended = 0
        self._words_of: dict[int, tuple[str, ...]] = {}
        self._words_bytes = 0
        self._counted = 0.0
        self._stop = threading.Event()
        self._space = _link(Path(f"/proc/{box.first}/ns/pid"))
        self._thread = threading.Thread(target=self._run, name="fairtrial-processes", daemon=True)

    @property
    def cpu_seconds(self) -> float:
        """Return the processor time of all processes, as far as it was counted."""
        return self._counted

    @property
    def has_begun(self) -> bool:
        """Say whether the command was seen running, or anything that it started."""
        return bool(self.seen and (self.seen[0].pid or len(self.seen) > 1))

    def start(self, command: tuple[str, ...]) -> None:
        """Begin to look. `command` is what is about to enter the box; it is listed however soon it ends."""
        at = time.monotonic()
        self.seen.append(Seen(_now(), 0, 0, command, at, at))
        self._thread.start()

    def stop(self) -> None:
        """Look once more, and no more after that. The box must be alive still."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            took = self._look()
            self._stop.wait(max(LOOK_SECONDS, SHARE * took))
        self._look()

    def _look(self) -> float:
        began = time.monotonic()
        alive: set[tuple[int, str]] = set()
        for pid in self._members():
            key = self._look_at(pid, began)
            if key is not None:
                alive.add(key)
        for key in [one for one in self._live if one not in alive]:
            del self._live[key]
        for key in [one for one in self._ticks if one not in alive]:
            self._ticks_of_ended += self._ticks.pop(key)
        if len(self._words_of) > MOST_WORDS_OF:
            self._words_of = {pid: self._words_of[pid] for pid, _ in alive}
        self._count()
        took = time.monotonic() - began
        self.looks += 1
        self.slowest = max(self.slowest, took)
        return took

    def _members(self) -> tuple[int, ...]:
        group, first = self._box.group, self._box.first
        if group is not None:
            try:
                return tuple(one for one in group.members() if one != first)
            except OSError:
                return ()
        return tuple(members_of(first)) if first is not None else ()

    def _look_at(self, pid: int, at: float) -> tuple[int, str] | None:
        """Take one process in; return its key, None where it is gone or no process of the box yet."""
        try:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if stat[0] in "ZX" or _link(Path(f"/proc/{pid}/ns/pid")) != self._space:
                return None
            with Path(f"/proc/{pid}/cmdline").open("rb") as file:
                argv = _words(file.read(MOST_ARGV)) or _nameless(pid)
        except (OSError, IndexError):
            return None
        key = (pid, stat[19])
        self._words_of[pid] = argv
        self._ticks[key] = int(stat[11]) + int(stat[12])
        held = self._live.get(key)
        if held is not None and held.argv in (argv, _cut(argv)):
            held.ended = at
        elif held is not None and argv and held.argv == self._words_of.get(held.parent):
            held.argv, held.ended = argv, at  # what was seen first was a copy of its parent, about to become this
        elif argv == self.seen[0].argv and not self.seen[0].pid:
            self._live[key], self.seen[0].pid, self.seen[0].parent = self.seen[0], pid, int(stat[1])
            self.seen[0].ended = at
        elif argv and not self._is_entry(pid, argv, int(stat[1])):
            self._add(key, Seen(_now(), pid, int(stat[1]), argv, at, at))
        return key

    def _add(self, key: tuple[int, str], seen: Seen) -> None:
        self._live[key] = seen
        if self._words_bytes > MOST_WORDS:
            seen.argv = _cut(seen.argv)
            self.cut += 1
        self._words_bytes += sum(map(len, seen.argv))
        if len(self.seen) < MOST_PROCESSES:
            self.seen.append(seen)
        else:
            self.left_out += 1

    def _is_entry(self, pid: int, argv: tuple[str, ...], parent: int) -> bool:
        """Say whether a process is how a command enters the box, before it becomes the command.

        What it is called is the agent's to choose, which program it is is not: those lie where no agent can write.
        """
        if self.seen[0].pid or _link(Path(f"/proc/{pid}/exe")) not in ENTRIES:
            return False
        is_ours = _link(Path(f"/proc/{parent}/ns/pid")) != self._space
        return is_ours and (argv[0] in ("nsenter", DROP_ALL[0]) or argv[:3] == ("/usr/bin/env", "-i", "-C"))

    def _count(self) -> None:
        """Count processor time, and end the box where it has had enough."""
        group = self._box.group
        counted = group.cpu_seconds() if group is not None else None
        self.is_counted_by_group = counted is not None
        self._counted = counted if counted is not None else (self._ticks_of_ended + sum(self._ticks.values())) / TICKS
        if self._most_cpu_seconds is not None and self._counted > self._most_cpu_seconds:
            self.is_over_cpu = True
            self._box.stop_all()

    def write(self, path: Path) -> None:
        """Write processes.jsonl, in the order in which they were first seen."""
        with path.open("wb") as file:
            for one in self.seen:
                file.write(orjson.dumps(one.row()) + b"\n")


def _nameless(pid: int) -> tuple[str, ...]:
    """Return words for a process that took its arguments away: which program it is. Raise OSError where it is gone."""
    return (f"[no arguments: {Path(f'/proc/{pid}/exe').readlink()}]",)


def _cut(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first words, SHORT_ARGV characters together."""
    kept: list[str] = []
    left = SHORT_ARGV
    for word in argv:
        if left <= 0:
            return (*kept, "…")
        kept.append(word[:left])
        left -= len(word)
    return tuple(kept)


def _words(raw: bytes) -> tuple[str, ...]:
    return tuple(one.decode("utf-8", "backslashreplace") for one in raw.rstrip(b"\0").split(b"\0")) if raw else ()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""
