"""Why these tests: what others find of the same training sets, and how often ours calls sets with nothing built.

Run as a script; its figures stand in docs/contamination-distribution.md.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import hypergeom, mannwhitneyu

from contamination.distribution.drawn import ITEMS, THRESHOLD, broad, families, together
from fairtrial.contamination.distribution import distribution
from fairtrial.contamination.result import Nearness
from quality.distribution_measured import gsm8k, kinds, tested

SPREAD = ("200 rewordings, one an item", "50 rewordings, one an item", "20 rewordings, one an item",
          "10 rewordings, one an item")  # fmt: skip


def best_of_each(near: Nearness, number: int) -> NDArray[np.float64]:
    best = np.zeros(number)
    np.maximum.at(best, near.item[near.item >= 0], near.score[near.item >= 0].astype(np.float64))
    return best


def share_of_near_items(best: NDArray[np.float64], items: int, threshold: float) -> float:
    """The exact test of a share at one threshold: of the items and decoys with a near row, how many are items."""
    near = best >= threshold
    return float(hypergeom.sf(near[:items].sum() - 1, len(best), items, near.sum()))


def rivals(draws: int = 20) -> None:
    """Print the median p of each test."""
    sets = gsm8k()
    items, every = len(sets.items), len(sets.items) + len(sets.decoys)
    for name, make in kinds(sets).items():
        if name not in SPREAD:
            continue
        source, found = random.Random(11), []
        for _ in range(draws):
            near = make(source)
            best = best_of_each(near, every)
            shares = tested(sets, near, None).shares
            assert shares is not None
            found.append((shares.p_value, share_of_near_items(best, items, sets.threshold),
                          float(mannwhitneyu(best[:items], best[items:], alternative="greater").pvalue)))  # fmt: skip
        ours, share, ranks = np.median(found, axis=0)
        print(f"{name:30} ours {ours:8.2g}  share at one threshold {share:8.2g}  Mann-Whitney {ranks:8.2g}")


def nulls(draws: int = 300) -> None:
    """Print how often sets are said to be built around items that were drawn with nothing built."""
    names = [f"i{number}" for number in range(ITEMS)], [f"d{number}" for number in range(ITEMS)]
    laws = {f"pull unequal, spread {spread}": (spread, 0.0) for spread in (0.2, 1.0, 4.0)}
    laws |= {f"families at {often:.0%} of all, 15 rows": (1.0, often) for often in (0.01, 0.05, 0.2)}
    for name, (spread, often) in laws.items():
        source = np.random.default_rng(1)
        calls = [_called(source, spread, often, names) for _ in range(draws)]
        whole, built, lead = (f"{float(np.mean(each)):6.1%}" for each in zip(*calls, strict=True))
        print(f"{name:34} whole {whole}  built around {built}  an item called {lead}")


def _called(source: Generator, spread: float, often: float, names: tuple[list[str], list[str]]) -> tuple[bool, ...]:
    near = together(broad(source, spread=spread), families(source, often, 15.0))
    found = distribution(near, *names, THRESHOLD)
    assert found.shares is not None
    return found.shares.p_value <= 0.05, found.shares.built_around, any(item.flagged for item in found.items)


if __name__ == "__main__":
    nulls()
    rivals()
