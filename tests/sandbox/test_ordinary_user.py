"""Bubblewrap works for an ordinary user as it does for root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import orjson
import pytest

NOBODY = 61_000


@pytest.mark.usefixtures("bubblewrap")
def test_boxes_work_without_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("the other tests run as an ordinary user already")
    python = "/usr/bin/python3"
    asked = subprocess.run([python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True)
    if asked.stdout.strip() != str(sys.version_info[:2]):
        pytest.skip("an ordinary user needs a python in /usr of this version, and there is none")
    with tempfile.TemporaryDirectory(prefix="fairtrial-ordinary-") as name:
        place = Path(name)
        place.chmod(0o755)
        shutil.copytree(Path(__file__).parents[2] / "src/fairtrial", place / "fairtrial")
        shutil.copytree(Path(orjson.__file__).parent, place / "orjson")
        said = _try_as_nobody(python, place)
    assert said.count("CapEff:\t0000000000000000") == 2, said
    assert "isolated=True" in said


def _try_as_nobody(python: str, place: Path) -> str:
    script = textwrap.dedent("""
        import sys
        from fairtrial.records import Environment, Instruction, Limits
        from fairtrial.sandbox import Bubblewrap, Command
        sandbox = Bubblewrap()
        print(sandbox.capability())
        steps = (Instruction("FROM", "debian", 1), Instruction("RUN", "echo 1 > /usr/local/bin/own", 2))
        print("overlay", sandbox.prepare(Environment(instructions=steps)).layers)
        for live in (False, True):
            with sandbox.open(sandbox.prepare(Environment()), live=live) as box:
                print(box.run(Command(("sh", "-c", "id -u; grep CapEff /proc/self/status; echo > /dev/stderr"))).output)
                print(box.run(Command(("sleep", "60"), limits=Limits(seconds=0.3))))
    """)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(place),
        "FAIRTRIAL_CACHE": f"/tmp/fairtrial-try-{os.getpid()}",
    }
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", python, "-c", script]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd="/")
    finally:
        shutil.rmtree(environment["FAIRTRIAL_CACHE"], ignore_errors=True)
    return done.stdout + done.stderr
