"""A box may limit a grader more than we would: programs still run. Not covered: what the limits do."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import resource
from fairtrial.checks.apart import run_apart
from fairtrial.checks.limits import limited

for limit, most in ((resource.RLIMIT_FSIZE, 1_000_000), (resource.RLIMIT_AS, 1_500_000_000)):
    resource.setrlimit(limit, (most, most))
print(run_apart(["echo", "ran"], "/", memory_bytes=2_000_000_000).output.strip(), limited(lambda: "worked", "it"))
"""


def test_lower_limits_of_the_box_are_kept() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ended.stdout == "ran worked\n", ended.stderr
