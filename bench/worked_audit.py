"""The figures of docs/worked-audit.md: what samples, and judges with errors, make of verdicts whose truth is known.

    python bench/worked_audit.py REGRADE.jsonl

REGRADE.jsonl has one rollout a line: `task_id`, `trial`, `logged_reward` (the verdict) and `replay_reward_corrected`
(the truth), as replayed from tau-bench airline, gpt-4o, against the end states that tau2-bench corrected. Seeds are
0 to SEEDS - 1. Not covered: people, whose labels here are the truth.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fairtrial.audit.estimating import Material, Options, estimate
from fairtrial.audit.sampling import Design, Unit, draw
from fairtrial.records import Estimate, Review

SEEDS = 200
JUDGES = ((1.0, 1.0), (0.9, 0.9), (0.7, 0.9), (0.9, 0.7), (0.5, 0.5))
"""(share of satisfying work that the judge calls so, share of other work that it calls so)."""


def read(path: Path) -> tuple[list[Unit], dict[str, bool]]:
    """Return the rollouts, and by id whether the work truly satisfies."""
    units, truth = [], {}
    for row in map(json.loads, path.read_text().splitlines()):
        one = Unit(rollout=f"{row['task_id']}-{row['trial']}", task=str(row["task_id"]), model="gpt-4o",
                   attempt=row["trial"], outcome="passed" if row["logged_reward"] == 1.0 else "failed")  # fmt: skip
        units.append(one)
        truth[one.rollout] = row["replay_reward_corrected"] == 1.0
    return units, truth


def told(rates: Sequence[Estimate], truth: float) -> str:
    """Return how estimates over seeds stand to the truth: how many cover, their middle half, median width."""
    known = [rate for rate in rates if rate.value is not None]
    covered = sum(rate.low <= truth <= rate.high for rate in known)
    low, middle, high = statistics.quantiles([rate.value for rate in known], n=4)
    width = statistics.median(rate.high - rate.low for rate in known)
    return (f"{covered:3d} of {len(known)} cover; value {middle:.3f} (half within {low:.3f}-{high:.3f}); "
            f"median width {width:.3f}")  # fmt: skip


def by_people(units: list[Unit], truth: dict[str, bool]) -> None:
    """Print what samples read by people give."""
    for n in (40, 60, 100):
        for finite in (False, True):
            found = []
            for seed in range(SEEDS):
                sample = draw(units, Design(n=n, seed=seed)).sample
                reviews = [
                    Review(rollout=row.rollout, reviewer="ada", satisfied=truth[row.rollout]) for row in sample.rows
                ]
                found.append(estimate(Material(units=units, reviews=reviews, sample=sample), Options(finite=finite)))
            label = f"n {n:3d}, {'finite' if finite else 'superpopulation'}"
            print(f"{label:24s} false pass: {told([f.false_pass_rate for f in found], 16 / 84)}")
            print(f"{'':24s} false fail: {told([f.false_fail_rate for f in found], 7 / 116)}")


def by_judges(units: list[Unit], truth: dict[str, bool]) -> None:
    """Print what a judge of all 200 gives, alone and corrected by people who read a sample of 60."""
    for sensitivity, specificity in JUDGES:
        found: dict[str, list[Estimate]] = {"judge": [], "people": [], "prediction-powered": [], "rogan-gladen": []}
        for seed in range(SEEDS):
            generator = np.random.default_rng(seed)
            reviews = []
            for one in units:
                right = generator.random() < (sensitivity if truth[one.rollout] else specificity)
                reviews.append(Review(rollout=one.rollout, reviewer="judge", kind="judge",
                                      satisfied=truth[one.rollout] == right))  # fmt: skip
            sample = draw(units, Design(n=60, seed=seed)).sample
            reviews += [
                Review(rollout=row.rollout, reviewer="ada", satisfied=truth[row.rollout]) for row in sample.rows
            ]
            for name, rates in found.items():
                rates.append(estimate(Material(units=units, reviews=reviews),
                                      Options(correction=name)).false_pass_rate)  # type: ignore[arg-type]  # fmt: skip
        print(f"judge {sensitivity}/{specificity}")
        for name, rates in found.items():
            if sum(rate.value is not None for rate in rates) > 1:
                print(f"  {name:20s} {told(rates, 16 / 84)}")


def main() -> None:
    """Print all figures."""
    if len(sys.argv) != 2:
        print("not run: it needs REGRADE.jsonl, the replayed rollouts, which are not part of fairtrial")
        return
    units, truth = read(Path(sys.argv[1]))
    reviews = [Review(rollout=one, reviewer="ada", satisfied=holds) for one, holds in truth.items()]
    whole = Material(units=units, reviews=reviews)
    for finite in (False, True):
        rates = estimate(whole, Options(finite=finite))
        for name, rate in (("false pass", rates.false_pass_rate), ("false fail", rates.false_fail_rate)):
            print(f"all read, {rates.population}: {name} {rate.value:.4f} [{rate.low:.4f}, {rate.high:.4f}]")
    by_people(units, truth)
    by_judges(units, truth)


if __name__ == "__main__":
    main()
