"""Where the rollouts of `fairtrial detect` come from: ATIF files, folders of them, ledgers.

Of a ledger: rollouts of a policy that have a trajectory. Files are told from others by their first 4 KB; a file that is
named itself is read whatever it opens with.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb

from fairtrial.attack.detectors.comparing import Examined, examine
from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.formats.atif_import import task_name, trajectory_files
from fairtrial.formats.atif_pictures import with_pictures
from fairtrial.ledger import Ledger, connect, damage
from fairtrial.records import FairtrialError, InputError, LedgerError, digest

_COLUMNS = ("id", "task", "model", "suite", "task_hash", "trajectory", "outcome", "source")
_FEW = 64
"""Rollouts below which it does not pay to start processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One rollout that is to be read."""

    path: str
    """The file, or `LEDGER#ROLLOUT`."""
    task: str
    rollout: str = ""
    """Its id in a ledger."""
    model: str = ""
    suite: str = ""
    task_hash: str = ""
    outcome: str = ""
    ledger: str = ""
    blob: str = ""
    """Address of its trajectory in the ledger."""

    def trajectory(self) -> Trajectory:
        """Read it. Raise FormatError or LedgerError where it is none, OSError for a file that cannot be read."""
        if self.blob:
            return read_trajectory(Ledger.open(self.ledger).get_blob(self.blob))
        return read_trajectory(Path(self.path))


@dataclass(frozen=True, slots=True)
class Unread:
    """A rollout that could not be read: not measured."""

    path: str
    why: str


def sources_of(paths: Sequence[Path], tasks: Sequence[str] = ()) -> list[Source]:
    """Return the rollouts at `paths`, each once. Raise InputError for a path without any, or a task none has."""
    found = [one for path in paths for one in _sources(path)]
    once = list({one.path: one for one in found}.values())
    if missing := [task for task in tasks if task not in {one.task for one in once}]:
        held = ", ".join(sorted({one.task for one in once})[:9])
        raise InputError(f"no rollout of `{missing[0]}`", field="--task", hint=f"There are: {held}")
    return [one for one in once if not tasks or one.task in tasks]


def _sources(path: Path) -> list[Source]:
    if not path.exists():
        raise InputError("does not exist", path=path, hint="Name ATIF files, folders of them, or a ledger.")
    if (path / "ledger.json").is_file():
        return _of_ledger(Ledger.open(path))
    if path.is_file():
        return [Source(path=str(path), task=task_name(path))]
    files = trajectory_files(path)
    if not files:
        raise InputError("holds no ATIF file", path=path,
                         hint="Trajectories are JSON files that say `schema_version: ATIF-v…`.")  # fmt: skip
    return [Source(path=str(file), task=task_name(file)) for file in files]


def _of_ledger(ledger: Ledger) -> list[Source]:
    connection = connect(ledger)
    try:
        rows = connection.execute(
            f"select {', '.join(_COLUMNS)} from outcomes where origin = 'policy' and coalesce(trajectory, '') <> '' "
            "order by task, id"
        ).fetchall()
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()
    if not rows:
        raise InputError("holds no rollout of a policy with a trajectory", path=ledger.path,
                         hint="`fairtrial run`, and `import` of atif or harbor files, keep them.")  # fmt: skip
    return [_of_row(ledger, dict(zip(_COLUMNS, row, strict=True))) for row in rows]


def _of_row(ledger: Ledger, row: dict[str, Any]) -> Source:
    return Source(path=f"{ledger.path}#{row['id']}", task=row["task"], rollout=row["id"], model=row["model"] or "",
                  suite=row["suite"] or "", task_hash=row["task_hash"] or "", outcome=row["outcome"] or "",
                  ledger=str(ledger.path), blob=row["trajectory"])  # fmt: skip


def read_all(
    sources: Sequence[Source], workers: int, each: Callable[[], None]
) -> tuple[list[tuple[Source, Examined]], list[Unread]]:
    """Examine every source, in processes where there are many; call `each` after every one."""
    read: list[tuple[Source, Examined]] = []
    unread: list[Unread] = []
    for source, found in zip(sources, _examined(sources, workers), strict=True):
        each()
        if isinstance(found, Unread):
            unread.append(found)
        else:
            read.append((source, found))
    return read, unread


def _examined(sources: Sequence[Source], workers: int) -> Iterator[Examined | Unread]:
    count = workers or os.cpu_count() or 1
    if count == 1 or len(sources) < _FEW:
        yield from map(examined, sources)
        return
    pool = ProcessPoolExecutor(count, mp_context=get_context("forkserver"), initializer=_settle_in)
    try:
        yield from pool.map(examined, sources, chunksize=8)
    except BrokenProcessPool as error:
        raise FairtrialError("a process that read trajectories was ended from outside, and nothing is told",
                             hint="Out of memory? Ask for fewer processes with --workers.") from error  # fmt: skip
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, what waits is not begun


def _settle_in() -> None:
    """Leave Ctrl-C to the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def examined(source: Source) -> Examined | Unread:
    """Read one source and ask every rule."""
    try:
        trajectory = source.trajectory()
    except FairtrialError as error:
        return Unread(source.path, f"{error.field}: {error.what}" if error.field else error.what)
    except OSError as error:
        return Unread(source.path, f"cannot be read: {error.strerror or error}")
    return examine(trajectory, source.task, source.outcome)


def in_ledger(sources: Sequence[Source], ledger: Ledger) -> dict[str, Source]:
    """Return for each path the rollout of `ledger` that has the same trajectory; paths without one are left out."""
    held = {one.blob: one for one in _of_ledger(ledger)}
    found = {}
    for source in sources:
        address = source.blob or _address(Path(source.path))
        if address in held:
            found[source.path] = held[address]
    return found


def _address(file: Path) -> str:
    """Return the address that a trajectory has after import."""
    return digest(with_pictures(file.read_bytes(), file.parent).document)
