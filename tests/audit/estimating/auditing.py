"""Material for the tests of `audit.estimating`: rollouts, reviews and samples in few words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fairtrial.audit.estimating import Material
from fairtrial.audit.sampling import Unit
from fairtrial.records import Draw, Review, Sample, Stratum

TAU = Path(__file__).parents[4] / "shared" / "data" / "tau_bench_airline_gpt4o" / "regrade.jsonl"


def unit(task: int, attempt: int = 0, *, passed: bool | None = True, model: str = "m", cluster: str = "") -> Unit:
    """Return one rollout."""
    outcome = "ungraded" if passed is None else "passed" if passed else "failed"
    return Unit(rollout=f"{model}-{task}-{attempt}", task=str(task), model=model, attempt=attempt, outcome=outcome,
                cluster=cluster)  # fmt: skip


def review(one: Unit, satisfied: bool | None, reviewer: str = "ada", **more: object) -> Review:
    """Return a review of `one`."""
    return Review(rollout=one.rollout, reviewer=reviewer, satisfied=satisfied, **more)  # type: ignore[arg-type]


def right(one: Unit, reviewer: str = "ada", **more: object) -> Review:
    """Return a review that agrees with the verdict."""
    return review(one, one.outcome == "passed", reviewer, **more)


def wrong(one: Unit, reviewer: str = "ada", **more: object) -> Review:
    """Return a review that finds the verdict wrong."""
    return review(one, one.outcome != "passed", reviewer, **more)


def sample_of(strata: dict[str, tuple[int, Sequence[Unit]]], readers: int = 0, chance: float = 0.0) -> Sample:
    """Return a sample: of each stratum its population and what was drawn."""
    return Sample(
        seed=0, by=("verdict",),
        strata=tuple(Stratum(name=name, population=size, sampled=len(drawn)) for name, (size, drawn) in strata.items()),
        rows=tuple(Draw(rollout=one.rollout, stratum=name, probability=len(drawn) / size, readers=readers,
                        reader_probability=chance) for name, (size, drawn) in strata.items() for one in drawn),
    )  # fmt: skip


def tau() -> Material:
    """Return tau-bench airline, gpt-4o, with the corrected end states as reviews; skip where it is not there."""
    if not TAU.is_file():
        pytest.skip("../shared is not here, and the corrected end states are nowhere else")
    units, reviews = [], []
    for row in map(json.loads, TAU.read_text().splitlines()):
        one = unit(row["task_id"], row["trial"], passed=row["logged_reward"] == 1.0, model="gpt-4o")
        units.append(one)
        reviews.append(review(one, row["replay_reward_corrected"] == 1.0))
    return Material(units=units, reviews=reviews)
