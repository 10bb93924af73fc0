"""A scan's work as jobs for an engine of many machines: pieces of the training files, and chunks of rows.

What every job needs, the index or the prepared items, is a file that travels to each machine once. Results are put in
order here, so that they are those of one machine. Training files do not travel: every machine must see them under the
same path. Not covered: the work itself (`ngrams_piece`, `reworded`).
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from fairtrial.contamination.index import ItemIndex
from fairtrial.contamination.ngrams_piece import PieceScan, Scanned
from fairtrial.contamination.reading import Piece
from fairtrial.records import SandboxError
from fairtrial.run import Engine, Lost

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class PieceJob:
    """Scan one piece for shared 5-grams."""

    index: Path
    """Pickle of the item index."""
    piece: Piece
    number: int

    def carries(self) -> tuple[Path, ...]:
        """Return the index."""
        return (self.index,)

    def variables(self) -> tuple[str, ...]:
        """Return no variable: it reads none."""
        return ()

    def why_not_here(self) -> str:
        """Return what is lacking where the training file is not to be seen."""
        return _unseen(self.piece.path)

    def __call__(self) -> tuple[Scanned, bytes]:
        """Return what the piece came to, and the pairs that a scan here would have left in the scratch folder."""
        with tempfile.TemporaryDirectory(prefix="fairtrial-piece-") as folder:
            scan = _scan_of(self.index)
            scan.scratch = Path(folder)
            found = scan.scan(self.piece, self.number)
            return replace(found, spool=None), b"" if found.spool is None else found.spool.read_bytes()


@lru_cache(maxsize=2)
def _scan_of(index: Path) -> PieceScan:
    """Return a scan with the index, made once a process and index (training set, control)."""
    with index.open("rb") as stream:
        read: ItemIndex = pickle.load(stream)
    return PieceScan(read, index.parent, far=True)


def _unseen(path: Path) -> str:
    return "" if path.exists() else f"the file {path} is not there: training files must be on storage that all see"


def left(value: Any, folder: Path, name: str) -> Path:
    """Write `value` to a file for jobs, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with path.open("wb") as stream:
        pickle.dump(value, stream, protocol=pickle.HIGHEST_PROTOCOL)
    return path


def in_order(engine: Engine, jobs: Iterable[Callable[[], Result]]) -> Iterator[Result]:
    """Yield the jobs' results in the order of the jobs. Raise SandboxError for one that was lost."""
    waiting: dict[int, Result] = {}
    wanted = 0
    for ended in engine.map(jobs):
        if isinstance(ended, Lost):
            raise SandboxError(f"a part of the scan was lost: {ended.why}", hint="Nothing is said of a part scan.")
        waiting[ended.index] = ended.value
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1


def scanned_far(engine: Engine, pieces: Iterable[Piece], index: ItemIndex, scratch: Path) -> Iterator[Scanned]:
    """Yield what each piece came to, in order, its pairs in `scratch`."""
    place = left(index, scratch, "index.pickle")
    jobs = (PieceJob(place, piece, number) for number, piece in enumerate(pieces))
    for number, (found, pairs) in enumerate(in_order(engine, jobs)):
        if pairs:
            found.spool = scratch / f"pairs-{number}"
            found.spool.write_bytes(pairs)
        yield found
