"""Start an app by the command that its workflows.toml states, wait until it answers, and end it with all it started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import IO
from urllib.parse import urlsplit

from fairtrial.checks.apart import group_of
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError, said
from fairtrial.checks.state.workflows.steps import Workflows

WAIT_SECONDS = 0.05
TAIL = 300
GRACE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class App:
    """An app that runs."""

    process: subprocess.Popen[bytes]
    printed: IO[bytes]

    @classmethod
    def started(cls, file: Workflows) -> App:
        """Start the app. Raise WorkError where it does not answer in time, CheckError where nothing can be started."""
        if answers(file.base_url):
            raise WorkError(f"something answers at {file.base_url} before the app is started")
        printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the app
        try:
            process = subprocess.Popen(
                ["sh", "-c", file.start],
                cwd=file.folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT,
                start_new_session=True, env=_environment(file), user=file.user or None, group=group_of(file.user),
                extra_groups=[] if file.user else None,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            printed.close()
            if getattr(error, "filename", None) == str(file.folder):  # it is gone, a file, or closed to the user
                raise WorkError(f"there is no folder {said(file.folder)} to start the app in") from None
            raise CheckError(f"the app cannot be started here: {error}") from error
        app = cls(process, printed)
        end = time.monotonic() + file.seconds
        while not answers(file.base_url):
            code = process.poll()
            if code or time.monotonic() >= end:
                why = f"ended with {code}" if code else f"does not answer at {file.base_url} within {file.seconds:g} s"
                said_last = app.tail()
                app.close()
                raise WorkError(f"the app {why}" + (f"; it printed {said(said_last, TAIL)}" if said_last else ""))
            time.sleep(WAIT_SECONDS)
        return app

    def tail(self) -> str:
        """Return the end of what the app printed."""
        size = os.fstat(self.printed.fileno()).st_size
        return os.pread(self.printed.fileno(), TAIL, max(0, size - TAIL)).decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End the app and what it started in its group, and wait until they are gone, for their port to be free."""
        end = time.monotonic() + GRACE_SECONDS
        while _killed(self.process.pid) and time.monotonic() < end:
            self.process.poll()
            _reaped(self.process.pid)
            time.sleep(WAIT_SECONDS)
        self.process.wait()
        self.printed.close()


def _killed(group: int) -> bool:
    """Kill what is in `group`; say whether there was anything."""
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        return False
    return True


def _reaped(group: int) -> None:
    """Take leave of those of `group` that became children of this process when their own parent went."""
    try:
        os.waitpid(-group, os.WNOHANG)
    except ChildProcessError:
        return


def answers(base_url: str) -> bool:
    """Say whether anything listens at `base_url`."""
    address = urlsplit(base_url)
    port = address.port or (443 if address.scheme == "https" else 80)
    try:
        with socket.create_connection((address.hostname or "", port), timeout=1):
            return True
    except OSError:
        return False


def _environment(file: Workflows) -> dict[str, str]:
    port = urlsplit(file.base_url).port or 80
    return {
        "PATH": os.environ.get("PATH") or os.defpath,
        "LANG": "C.UTF-8",
        "HOME": "/tmp",
        "PORT": str(port),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }
