"""Which training rows the judge is shown: flagged ones, spread over items and each with its item, and random ones.

Random rows tell what is a property of the whole set. The same seed shows the same rows. Keys in them are masked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fairtrial.contamination.conduct.masking import masked
from fairtrial.contamination.document import FlaggedPair, Scan
from fairtrial.contamination.inputs import read_items
from fairtrial.contamination.rows import Row, read_rows
from fairtrial.rules.exhibits import OVERVIEW, Exhibit, exhibit

MOST_PAIRS = 20
MOST_RANDOM = 10
FIRST_PAIRS = 10
"""Pairs that stand before the random rows: where there is no room for all, neither kind is left out whole."""
_SOUGHT = 80


def rows_shown(found: Scan, train: Sequence[Path], against: Sequence[Path], *, seed: int) -> list[Exhibit]:
    """Return rows of the training set, and the items that they were flagged with."""
    pairs = _spread(found.flagged)
    flagged, drawn = _read(train, {(pair.path, pair.line) for pair in pairs}, seed)
    items = {row.id: row for row in read_items(against, "--against").rows} if pairs else {}
    shown: list[Exhibit] = []
    named: dict[str, int] = {}
    for pair in pairs:
        row = flagged.get((pair.path, pair.line))
        if row is None:
            continue
        flag = pair.flag
        is_first = flag.item_id not in named
        number = named.setdefault(flag.item_id, len(named) + 1)
        title = f"flagged with item {number}: {flag.detector}, score {flag.score:.3f}"
        shown.append(_masked(exhibit(f"training row {flag.train_row}", row.text, title, _at(row, pair))))
        item = items.get(flag.item_id)
        if item is not None and is_first:
            shown.append(exhibit(f"item {number}", item.text, f"{flag.item_id} of the evaluation set"))
    by_chance = [_masked(exhibit(f"random row {number}", row.text)) for number, row in drawn]
    overview = _overview(found, len(flagged), len(drawn))
    return [overview, *shown[: 2 * FIRST_PAIRS], *by_chance, *shown[2 * FIRST_PAIRS :]]


def _masked(shown: Exhibit) -> Exhibit:
    """Return a row without its keys: the judge may be a model of somebody else's."""
    return replace(shown, text=masked(shown.text))


def _overview(found: Scan, flagged: int, drawn: int) -> Exhibit:
    """Say how much of the set is picked out: ten rows say little of a hundred thousand."""
    said = (f"{flagged:,} of {found.flagged_rows:,} flagged rows, each with its item, and {drawn:,} rows drawn at "
            f"random from the other {found.train_rows - flagged:,}. No other row is shown.")  # fmt: skip
    return exhibit(OVERVIEW, said, "of the rows that are shown")


def _spread(pairs: Sequence[FlaggedPair]) -> list[FlaggedPair]:
    """Return pairs of as many items as possible, the best of each item first; every row once."""
    rounds: dict[str, int] = {}
    rows: set[int] = set()
    ordered: list[tuple[int, int, FlaggedPair]] = []
    for at, pair in enumerate(pairs):
        if pair.flag.train_row in rows:
            continue
        rows.add(pair.flag.train_row)
        rounds[pair.flag.item_id] = rounds.get(pair.flag.item_id, 0) + 1
        ordered.append((rounds[pair.flag.item_id], at, pair))
    return [pair for _, _, pair in sorted(ordered, key=lambda one: one[:2])][:MOST_PAIRS]


def _read(
    train: Sequence[Path], wanted: set[tuple[str, int]], seed: int
) -> tuple[dict[tuple[str, int], Row], list[tuple[int, Row]]]:
    """Return the wanted rows, and rows drawn at random from the others with their numbers, in one reading."""
    draw = random.Random(seed)
    found: dict[tuple[str, int], Row] = {}
    drawn: list[tuple[int, Row]] = []
    seen = 0
    for number, row in enumerate(_readable(train)):
        if (row.path, row.line) in wanted:
            found[row.path, row.line] = row
            continue
        seen += 1
        if len(drawn) < MOST_RANDOM:
            drawn.append((number, row))
        elif (at := draw.randrange(seen)) < MOST_RANDOM:
            drawn[at] = (number, row)
    return found, sorted(drawn, key=lambda one: one[0])


def _readable(paths: Sequence[Path]) -> Iterator[Row]:
    return (row for row in read_rows(paths) if isinstance(row, Row))


def _at(row: Row, pair: FlaggedPair) -> int:
    """Return where the passage stands in the text of the row."""
    return max(0, row.text.find(pair.train.text[:_SOUGHT])) if pair.train is not None else 0
