"""Agreement between raters on nominal labels: Cohen's kappa for two, Krippendorff's alpha for any, missing allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(table: Sequence[Sequence[int]]) -> float | None:
    """Return kappa of a square table of counts (rows one rater, columns the other); Cohen 1960.

    None where chance agreement is 1, that is where all labels are equal: kappa is undefined then. Raise ValueError for
    a table that is empty, not square or negative.

    >>> round(cohen_kappa([[60, 6], [6, 33]]), 5)
    0.75524
    """
    size = len(table)
    total = sum(map(sum, table))
    if total == 0 or any(len(row) != size or min(row) < 0 for row in table):
        raise ValueError("kappa needs a square table of counts")
    observed = sum(table[i][i] for i in range(size)) / total
    rows = [sum(row) for row in table]
    columns = [sum(row[j] for row in table) for j in range(size)]
    chance = sum(row * column for row, column in zip(rows, columns, strict=True)) / total**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def krippendorff_alpha(units: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Return nominal alpha over `units`, each the labels its raters gave, None for a missing one; Krippendorff 2004.

    alpha = 1 - (n - 1) sum_u sum_{c != k} o_uc o_uk / (m_u - 1) / sum_{c != k} n_c n_k over units with two labels or
    more. None where all labels are equal or no unit has two: undefined then.

    >>> units = [["y", "y"]] * 60 + [["y", "n"]] * 6 + [["n", "y"]] * 6 + [["n", "n"]] * 33
    >>> round(krippendorff_alpha(units), 5)
    0.75641
    """
    counts = [Counter(label for label in unit if label is not None) for unit in units]
    paired = [count for count in counts if sum(count.values()) >= 2]
    labels: Counter[Hashable] = sum(paired, Counter())
    n = sum(labels.values())
    expected = n * n - sum(count * count for count in labels.values())
    if expected == 0:
        return None
    disagreement = 0.0
    for count in paired:
        raters = sum(count.values())
        disagreement += (raters * raters - sum(c * c for c in count.values())) / (raters - 1)
    return 1 - (n - 1) * disagreement / expected
