"""A box ends also where its orphans become ours, as for process 1 of a container, which is given what nobody reaps."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.sandbox import Bubblewrap

PROGRAM = """
import ctypes, sys
from pathlib import Path
from fairtrial.plugins.boxes import HeldBox, environment_at

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
box = HeldBox(environment_at(Path(sys.argv[1])), {})
print(box.run(["sh", "-c", "sleep 60 & sleep 60"], seconds=0.3).killed)
box.close()
print("closed")
"""


def test_a_box_whose_command_was_ended_closes(tmp_path: Path) -> None:
    capability = Bubblewrap().capability()
    if not capability.available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    (tmp_path / "Dockerfile").write_text("FROM debian:12\nWORKDIR /desk\n")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "Dockerfile")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False,
                           env={"PATH": "/usr/bin:/bin", "FAIRTRIAL_CACHE": str(tmp_path / "cache")})  # fmt: skip
    assert ended.stdout.split() == ["timeout", "closed"], ended.stderr
