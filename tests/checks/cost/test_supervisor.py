"""What is supervised does not outlive its supervisor."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from fairtrial.checks.cost import supervisor


def test_a_supervisor_that_is_killed_takes_its_command_along(tmp_path: Path) -> None:
    source = Path(supervisor.__file__).read_text(encoding="utf-8")
    ours, theirs = os.pipe()
    settings = {"seconds": 1000, "file_bytes": 1000, "answer": theirs, "user": ""}
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        source,
        json.dumps(settings),
        "sh",
        "-c",
        "echo begun; exec sleep 1000",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, pass_fds=(theirs,)) as process:
        os.close(theirs)
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGKILL)
        assert process.stdout.read() == b""  # its last writer is gone
    os.close(ours)
