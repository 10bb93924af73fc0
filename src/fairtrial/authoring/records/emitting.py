"""Write cases as task folders: OUT/train/NAME and OUT/held_out/NAME, in Harbor's format, graded by the kit.

Every file gets one and the same time of change, so that none tells when a task was made or in which order. The kit is
one file, linked into each task where the disk can. Names are hashes. Not covered: images; the box needs Python alone.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from fairtrial.authoring.records.candidates import (
    DECISION_PY,
    candidates,
    checks_toml,
    grading_toml,
    originals,
    proof_toml,
    reference,
    toml,
    writes,
)
from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.schema import Declared
from fairtrial.authoring.records.sides import Sides
from fairtrial.authoring.records.telling import HISTORY, history_bytes, instruction
from fairtrial.checks.kit import NAME as KIT
from fairtrial.checks.kit import TEST_SH, kit
from fairtrial.records import InputError

LONG_AGO = 946_684_800
"""2000-01-01T00:00:00Z, the time of change of every file."""
SIDES = ("train", "held_out")


def task_name(case: Case, declared: Declared) -> str:
    """Return the name of a case's task: that of the records, and a hash of entity and event."""
    return f"{declared.toml.records.name}-{case.decision.id}"


def emit(
    cases: Sequence[Case], sides: Sides, declared: Declared, out: Path, on_made: Callable[[Path], None] = lambda _: None
) -> list[Path | None]:
    """Write a task folder of each case that is on a side, and return where each lies.

    Raise InputError where `out` holds tasks already, or cannot be written.
    """
    for side in SIDES:
        if (out / side).exists():
            raise InputError(
                "is there already", path=out / side, field="--out", hint="Name a new folder, or remove it."
            )
    try:
        out.mkdir(parents=True, exist_ok=True)
        packed = kit()
        first: Path | None = None
        made: list[Path | None] = []
        for case, side in zip(cases, sides.of, strict=True):
            if not side:
                made.append(None)
                continue
            place = out / side / task_name(case, declared)
            _write_task(case, side, declared, place)
            first = _lay_kit(place / "tests" / KIT, packed, first)
            _set_times(place)
            made.append(place)
            on_made(place)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=out, field="--out") from error
    return made


def _write_task(case: Case, side: str, declared: Declared, place: Path) -> None:
    files = {HISTORY: history_bytes(case, declared)}
    for name in declared.toml.task.files:
        files[Path(name).name] = declared.beside(name).read_bytes()
    made = candidates(case, declared)
    texts: dict[str, str] = {
        "task.toml": task_toml(case, side, declared),
        "instruction.md": instruction(case, declared),
        "environment/Dockerfile": f"FROM {declared.toml.task.image}\nWORKDIR /app\nCOPY workspace/ /app/\n",
        "tests/test.sh": TEST_SH,
        "tests/checks.toml": checks_toml(case, declared),
        "tests/grading.toml": grading_toml(case, declared),
        "tests/decision.py": DECISION_PY,
        "tests/original.sha256": originals(files),
        "solution/solve.sh": writes(reference(case)),
        "proof.toml": proof_toml(made),
        **{f"candidates/{one.name}/solve.sh": one.solve for one in made},
    }
    for name, text in texts.items():
        _write(place / name, text.encode())
    for name, held in files.items():
        _write(place / "environment" / "workspace" / name, held)


def task_toml(case: Case, side: str, declared: Declared) -> str:
    """Return the settings of a task; `metadata` says what grades it. The agent is not shown this file."""
    name, decision = declared.toml.records.name, case.decision
    cluster = f"{name}-{_short(decision.group)}"
    return f"""version = "1.0"

[task]
name = {toml(f"{name}/{task_name(case, declared)}")}

[metadata]
category = {toml(name)}
family = {toml(f"{name}-{case.graded_by}")}
cluster = {toml(cluster)}
split = {toml(side)}
graded_by = {toml(case.graded_by)}
why_not_by_outcome = {toml(case.why)}
parameters_graded_by = {toml(case.parameters_by)}
actions_offered = {len(case.offered)}

[agent]
timeout_sec = {declared.toml.task.seconds}

[verifier]
timeout_sec = 60.0

[environment]
cpus = 1
memory_mb = 512
storage_mb = 256
"""


def _short(text: str) -> str:
    return originals({"": text.encode()})[:12]


def _write(path: Path, held: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(held)
    if path.suffix == ".sh":
        path.chmod(0o755)


def _lay_kit(place: Path, packed: bytes, first: Path | None) -> Path:
    """Lay the kit there: a link to the first one where the disk knows links, else a copy."""
    if first is None:
        place.write_bytes(packed)
        return place
    try:
        place.hardlink_to(first)
    except OSError:
        shutil.copyfile(first, place)
    return first


def _set_times(place: Path) -> None:
    for folder, folders, files in os.walk(place, topdown=False):
        for name in (*files, *folders):
            os.utime(Path(folder) / name, (LONG_AGO, LONG_AGO))
    os.utime(place, (LONG_AGO, LONG_AGO))
