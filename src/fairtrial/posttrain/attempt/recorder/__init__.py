"""Record what an agent runs and writes, from outside its box: nothing in there knows of it, or could end it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from fairtrial.posttrain.attempt.recorder.files import Files, open_root
from fairtrial.posttrain.attempt.recorder.kept import Kept
from fairtrial.posttrain.attempt.recorder.processes import LOOK_SECONDS, Processes
from fairtrial.posttrain.folder import RunFolder
from fairtrial.sandbox.live_box import LiveBox

__all__ = ["Recorder"]

ALWAYS = (
    "data that never became a file (in memory, or through pipes) was not seen",
    "what a file held only between being opened and closed, and files that never had a name, were not seen",
    "what is inside encrypted connections was not seen: only host, port and bytes",
)


class Recorder:
    """Processes and written files of one box."""

    def __init__(self, box: LiveBox, folder: RunFolder, most_cpu_seconds: float | None) -> None:
        self.processes = Processes(box, most_cpu_seconds)
        self._path = folder.path
        self._kept = Kept(folder.written, folder.path / "writes.jsonl")
        self._roots: list[int] = []
        self._files: list[Files] = []
        self._lost: list[str] = []
        lock = threading.Lock()
        for path, at in ((box.root, b""), (Path(f"/proc/{box.first}/root/dev"), b"dev")):
            try:
                self._roots.append(open_root(path))
                self._files.append(Files(self._roots[-1], at, self._kept, lock))
            except OSError as error:
                where = "/dev" if at else "the box"
                self._lost.append(f"what was written in {where} was not seen: {error.strerror}")

    def start(self, command: tuple[str, ...]) -> None:
        """Begin; `command` is what is about to enter the box."""
        for one in self._files:
            one.start()
        self.processes.start(command)

    def stop_looking(self) -> None:
        """End looking at processes: before the box ends."""
        self.processes.stop()

    def stop(self) -> None:
        """End all of it, and write what was seen: once the box has ended."""
        self.processes.stop()
        for one in self._files:
            one.stop()
        for root in self._roots:
            os.close(root)
        self._kept.close()
        self.processes.write(self._path / "processes.jsonl")

    @property
    def writes(self) -> int:
        """Return how many writes were seen."""
        return self._kept.writes

    def not_recorded(self) -> tuple[str, ...]:
        """Return what could not be seen, each a sentence."""
        pause = max(LOOK_SECONDS, self.processes.slowest)
        said = [f"processes were looked for about every {1000 * pause:.0f} ms: shorter ones may be missed"]
        if self.processes.left_out:
            said.append(f"{self.processes.left_out:,} processes were seen and not listed")
        if self.processes.cut:
            said.append(f"of {self.processes.cut:,} processes only the first arguments are listed")
        if not self.processes.is_counted_by_group:
            said.append("processor time was summed over processes as they were seen, and is too low for short ones")
        said += [f"{cap} ({times:,} times)" for cap, times in sorted(self._kept.passed.items())]
        said += self._lost
        return (*said, *sorted({note for one in self._files for note in one.notes}), *ALWAYS)
