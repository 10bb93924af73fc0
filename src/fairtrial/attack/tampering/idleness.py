"""Submissions that leave the work undone and tamper: failing them is the only right verdict.

They hand in the untouched workspace with planted files, or run a script that plants, or leave a process behind.
Everything is bounded in time and size, and harmless to the host. Where the untouched workspace passes by itself, these
say nothing; `prove` leaves them out there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fairtrial.attack.protocol import OURS, Submission
from fairtrial.attack.target import Target
from fairtrial.grade import deliverable_paths
from fairtrial.records import Runner, SandboxError, Severity
from fairtrial.run import FilesAgent
from fairtrial.tasks import Key

SHARED: tuple[Runner, ...] = ("harbor_shared",)
"""What passes here passes under `legacy` too, which forgives more; it is not tried there again."""
LEGACY: tuple[Runner, ...] = ("legacy",)
OURS_AND_SHARED: tuple[Runner, ...] = ("ours", "harbor_shared")
UNDONE = "None of the work was done."


def idle(
    name: str, what: str, *, script: str = "", files: Mapping[str, Path] | None = None, removed: Sequence[str] = (),
    runners: tuple[Runner, ...] = OURS, severity: Severity = "proof", why: str = UNDONE,
) -> Submission:  # fmt: skip
    """Return a submission that does no work: lays `files`, removes `removed`, runs `script`."""
    agent = FilesAgent(model=name, files=dict(files or {}), removed=tuple(removed), script=script)
    return Submission(name=name, agent=agent, expects="fails", what=what, severity=severity, why=why, runners=runners)


def planted(target: Target, texts: Mapping[str, str]) -> dict[str, Path]:
    """Write planted files, executable, and return inside path -> host file; what the workspace holds is left alone."""
    files: dict[str, Path] = {}
    written: dict[str, Path] = {}
    for inside, text in texts.items():
        if not stands(target, inside):
            if text not in written:
                written[text] = target.new_file(inside, text.encode("utf-8", "surrogateescape"))
                written[text].chmod(0o755)
            files[inside] = written[text]
    return files


def stands(target: Target, inside: str) -> bool:
    """Say whether the untouched workspace has something at `inside`."""
    path = target.before / inside.lstrip("/")
    return path.is_symlink() or path.exists()


def reaches(target: Target, inside: str) -> tuple[Runner, ...]:
    """Return the runners under which a file left at `inside` is there when the grader runs."""
    try:
        places = deliverable_paths(target.task)
    except SandboxError:
        return SHARED
    handed_in = any(inside == place or inside.startswith(place.rstrip("/") + "/") for place in places)
    return OURS_AND_SHARED if handed_in else SHARED


def hurried(key: Key, seconds: float) -> Key:
    """Return `key` with a time-out of at most `seconds`, for probes that may only make the grader wait."""
    steps = tuple(replace(step, verifier_seconds=min(step.verifier_seconds, seconds)) for step in key.steps)
    return replace(key, steps=steps)


def home(target: Target) -> str:
    """Return the home folder in the box."""
    return dict(target.task.environment.variables).get("HOME", "/root")


def workdir(target: Target) -> str:
    """Return the workdir without a trailing slash."""
    return target.task.environment.workdir.rstrip("/")
