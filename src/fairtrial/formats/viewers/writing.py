"""Lines written to a file as they come, so that no file has to fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fairtrial.records import InputError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that cannot be written into an InputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--out") from error


def written_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write one line each, and return how many there were."""
    count = 0
    with writing(path), path.open("wb") as handle:
        for line in lines:
            handle.write(line + b"\n")
            count += 1
    return count
