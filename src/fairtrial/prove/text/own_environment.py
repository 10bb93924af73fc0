"""An environment of its own for a grader: its packages, pinned as the user says, where they never meet ours.

Made once per interpreter and list of requirements, in the cache folder, by the interpreter's own venv and pip.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from fairtrial.prove.text.interpreter import look_at
from fairtrial.records import InputError, canonical_json, digest
from fairtrial.sandbox.cache import prepared

INSTALL_SECONDS = 1800


def own_environment(requirements: Sequence[str], python: str) -> str:
    """Return the interpreter of an environment that holds `requirements`. Raise InputError where it cannot be made."""
    base = look_at(python)
    identity = [str(base.executable), list(base.version), sorted(requirements)]
    key = f"grader-{digest(canonical_json(identity)).removeprefix('sha256:')[:32]}"

    def make(folder: Path) -> None:
        _must_work([str(base.executable), "-m", "venv", str(folder / "venv")], requirements)
        inside = str(folder / "venv/bin/python")
        _must_work([inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements],
                   requirements)  # fmt: skip

    return str(prepared(key, make) / "venv/bin/python")


def _must_work(words: list[str], requirements: Sequence[str]) -> None:
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=INSTALL_SECONDS, check=False)  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"cannot make an environment: {error}", field="--install") from error
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip()[-1000:]
        raise InputError(f"cannot install {' '.join(requirements)}", field="--install", hint=said)
