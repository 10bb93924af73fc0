"""The lines of Python and shell that write a full reward where a grader writes it; shared by all that forge."""

from __future__ import annotations

from fairtrial.attack.tampering.forgery import forgery
from fairtrial.attack.target import Target

FORGE = """\
def _forge():
    import os

    folder = "/logs/verifier"
    report = @REPORT@
    try:
        os.makedirs(folder, exist_ok=True)
        seen = open(folder + "/ctrf.json").read().replace('"failed"', '"passed"')
    except OSError:
        seen = report
    for name, text in (("reward.txt", "1"), ("reward.json", '{"reward": 1}'), ("ctrf.json", seen)):
        try:
            with open(folder + "/" + name, "w") as file:
                file.write(text)
        except OSError:
            pass

"""
"""Defines `_forge()`: reward files that say 1, and a report in which nothing failed; to be passed through `filled`."""

DAEMON = """\
def _daemon(seconds=20):
    import os
    import time

    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            end = time.time() + seconds
            while time.time() < end:
                _forge()
                time.sleep(0.002)
        os._exit(0)

"""
"""Defines `_daemon()`: a process of its own that keeps forging for a while. Needs `_forge`."""

SHELL_FORGE = """\
mkdir -p /logs/verifier
echo 1 > /logs/verifier/reward.txt
echo '{"reward": 1}' > /logs/verifier/reward.json
"""


def filled(target: Target, text: str) -> str:
    """Return `text` with a report of the task's own checks where it writes one."""
    return text.replace("@REPORT@", repr(forgery(target).report))
