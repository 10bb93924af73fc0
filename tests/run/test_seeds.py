"""The seed of an attempt depends on run, task and attempt, and on nothing else."""

from __future__ import annotations

from fairtrial.run import attempt_seed


def test_seeds_differ_where_anything_differs() -> None:
    seeds = {attempt_seed(s, t, a) for s in range(3) for t in ("a", "b") for a in range(8)}
    assert len(seeds) == 3 * 2 * 8


def test_seeds_never_change_between_versions() -> None:
    assert attempt_seed(7, "refund", 3) == 194499112
