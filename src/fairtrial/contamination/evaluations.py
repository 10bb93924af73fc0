"""Which evaluation set leaked: items and flagged rows, set by set, where several are scanned against at once.

A set is a file of rows or a folder of tasks. Not covered: the parts of one file that call themselves different sets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fairtrial.contamination.document import EvaluationFigure, FlaggedPair, Source
from fairtrial.contamination.rows import Row


def evaluations(
    sources: Sequence[Source], items: Iterable[Row], pairs: Iterable[FlaggedPair]
) -> tuple[EvaluationFigure, ...]:
    """Return the figures of each evaluation set, in the order given."""
    known = [source.path for source in sources]
    set_of = {row.id: _set_of(row.path, known) for row in items}
    held: dict[str, int] = defaultdict(int)
    for path in set_of.values():
        held[path] += 1
    flagged: dict[str, set[str]] = defaultdict(set)
    rows: dict[str, set[int]] = defaultdict(set)
    for pair in pairs:
        path = set_of[pair.flag.item_id]
        flagged[path].add(pair.flag.item_id)
        rows[path].add(pair.flag.train_row)
    return tuple(
        EvaluationFigure(path=path, items=held[path], flagged_items=len(flagged[path]), flagged_rows=len(rows[path]))
        for path in known
    )


def _set_of(path: str, sources: Sequence[str]) -> str:
    """Return the source that a row of `path` is of: the file itself, or the innermost folder of tasks above it."""
    return max(_above(path, sources), key=len, default=path)


def _above(path: str, sources: Sequence[str]) -> Iterator[str]:
    above = {path, *(str(folder) for folder in Path(path).parents)}
    return (source for source in sources if source in above)
