"""Which files are logs of Inspect's, and their samples as batches: streamed, of at most 32 MB of trajectories each.

A folder is searched for `.eval` files, and for `.json` files that open as Inspect's do. A log, or a sample, that
cannot be read is skipped with its place and the reason.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.inspect.archive import Archive, is_zip
from fairtrial.formats.inspect.log import HEADER, START, Log, open_log
from fairtrial.formats.inspect.records import Sampled, sampled
from fairtrial.formats.inspect.run import Run
from fairtrial.formats.inspect.scores import OUT_OF_RANGE, SEVERAL, Graded
from fairtrial.records import FormatError, Rollout, Verdict

_MOST_ROLLOUTS, _MOST_BYTES = 2_000, 16_000_000
_OPENING_BYTES = 4096
_OPENING = re.compile(rb'\s*\{\s*"(version|status)"\s*:')
_MARKS = (b'"status"', b'"eval"', b'"task"')


def looks_like(path: Path) -> bool:
    """Say whether a file is a log, or a folder holds one: an `.eval` archive, or JSON that opens as theirs does."""
    return bool(next(_logs(path), None)) if path.is_dir() else _is_log(path)


def _logs(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.suffix in (".eval", ".json") and file.is_file()
            and _is_log(file))  # fmt: skip


def _is_log(file: Path) -> bool:
    if file.suffix == ".eval":
        return True
    if file.suffix == ".json":
        with file.open("rb") as handle:
            opening = handle.read(_OPENING_BYTES)
        return bool(_OPENING.match(opening)) and all(mark in opening for mark in _MARKS)
    if not is_zip(file):
        return False
    try:
        with Archive(file) as archive:
            return HEADER in archive or START in archive
    except FormatError:
        return False


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the samples at `path`. Raise FormatError for a file that cannot be read, or a folder without logs."""
    if path.is_file():
        with closing(open_log(path)) as log:
            yield from _batches(log, options, 0.0, 1.0)
        return
    files = list(_logs(path))
    if not files:
        raise FormatError("the folder has no log of Inspect's (.eval, or .json)", path=path)
    sizes = [max(1, file.stat().st_size) for file in files]
    before, total = 0, sum(sizes)
    for file, size in zip(files, sizes, strict=True):
        try:
            with closing(open_log(file)) as log:
                yield from _batches(log, options, before / total, size / total)
        except FormatError as error:
            yield batch_of([], [Skipped(error.where, f"{error.what} {error.hint or ''}".rstrip())])
        before += size


def _batches(log: Log, options: Options, begun: float, share: float) -> Iterator[Batch]:
    """Yield the samples of one log; it is the `share` of all that is read, of which the share `begun` came before."""
    run, size = Run.of(log.path, log.header, options), max(1, log.path.stat().st_size)
    attempts: list[tuple[Rollout, Verdict | None]] = []
    skipped: list[Skipped] = []
    blobs: list[bytes] = []
    told, held, stored, is_empty = _Told(run), 0, 0, True
    while (next_one := _next(run, log, options)) is not None:
        (records, taken), is_empty = next_one, False
        stored += taken
        if isinstance(records, Skipped):
            skipped.append(records)
            continue
        attempts.append((records.rollout, records.verdict))
        skipped += records.notes
        blobs += records.blobs
        held += sum(map(len, records.blobs))
        skipped += told.of(records.graded)
        if len(attempts) >= _MOST_ROLLOUTS or held >= _MOST_BYTES:
            yield batch_of(attempts, skipped, blobs, begun + share * min(1.0, stored / size), told.choice())
            attempts, skipped, blobs, held = [], [], [], 0
    if is_empty:
        skipped.append(Skipped(str(log.path), f"holds no samples; its status is {log.header.get('status')}"))
    yield batch_of(attempts, skipped, blobs, begun + share, told.choice() if attempts else ())


def _next(run: Run, log: Log, options: Options) -> tuple[Sampled | Skipped, int] | None:
    """Return the records of the next sample, or why it has none, and what it takes in the file; None at the end.

    A sample is a tree of some ten thousand objects and no ring, which the collector would walk again and again to find
    nothing: held off meanwhile, reading takes a fifth less.
    """
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        found = next(log.samples, None)
        if found is None or isinstance(found, Skipped):
            return None if found is None else (found, 0)
        try:
            return sampled(run, found, options), found.stored_bytes
        except FormatError as error:
            return Skipped(error.where, error.what), found.stored_bytes
    finally:
        if was_collecting:
            gc.enable()


class _Told:
    """Tells once a log which of its scorers counts where nobody said, and of scores that no verdict can be made of."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.reasons: set[str] = set()

    def choice(self) -> list[str]:
        """Return which scorer counts where it is merely the first of several, the first time."""
        first, *others = self.run.choice.names or ("",)
        if not others or not self.run.choice.is_first or "" in self.reasons:
            return []
        self.reasons.add("")
        return [f"{self.run.path}: `{first}` counts, the first of its scorers, and not {', '.join(others)}; "
                f"--columns score=NAME chooses another"]  # fmt: skip

    def of(self, graded: Graded) -> Iterator[Skipped]:
        """Yield what is to be told of this score, nothing where it was told before."""
        if graded.reason not in (SEVERAL, OUT_OF_RANGE) or graded.reason in self.reasons:
            return
        self.reasons.add(graded.reason)
        why = _several(graded) if graded.reason == SEVERAL else _out_of_range(graded, self.run.choice.is_other_scale)
        yield Skipped(str(self.run.path), why)


def _several(graded: Graded) -> str:
    is_named = isinstance(graded.value, dict)
    values = ", ".join(map(str, graded.value)) if is_named else "a list"
    how = f"say which counts: --columns score={graded.scorer}/NAME" if is_named else "no single one of them counts"
    return f"`{graded.scorer}` gives several values ({values}): ungraded({SEVERAL}); {how}"


def _out_of_range(graded: Graded, is_other_scale: bool) -> str:
    if is_other_scale:
        return (f"the mean of `{graded.scorer}` lies outside [0, 1]: its numbers are no shares of what could be had, "
                f"and all of them are ungraded({OUT_OF_RANGE})")  # fmt: skip
    return (f"`{graded.scorer}` gives scores outside [0, 1] ({str(graded.value)[:40]}): ungraded({OUT_OF_RANGE}); "
            "those within are taken as they are, which is wrong where its scale is another one")  # fmt: skip
