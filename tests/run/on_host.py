"""The script of a fake box that really runs commands, on the host, in the box's folder: nothing is isolated."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from fairtrial.sandbox import Command, Completed, Killed


def on_host(command: Command, root: Path) -> Completed:
    """Run `command` in the box's root; a word `/app` means the workdir. Variables are the command's own alone."""
    folder = root / "app"
    folder.mkdir(exist_ok=True)
    began = time.monotonic()
    process = subprocess.Popen(
        [str(folder) if word == "/app" else word for word in command.argv],
        cwd=root,
        env={"PATH": os.defpath, **command.variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    killed: Killed = ""
    try:
        output = process.communicate(timeout=command.limits.seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, killed = process.communicate()[0], "timeout"
    return Completed(process.returncode, output.decode(errors="replace"), time.monotonic() - began, killed)
