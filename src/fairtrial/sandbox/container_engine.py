"""Call podman or docker through its command line.

FAIRTRIAL_CONTAINER_ENGINE names the program, FAIRTRIAL_CONTAINER_RUNTIME the OCI runtime, FAIRTRIAL_CONTAINER_FLAGS
more flags for `run`, FAIRTRIAL_CONTAINER_BUILD_FLAGS more for `build`. Does not cover: installing or starting either.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fairtrial.records import SandboxError

PROGRAMS = ("podman", "docker")
LOOK_SECONDS = 60.0
BUILD_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Engine:
    """A container program and what it is always told."""

    program: str
    runtime: str = ""
    run_flags: tuple[str, ...] = ()
    build_flags: tuple[str, ...] = ()

    @property
    def is_podman(self) -> bool:
        """Say whether it is podman, which takes the runtime before the verb."""
        return "podman" in Path(self.program).name

    def command(self, verb: str, *words: str) -> list[str]:
        """Return a command line."""
        if self.is_podman:
            return [self.program, *(["--runtime", self.runtime] if self.runtime else []), verb, *words]
        own = ["--runtime", self.runtime] if self.runtime and verb == "run" else []
        return [self.program, verb, *own, *words]

    def call(self, verb: str, *words: str, stdin: bytes = b"", seconds: float = LOOK_SECONDS) -> bytes:
        """Run one verb and return its standard output. Raise SandboxError with what it said if it fails."""
        done = self.attempt(verb, *words, stdin=stdin, seconds=seconds)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()[-1500:]
            raise SandboxError(f"{Path(self.program).name} {verb} failed: {said}")
        return done.stdout

    def attempt(
        self, verb: str, *words: str, stdin: bytes = b"", seconds: float = LOOK_SECONDS
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one verb, whatever comes of it. Raise SandboxError where it does not end."""
        command = self.command(verb, *words)
        try:
            return subprocess.run(command, input=stdin, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired as error:
            raise SandboxError(f"{Path(self.program).name} {verb} did not end in {seconds:.0f} s") from error
        except OSError as error:
            raise SandboxError(f"cannot start {self.program}: {error.strerror}") from error


def engine() -> Engine | None:
    """Return the container program of this machine as the environment variables say; None where there is none."""
    named = os.environ.get("FAIRTRIAL_CONTAINER_ENGINE")
    found = next((program for program in ([named] if named else PROGRAMS) if shutil.which(program)), None)
    if found is None:
        return None
    return Engine(
        found,
        os.environ.get("FAIRTRIAL_CONTAINER_RUNTIME", ""),
        tuple(shlex.split(os.environ.get("FAIRTRIAL_CONTAINER_FLAGS", ""))),
        tuple(shlex.split(os.environ.get("FAIRTRIAL_CONTAINER_BUILD_FLAGS", ""))),
    )


@cache
def why_not_working(one: Engine) -> str:
    """Return why a container program does not work here; empty where it answers."""
    try:
        done = one.attempt("ps", "-q", seconds=20.0)
    except SandboxError as error:
        return error.what
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return f"{one.program} does not work here: {said[-1] if said else 'no reason given'}"
