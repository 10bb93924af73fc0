"""A control that can be trusted: its rows that hold items word for word are set aside, and the rest is what is used.

A control that holds the items would teach that leaks are ordinary: it would raise the threshold of reworded rows, and
5-grams that it holds are not counted. Only rows that hold nearly all of an item are set aside, for what shares less
may be the boilerplate that a control is there to show. Rewordings in a control cannot be told from what it should
hold; the rows nearest to items are named instead (`gaps`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fairtrial.contamination import ngrams
from fairtrial.contamination.cleaned import copy_but
from fairtrial.contamination.inputs import Items, files_of, holds_tasks
from fairtrial.contamination.rows import Row
from fairtrial.records import InputError
from fairtrial.run import Engine

HELD = 0.8
"""Share of an item's text from which on a control row holds it."""


@dataclass(frozen=True, slots=True)
class Controlled:
    """The control that is used."""

    rows: tuple[Row, ...]
    files: tuple[Path, ...]
    """Files that hold these rows; copies, where rows were set aside, which are there only as long as the context."""
    set_aside: tuple[tuple[str, str], ...]
    """(control row, item) of each row that holds an item."""


@contextmanager
def controlled(
    paths: Sequence[Path], control: Items, items: Sequence[Row], workers: int, engine: Engine | None = None
) -> Iterator[Controlled]:
    """Yield the control at `paths` (read as `control`) without rows that hold items.

    Raise InputError where nothing is left of it.
    """
    if any(path.is_dir() and holds_tasks(path) for path in paths):  # tasks are no rows of a file: nothing to scan
        yield Controlled(control.rows, (), ())
        return
    files = files_of(paths, "--control").paths
    hits = [hit for hit in ngrams.scan(files, items, workers=workers, engine=engine).hits if hit.score >= HELD]
    if not hits:
        yield Controlled(control.rows, files, ())
        return
    holding = {hit.train_row for hit in hits}
    kept = tuple(row for number, row in enumerate(control.rows) if number not in holding)
    if not kept:
        raise InputError("every row of the control holds an item", path=paths[0], field="--control",
                         hint="A control is of the kind of the training set and known to hold no item.")  # fmt: skip
    lines: dict[str, set[int]] = defaultdict(set)
    for number in holding:
        lines[control.rows[number].path].add(control.rows[number].line)
    named = {hit.train_row: (control.rows[hit.train_row].id, hit.item_id) for hit in hits}
    with TemporaryDirectory(prefix="fairtrial-control-") as folder:
        copies = []
        for number, file in enumerate(files):
            copies.append(Path(folder) / f"{number}-{file.name}")
            copy_but(file, copies[-1], frozenset(lines[str(file)]))
        yield Controlled(kept, tuple(copies), tuple(named.values()))
