"""Distinct (n, c) cells of one model, and their bootstrap over clusters of tasks.

All of pass@k, pass^k and gradient depends on how many tasks have n graded attempts and c passes. Where every task is
a cluster of its own, resampling clusters is a multinomial over the cells, so a million rollouts cost what a few
hundred do. Clusters with the same tally of cells are one type and are resampled likewise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts of one model, a task each. Arrays of one length, tasks without a graded attempt left out."""

    n: Integers
    c: Integers
    cluster: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTable:
    """The distinct (n, c), how many tasks each has, and which cluster types they make up."""

    n: Integers
    c: Integers
    tasks: Integers
    cell_of_task: Integers
    types: Floats | None
    """Tasks of each cell in one cluster of each type: (cluster types, cells). None: each cell is a type of one task."""
    clusters: Integers
    """How many clusters are of each type."""

    def effective_clusters(self, included: Floats) -> Floats:
        """Return T^2 / sum size^2 over clusters, for each column of `included` (cells, columns), which is 0 or 1.

        It is the number of clusters where they are equally large; 1 at least.
        """
        sizes = included if self.types is None else self.types @ included
        tasks = self.clusters @ sizes
        return np.maximum(1.0, tasks**2 / np.maximum(self.clusters @ sizes**2, 1.0))

    def resampled(self, replicates: int, generator: np.random.Generator) -> Floats:
        """Return tasks of each cell in each bootstrap replicate over clusters: (replicates, cells)."""
        total = int(self.clusters.sum())
        drawn = generator.multinomial(total, self.clusters / total, size=replicates).astype(np.float64)
        return drawn if self.types is None else drawn @ self.types


def cell_table(tally: Tally) -> CellTable:
    """Return the distinct cells and cluster types of `tally`, in ascending (n, c)."""
    code = tally.n * (int(tally.c.max(initial=0)) + 1) + tally.c
    _, first, cell = np.unique(code, return_index=True, return_inverse=True)
    _, cluster = np.unique(tally.cluster, return_inverse=True)
    cells = len(first)
    types: Floats | None = None
    if int(cluster.max(initial=-1)) + 1 == len(cluster):  # every task a cluster of its own
        clusters = np.bincount(cell, minlength=cells)
    else:
        types, clusters = _cluster_types(cluster, cell, cells)
    return CellTable(n=tally.n[first], c=tally.c[first], tasks=np.bincount(cell, minlength=cells), cell_of_task=cell,
                     types=types, clusters=clusters)  # fmt: skip


def _cluster_types(cluster: Integers, cell: Integers, cells: int) -> tuple[Floats, Integers]:
    """Return the distinct tallies of cells among clusters, and how many clusters have each."""
    order = np.lexsort((cell, cluster))
    starts = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    members = np.split(cell[order], starts[1:])
    found: dict[bytes, int] = {}
    kind = [found.setdefault(part.tobytes(), len(found)) for part in members]
    types = np.zeros((len(found), cells))
    for key, row in found.items():
        types[row] = np.bincount(np.frombuffer(key, dtype=cell.dtype), minlength=cells)
    return types, np.bincount(kind)
