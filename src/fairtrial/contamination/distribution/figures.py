"""Is a training set built around particular items? Every test of it, from the nearest item of each training row.

Items and decoys are searched together, so that each row lies near one of them. Two rankings of items and decoys are
tested for eval items at their top: by the best row of each, which finds rewordings spread one an item, and by the rows
that each draws among the nearest tenth, which finds many that are each not very near. The smaller p, doubled, is that
of the whole. Item by item, `concentration` asks for more rows than decoys draw.

An item called alone is a lead and does not make the set one that is built around items: where natural families of near
copies are rare, one more often than not has none among its decoys, and no test by decoys can tell it from clones. Only
one that outdraws all decoys together, by a hundred rows or more, speaks for the whole (`dominant`).

Training on what a benchmark is about, however much, moves items and decoys alike, and stays clean. What is found is a
pattern, a lead: it does not say who made it or why. Abstains where the decoys are missing, few, or unlike the items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.distribution.concentration import (
    CALLED,
    Concentration,
    concentration,
    dominant,
    low_bar,
)
from fairtrial.contamination.distribution.decoys import Decoys
from fairtrial.contamination.distribution.effects import effects
from fairtrial.contamination.distribution.enrichment import Enrichment, enrichment
from fairtrial.contamination.document import ItemFigure, Shares
from fairtrial.contamination.result import Nearness

FEWEST = 20
"""Decoys below which nothing is tested: no law can be fitted to fewer counts."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """What the nearest items of a training set's rows come to."""

    items: tuple[ItemFigure, ...]
    """Every item that drew a row near, most first; `q_value` and `expected` None where decoys could not be asked."""
    shares: Shares | None
    """None where nothing could be tested."""
    abstained: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return the JSON object: items, distribution, abstained."""
        return {
            "items": [item.document() for item in self.items],
            "distribution": None if self.shares is None else self.shares.document(),
            "abstained": list(self.abstained),
        }


def distribution(
    near: Nearness,
    eval_ids: Sequence[str],
    decoy_ids: Sequence[str],
    threshold: float,
    decoys: Decoys | None = None,
    level: float = CALLED,
) -> Distribution:
    """Return the tests of a training set whose rows' nearest item is `near`.

    Items are numbered as `eval_ids` followed by `decoy_ids`; a row is near where its score is above `threshold`.
    `decoys`, made by `compare_decoys` of the same items and decoys, says which are too alike to tell apart (they are
    searched for and counted, and left out of the tests) and whether decoys are like the items at all. `level` is how
    often the whole, and the share of items that, may be called in error.
    """
    n, m = len(eval_ids), len(decoy_ids)
    item, score = near.item.astype(np.int64), near.score.astype(np.float64)
    counts = np.bincount(item[(item >= 0) & (score > threshold)], minlength=n + m)
    why = _why_not(n, m, decoys)
    if why:
        return Distribution(items=_plain(counts[:n], eval_ids), shares=None, abstained=why)
    kept = np.ones(n + m, dtype=bool)
    said: tuple[str, ...] = ()
    if decoys is not None and decoys.twins:
        kept[[twin.item for twin in decoys.twins]] = False
        kept[[n + twin.decoy for twin in decoys.twins]] = False
        said = (decoys.said,)
    if kept[:n].sum() == 0 or kept[n:].sum() < FEWEST:
        return Distribution(
            items=_plain(counts[:n], eval_ids), shares=None, abstained=(*said, _few(int(kept[n:].sum())))
        )
    item, numbers = _renumbered(item, kept)
    ours, theirs = int(kept[:n].sum()), int(kept[n:].sum())
    units = _drawn_as_one(numbers, decoys)
    families = len(set(units[ours:].tolist()))
    if families < FEWEST:
        return Distribution(
            items=_plain(counts[:n], eval_ids),
            shares=None,
            abstained=(*said, _few(families, ", near copies counted once,")),
        )
    each = concentration(item, score, ours, theirs, threshold)
    q_values: list[float | None] = [None] * n
    for place, number in enumerate(numbers[:ours]):
        q_values[number] = float(each.q_values[place])
    return Distribution(
        items=_figures(counts[:n], eval_ids, q_values, each.expected, level),
        shares=_shares(item, score, counts[kept], each, units, level),
        abstained=said,
    )


def _why_not(items: int, decoys: int, fit: Decoys | None) -> tuple[str, ...]:
    if decoys == 0:
        return ("distribution: no decoys were given. Held-out items of the same source, as many as there are items, "
                "would show what items draw by themselves (--decoys)",)  # fmt: skip
    if decoys < FEWEST or items == 0:
        return (_few(decoys),)
    return () if fit is None else fit.unlike


def _few(decoys: int, counted_by: str = "") -> str:
    named = (
        f"1 decoy{counted_by} to compare with is" if decoys == 1 else f"{decoys} decoys{counted_by} to compare with are"
    )
    return f"distribution: {named} too few to say what items draw; {FEWEST} are the least"


def _renumbered(item: Integers, kept: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """Return items with those left out as -1 and the rest closed up, and the old number of each new one."""
    numbers = np.flatnonzero(kept)
    new = np.full(len(kept) + 1, -1, dtype=np.int64)
    new[numbers] = np.arange(len(numbers))
    return new[item], numbers


def _drawn_as_one(numbers: Integers, decoys: Decoys | None) -> Integers:
    """Return the unit of each item and decoy that is tested: a family of near copies is one, by its first member."""
    units = np.arange(numbers.max() + 1)
    for family in decoys.kin if decoys is not None else ():
        members = [number for number in family if number < len(units)]  # past the last are only those left out
        units[members] = family[0]
    return np.unique(units[numbers], return_inverse=True)[1].astype(np.int64)


def _shares(
    item: Integers, score: Floats, counts: Integers, each: Concentration, units: Integers, level: float
) -> Shares:
    items = len(each.q_values)
    n_units, eval_units = int(units.max()) + 1, int(units[:items].max()) + 1
    best, drawn = _rankings(np.where(item < 0, -1, units[item]), score, n_units)
    is_eval = np.arange(n_units) < eval_units
    by_best, by_rows = enrichment(best, is_eval), enrichment(drawn, is_eval)
    p_value = min(1.0, 2 * min(by_best.p_value, by_rows.p_value))
    sizes = effects(counts[:items], counts[items:])
    outdraw = dominant(counts, items) & (each.q_values <= level)
    return Shares(
        eval_near=int(counts[:items].sum()),
        decoy_near=int(counts[items:].sum()),
        p_value=p_value,
        level=level,
        built_around=p_value <= level or bool(outdraw.any()),
        effects={
            "eval_items": items,
            "decoys": len(counts) - items,
            "eval_families": eval_units,
            "decoy_families": n_units - eval_units,
            "share": sizes.share.document() | {"expected": sizes.expected_share},
            "excess_rows": sizes.excess_rows.document(),
            "by_best_row": _document(by_best),
            "by_rows_drawn": _document(by_rows),
            "items_called": int((each.q_values <= level).sum()),
            "items_dominant": int(outdraw.sum()),
            "decoys_called": each.decoys_called,
            "expected_near_rows": each.expected,
            "spread": each.spread,
            "inflation": each.inflation,
            "method": "minimum hypergeometric over two rankings, Bonferroni; items: negative binomial by the decoys, "
            "Benjamini-Hochberg, target-decoy; called items alone are leads",
        },
    )


def _rankings(item: Integers, score: Floats, number: int) -> tuple[Floats, Floats]:
    """Return, of each item and decoy, the score of its best row and its rows among the nearest tenth of all."""
    looked_at = item >= 0
    best, drawn = np.zeros(number), np.zeros(number)
    if looked_at.any():
        np.maximum.at(best, item[looked_at], score[looked_at])
        among = looked_at & (score >= low_bar(item, score))
        drawn = np.bincount(item[among], minlength=number).astype(np.float64)
    return best, drawn


def _document(found: Enrichment) -> dict[str, Any]:
    return {
        "p_value": found.p_value, "above": found.depth, "eval_above": found.eval_above,
        "expected": round(found.expected, 6), "cut": round(found.cut, 6),
    }  # fmt: skip


def _plain(counts: Integers, ids: Sequence[str]) -> tuple[ItemFigure, ...]:
    return _figures(counts, ids, [None] * len(ids), None, CALLED)


def _figures(
    counts: Integers, ids: Sequence[str], q_values: Sequence[float | None], expected: float | None, level: float
) -> tuple[ItemFigure, ...]:
    """Return the items that drew rows, most first; ties as they were given."""
    drew = [number for number in np.argsort(-counts, kind="stable").tolist() if counts[number]]
    return tuple(
        ItemFigure(
            item_id=ids[number],
            near_rows=int(counts[number]),
            expected=expected,
            q_value=q_values[number],
            flagged=q_values[number] is not None and q_values[number] <= level,
        )
        for number in drew
    )
