"""Comparisons and checkpoints written out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairtrial.records import Checkpoint, Estimate
from fairtrial.train.lift import Lift, SeedGain
from fairtrial.train.lift.arms import Counts, Pair


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=60, ungraded=1, method="stated by hand")


def a_lift(**changed: Any) -> Lift:
    fields: dict[str, Any] = {
        "base": "base", "trained": "sorter", "held_out_tasks": 60, "runs_per_task": (8, 8),
        "base_rate": estimate(0.2, 0.1, 0.3), "trained_rate": estimate(0.6, 0.5, 0.7),
        "gain": estimate(0.4, 0.2, 0.6), "failures_fixed": 0.5, "gross_fixes": 0.42, "regressions": 0.02,
        "by_family": (),
        "by_seed": tuple(SeedGain(seed=seed, base=0.2, trained=0.6, gain=estimate(0.4, 0.3, 0.5)) for seed in (0, 1)),
        "seeds": 2, "beyond_noise": True, "reading": "gain", "strict": None, "curves": None, "degenerate": "",
        "exploratory": False, "base_tokens": estimate(20.0, 15.0, 30.0), "trained_tokens": estimate(8.0, 7.0, 9.0),
    }  # fmt: skip
    return Lift(**(fields | changed))


def checkpoint(seed: int = 0, **changed: Any) -> Checkpoint:
    fields: dict[str, Any] = {
        "model": "sorter", "step": 100, "recipe": "sha256:r", "stage": "grpo", "base": "base",
        "base_hash": "sha256:base", "weights_hash": f"sha256:w{seed}", "tasks": 200, "input_tokens": 1_000_000,
        "output_tokens": 3_000_000, "cost_usd": 2.0,
    }  # fmt: skip
    return Checkpoint(seed=seed, **(fields | changed))


def counts(passed: list[list[int]], runs: int = 8, tokens: int = 10) -> Counts:
    table = np.array(passed, dtype=np.int64)
    graded = np.full_like(table, runs)
    none = np.zeros_like(table)
    return Counts(passed=table, graded=graded, ungraded=none, limit_passed=none, told=graded, tokens=graded * tokens)


def a_pair(base: Counts, trained: Counts, family: tuple[str, ...]) -> Pair:
    seeds, tasks = base.passed.shape
    return Pair(base=base, trained=trained, seeds=tuple(range(seeds)), base_seeds=seeds, trained_seeds=seeds,
                tasks=tuple(f"t{i}" for i in range(tasks)), cluster=np.arange(tasks), family=family, left_out=(),
                ungraded_bounds=None)  # fmt: skip
