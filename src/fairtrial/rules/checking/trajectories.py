"""Which of the paths that were handed in as trajectories show what an agent did.

What cannot be read as one is a gap, not a file in which nothing was found.
Not covered: what the steps hold (`contamination.conduct`).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.formats.atif_import import is_trajectory
from fairtrial.records import FormatError
from fairtrial.rules.checking.hashes import files_in


def trajectory_in(file: Path) -> Trajectory | None:
    """Return the trajectory in a file, None where it holds none; why one cannot be read, the check says."""
    if file.suffix != ".json":
        return None
    try:
        return read_trajectory(file.read_bytes()) if is_trajectory(file) else None
    except (FormatError, OSError):
        return None


def gaps_in(paths: Iterable[Path]) -> tuple[str, ...]:
    """Return why each of `paths` shows nothing that an agent did; empty where every one does."""
    gaps = []
    for path in paths:
        found = [one for file in files_in(path) if (one := trajectory_in(file)) is not None]
        if not found:
            gaps.append(f"{path.name} holds no trajectory that can be read (ATIF, in a file *.json)")
        elif not any(step.source == "agent" for one in found for step in one.steps):
            gaps.append(f"{path.name} holds no step of an agent")
    return tuple(gaps)
