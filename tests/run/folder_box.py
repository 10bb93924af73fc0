"""A box that is a plain folder, for tests of what acts in a box."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from fairtrial.records import SandboxError
from fairtrial.sandbox import Command, Completed, Taken


@dataclass
class FolderBox:
    """A box that is a plain folder: commands run in it with an empty environment, and nothing is isolated."""

    folder: Path
    commands: list[Command] = field(default_factory=list)
    fails: bool = False

    def run(self, command: Command) -> Completed:
        if self.fails:
            raise SandboxError("the box has died")
        self.commands.append(command)
        began = time.monotonic()
        process = subprocess.Popen(
            command.argv, cwd=self.folder, env={"PATH": os.defpath, **command.variables}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            output, killed = process.communicate(timeout=command.limits.seconds)[0], ""
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, killed = process.communicate()[0], "timeout"
        text = output.decode(errors="replace")
        return Completed(process.returncode, text, time.monotonic() - began, killed)  # type: ignore[arg-type]

    def put(self, source: Path, inside: str) -> None:
        shutil.copy(source, self.folder / inside.lstrip("/"))

    def take(self, inside: Sequence[str], into: Path, most_bytes: int) -> Taken:  # noqa: ARG002
        raise SandboxError("nothing can be taken out of this box")

    def close(self) -> None:
        """Leave the folder to the test."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
