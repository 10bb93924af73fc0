"""The evaluator that counts: the public folder with the hidden one laid over it, and the decoys over that if asked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from fairtrial.posttrain.bench import Bench
from fairtrial.records import InputError

_CACHES = frozenset({"__pycache__", ".git"})


def evaluator_files(bench: Bench, track: str, *, decoys: bool = False) -> dict[str, Path]:
    """Return the files of the evaluator that counts: path within it -> host path, links followed."""
    benchmark = bench.benchmark(track)
    over = [benchmark.hidden, benchmark.decoys if decoys else ""]
    found = dict(_files(bench.beside(benchmark.evaluator)))
    for folder in filter(None, over):
        found |= dict(_files(bench.beside(folder)))
    return found


def copy_evaluator(bench: Bench, track: str, into: Path, *, decoys: bool = False) -> None:
    """Copy the evaluator that counts to the new folder `into`. Raise InputError where a file cannot be read."""
    into.mkdir()
    for name, path in evaluator_files(bench, track, decoys=decoys).items():
        target = into / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(path, target)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
        target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if path.is_file() and _CACHES.isdisjoint(below.parts):
            yield below.as_posix(), path
