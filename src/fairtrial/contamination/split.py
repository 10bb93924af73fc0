"""Split rows or tasks so that near copies stay together, or check a split that was made elsewhere.

A split is refused, not written, where a group would lie on both sides. A check names the groups that do, with the pair
that is most alike across. Not covered: whether an item was seen in training by other ways (`scan`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.contamination.document import Source
from fairtrial.contamination.near_copies import NearCopies, find_vectors, near_copies
from fairtrial.contamination.sides import HELD_OUT, TRAIN, Group, Stratum, family_of, key_of, sides_of
from fairtrial.contamination.split_rows import Unit, Units
from fairtrial.records import FormatError, InputError

SCHEMA = "fairtrial.split/1"
LISTED = 200
"""Unreadable rows, chains and cuts that are listed; all are counted."""
_SAME_SIDE = {"training": TRAIN, "test": HELD_OUT, "held-out": HELD_OUT, "heldout": HELD_OUT}
"""Other people's words for the two sides; any other word, in any case, is a side of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Straddle:
    """A group that lies on more than one side."""

    ids: tuple[str, ...]
    sides: Mapping[str, int]
    """Rows of it on each side."""
    pair: tuple[str, str]
    """Of all pairs across, the one most alike."""
    likeness: float

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"ids": list(self.ids), "sides": dict(self.sides), "pair": list(self.pair),
                "likeness": round(self.likeness, 6)}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Hold the sides of all rows, the groups they are in, and what stands in the way."""

    units: tuple[Unit, ...]
    sides: tuple[str, ...]
    """`train` or `held_out` for each unit; of a split made elsewhere its own words too, empty where it has none."""
    near: NearCopies
    sources: tuple[Source, ...]
    unreadable: tuple[Any, ...]
    checked: bool
    """True: made elsewhere, and only checked."""
    share: float | None
    seed: int
    strata: tuple[Stratum, ...]
    straddling: tuple[Straddle, ...]
    notes: tuple[str, ...]

    @property
    def shortfall(self) -> int:
        """Return how many rows more (below 0: fewer) should have been held out."""
        return sum(one.wanted - one.held_out for one in self.strata)

    @property
    def is_split(self) -> bool:
        """Return whether both sides hold something."""
        return len({side for side in self.sides if side}) > 1

    def ids(self, side: str) -> list[str]:
        """Return the ids on a side, in the order of the rows."""
        return [unit.id for unit, where in zip(self.units, self.sides, strict=True) if where == side]

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        groups = [[self.units[n].id for n in group] for group in self.near.groups if len(group) > 1]
        return {
            "schema": SCHEMA,
            "rows": len(self.units),
            "unreadable_rows": len(self.unreadable),
            "groups": sorted(groups, key=lambda ids: (-len(ids), ids)),
            "singletons": sum(len(group) == 1 for group in self.near.groups),
            "train": self.ids(TRAIN),
            "held_out": self.ids(HELD_OUT),
            "other_sides": dict(Counter(side for side in self.sides if side not in (TRAIN, HELD_OUT))),
            "checked": self.checked,
            "held_out_share": {"wanted": self.share, "reached": len(self.ids(HELD_OUT)) / len(self.units)},
            "shortfall_rows": self.shortfall if not self.checked else None,
            "families": [
                {"family": one.family, "rows": one.rows, "wanted": one.wanted, "held_out": one.held_out}
                for one in self.strata
            ],
            "straddling": [one.document() for one in self.straddling],
            "chains": [
                {"ids": [self.units[n].id for n in one.members], "centre": self.units[one.centre].id,
                 "weakest": round(one.weakest, 6), "distinct": one.distinct}
                for one in self.near.chains[:LISTED]
            ],
            "cut": [
                {"rows": len(one.members), "parts": one.parts, "threshold": round(one.threshold, 6),
                 "links_cut": one.links}
                for one in self.near.cut[:LISTED]
            ],
            "threshold": self.near.threshold,
            "seed": self.seed,
            "not_measured": list(self.near.not_measured),
            "notes": list(self.notes),
            "unreadable": [{"path": one.path, "line": one.line, "why": one.why} for one in self.unreadable[:LISTED]],
            "inputs": [source.document() for source in self.sources],
        }  # fmt: skip


def split(read: Units, share: float, seed: int = 0, threshold: float | None = None, vectors: bool = True) -> Split:
    """Split what was read; `share` of the rows are to be held out. Raise InputError where a group would straddle."""
    near = _near(read, threshold, vectors)
    groups = [
        Group(key_of([read.units[n].text for n in group]), len(group), family_of([read.units[n].family for n in group]))
        for group in near.groups
    ]
    found, strata = sides_of(groups, share, seed)
    sides = [""] * len(read.units)
    for group, side in zip(near.groups, found, strict=True):
        for number in group:
            sides[number] = side
    if straddling(read.units, sides, near):
        raise InputError("a group of near copies would lie on both sides; nothing was written")
    return Split(
        units=read.units, sides=tuple(sides), near=near, sources=read.sources, unreadable=read.unreadable,
        checked=False, share=share, seed=seed, strata=tuple(strata), straddling=(),
        notes=tuple(_notes(read, near, groups)),
    )  # fmt: skip


def check(
    read: Units, sides: Sequence[str], notes: Sequence[str] = (), threshold: float | None = None, vectors: bool = True
) -> Split:
    """Check a split made elsewhere: `sides` says where each unit is, empty where it is on none."""
    near = _near(read, threshold, vectors)
    ours = [_side(side) for side in sides]
    return Split(
        units=read.units, sides=tuple(ours), near=near, sources=read.sources, unreadable=read.unreadable,
        checked=True, share=None, seed=0, strata=(), straddling=straddling(read.units, ours, near),
        notes=(*notes, *_notes(read, near, ())),
    )  # fmt: skip


def _side(word: str) -> str:
    """Return a side by our word.

    >>> _side("Train"), _side(" TEST "), _side("Validation")
    ('train', 'held_out', 'validation')
    """
    plain = word.strip().lower()
    return _SAME_SIDE.get(plain, plain)


def straddling(units: Sequence[Unit], sides: Sequence[str], near: NearCopies) -> tuple[Straddle, ...]:
    """Return the groups on more than one side, the most alike first."""
    found = []
    for group in near.groups:
        by_side: dict[str, list[int]] = defaultdict(list)
        for number in group:
            if sides[number]:
                by_side[sides[number]].append(number)
        if len(by_side) < 2:
            continue
        best = max((near.nearest_pair(by_side[a], by_side[b]) for a in by_side for b in by_side if a < b),
                   key=lambda each: each[2])  # fmt: skip
        found.append(Straddle(ids=tuple(units[n].id for n in group),
                              sides={side: len(by_side[side]) for side in sorted(by_side)},
                              pair=(units[best[0]].id, units[best[1]].id), likeness=best[2]))  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-round(one.likeness, 9), one.ids)))


def sides_in(read: Units, path: Path) -> tuple[list[str], list[str]]:
    """Return the side of each unit by a document of ours at `path`, and what does not fit.

    Raise FormatError where it is no such document, InputError where it names none of the units.
    """
    try:
        document = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path, field="--check") from error
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    named: dict[str, str] = {}
    found = {_side(name): ids for name, ids in document.items()} if isinstance(document, dict) else {}
    for side in (TRAIN, HELD_OUT):
        ids = found.get(side)
        if not isinstance(ids, list):
            raise FormatError("is no list of ids", path=path, field=side,
                              hint="A split is an object with `train` and `held_out`.")  # fmt: skip
        for one in map(str, ids):
            if named.setdefault(one, side) != side:
                raise FormatError(f"`{one}` is on both sides", path=path, field=side)
    sides = [named.get(unit.id, "") for unit in read.units]
    if not any(sides):
        raise InputError("names none of the rows", path=path, field="--check",
                         hint="Its ids are those of other rows.")  # fmt: skip
    notes = []
    if missing := sides.count(""):
        notes.append(f"rows on no side of {path}, which were not checked: {missing:,}")
    if unknown := len(set(named) - {unit.id for unit in read.units}):
        notes.append(f"ids of {path} that no row has: {unknown:,}")
    return sides, notes


def _near(read: Units, threshold: float | None, vectors: bool) -> NearCopies:
    if threshold is not None and not (math.isfinite(threshold) and 0 < threshold <= 1):
        raise InputError("a likeness lies above 0 and not above 1", field="--threshold")
    return near_copies([unit.text for unit in read.units], find_vectors() if vectors else None, threshold)


def _notes(read: Units, near: NearCopies, groups: Sequence[Group]) -> list[str]:
    notes = []
    if read.unreadable:
        notes.append(f"rows that could not be read, which are on no side: {len(read.unreadable):,}")
    if read.renamed:
        notes.append(f"rows whose id another has, named with their place as well: {read.renamed:,}")
    if near.boilerplate:
        notes.append(f"sentences that a fifth of the rows share, which were not compared: {near.boilerplate:,}")
    mixed = sum(len({read.units[n].family for n in group}) > 1 for group in near.groups)
    if groups and mixed:
        notes.append(f"groups of more than one family, each counted for that of most of its rows: {mixed:,}")
    return notes
