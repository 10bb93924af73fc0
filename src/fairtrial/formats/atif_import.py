"""`atif`: trajectory files without results, as rollouts that nobody has graded (ungraded, not_graded).

A file, or a folder searched for `*.json` that say `schema_version: ATIF…`. An ATIF file names no task: it is taken from
Harbor's naming, `TASK__ID.json` or `TASK__ID/agent/trajectory.json`, else from the file name. The trajectory itself
and the images that it names are kept in the ledger; the trajectory is part of the rollout's id.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.formats.atif_pictures import with_pictures
from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.json_files import attempt_number
from fairtrial.formats.times import seconds_between, utc_or_empty
from fairtrial.records import FormatError, Rollout, Verdict, digest

_FILES_A_BATCH = 200
_OPENING_BYTES = 4096


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the trajectories at `path` as rollouts without verdicts."""
    files = [path] if path.is_file() else trajectory_files(path)
    if not files:
        raise FormatError("the folder has no ATIF files", path=path)
    for start in range(0, len(files), _FILES_A_BATCH):
        attempts: list[tuple[Rollout, Verdict | None]] = []
        skipped: list[Skipped] = []
        blobs: list[bytes] = []
        chosen = files[start : start + _FILES_A_BATCH]
        for file in chosen:
            try:
                trajectory = read_trajectory(file)
                data = taken_in(file, skipped, blobs)
                attempts.append((_rollout(file, trajectory, digest(data), options), None))
                blobs.append(data)
            except FormatError as error:
                skipped.append(Skipped(error.where or str(file), error.what))
        yield batch_of(attempts, skipped, blobs, (start + len(chosen)) / len(files))


def taken_in(file: Path, skipped: list[Skipped], blobs: list[bytes]) -> bytes:
    """Return the document with its images as blobs; add these to `blobs`, what is missing to `skipped`."""
    found = with_pictures(file.read_bytes(), file.parent)
    skipped.extend(Skipped(str(file), f"{why}; the trajectory is kept without it") for why in found.missing)
    blobs.extend(found.blobs)
    return found.document


def trajectory_files(folder: Path) -> list[Path]:
    """Return the JSON files below `folder` that open as ATIF documents do, sorted."""
    return sorted(file for file in folder.rglob("*.json") if file.is_file() and is_trajectory(file))


def is_trajectory(file: Path) -> bool:
    """Say whether the file's first 4 KB name an ATIF version."""
    with file.open("rb") as handle:
        opening = handle.read(_OPENING_BYTES)
    return b'"schema_version"' in opening and b'"ATIF' in opening


def _rollout(file: Path, trajectory: Trajectory, address: str, options: Options) -> Rollout:
    model = trajectory.model or options.model or trajectory.agent
    if not model:
        raise FormatError("names neither a model nor an agent", path=file, field="agent")
    return Rollout(
        task=task_name(file), model=model, suite=options.suite, attempt=attempt_number(address), label=file.stem,
        source=str(file), **trajectory_fields(trajectory, address), agent=trajectory.agent,
    )  # fmt: skip


def task_name(file: Path) -> str:
    """Return the task that Harbor's naming says.

    >>> task_name(Path("fix-bug__x1y2.json")), task_name(Path("jobs/j/fix-bug__x1/agent/trajectory.json"))
    ('fix-bug', 'fix-bug')
    """
    name = file.parent.parent.name if file.name == "trajectory.json" and file.parent.name == "agent" else file.stem
    return name.rpartition("__")[0] or name


def trajectory_fields(trajectory: Trajectory, address: str) -> dict[str, Any]:
    """Return what a rollout takes from its trajectory."""
    totals = trajectory.totals()
    times = [time for step in trajectory.steps if (time := utc_or_empty(step.timestamp))]
    return {
        "trajectory": address, "steps": sum(step.source == "agent" for step in trajectory.steps),
        "input_tokens": totals.prompt_tokens, "output_tokens": totals.completion_tokens, "cost_usd": totals.cost_usd,
        "seconds": seconds_between(times[0], times[-1]) if times else None, "recorded_at": times[0] if times else "",
    }  # fmt: skip
