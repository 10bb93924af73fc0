"""Bubblewrap works for an ordinary user as it does for root."""

from __future__ import annotations

import os
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

NOBODY = 61_000


@pytest.mark.usefixtures("bubblewrap")
def test_boxes_work_without_root(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("the other tests run as an ordinary user already")
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import orjson"], capture_output=True, check=False).returncode:
        pytest.skip("the system's python3 has no orjson, and this one may lie where an ordinary user cannot reach it")
    place = tmp_path.parent / f"{tmp_path.name}-open"
    shutil.copytree(Path(__file__).parents[2] / "src", place / "src")
    script = textwrap.dedent("""
        import sys
        from fairtrial.records import Environment
        from fairtrial.sandbox import Bubblewrap, Command
        sandbox = Bubblewrap()
        print(sandbox.capability())
        for live in (False, True):
            with sandbox.open(sandbox.prepare(Environment()), live=live) as box:
                print(box.run(Command(("sh", "-c", "id -u; grep CapEff /proc/self/status"))).output)
    """)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(place / "src"), "HOME": "/tmp"}
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", python, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.count("CapEff:\t0000000000000000") == 2, done.stdout + done.stderr
