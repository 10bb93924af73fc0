"""Ranks within a group: ties share the mean of the ranks that they take up, so no order of the input matters.

Not covered: whether a difference is more than noise; two values that differ at all are told apart.
"""

from __future__ import annotations

from collections.abc import Sequence


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, 1 for the highest; ties get the mean of their ranks.

    >>> ranks([7.0, 9.0, 7.0])
    [2.5, 1.0, 2.5]
    """
    order = sorted(range(len(values)), key=lambda index: -values[index])
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for index in order[start:end]:
            found[index] = (start + 1 + end) / 2
        start = end
    return found


def shares(values: Sequence[float]) -> list[float]:
    """Return for each value the share of the others that it beats, a tie counting half: best 1, last 0, alone 1.

    >>> shares([7.0, 9.0, 7.0]), shares([3.0])
    ([0.25, 1.0, 0.25], [1.0])
    """
    if len(values) < 2:
        return [1.0] * len(values)
    return [(len(values) - rank) / (len(values) - 1) for rank in ranks(values)]
