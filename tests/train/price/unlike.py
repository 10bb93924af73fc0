"""How often credit says `gained` of a family that taught nothing, where families are unlike: a table of docs/price.md.

Rates alone are simulated, apart from `simulated`: no log, no course of training, every family with credit or without.
`python -m tests.train.price.unlike` prints it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tests.train.price.lifts import counts

from fairtrial.records import Estimate
from fairtrial.train.lift.arms import Pair
from fairtrial.train.price import Credit, taught_by_credit

TASKS, RUNS, LUCK, SPREAD, OF_TASK = 30, 8, 0.3, 1.0, 0.4
SHARE = Estimate(value=0.3, low=0.2, high=0.4, n=60, method="stated")


@dataclass(frozen=True, slots=True)
class Kind:
    """A family: the logit of its rate before, what training adds to it, and whether its groups carried credit."""

    start: float
    learns: float
    has_credit: bool = True


TEACHER = Kind(-1.0, 2.0)
DESIGNS = {
    "nobody taught": {"a": Kind(-1, 0), "b": Kind(-1, 0), "idle": Kind(-1, 0), "outside": Kind(-1, 0, False)},
    "alike": {"teacher": TEACHER, "idle": Kind(-1.0, 0.6), "outside": Kind(-1.0, 0.6, False)},
    "outside is hard": {"teacher": TEACHER, "idle": Kind(-0.5, 0.6), "outside": Kind(-3.0, 0.6, False)},
    "outside learns nothing": {"teacher": TEACHER, "idle": Kind(-1.0, 0.6), "outside": Kind(-1.0, 0.0, False)},
}


def pair_of(families: dict[str, Kind], seeds: int, generator: np.random.Generator) -> Pair:
    """Return the base and the trained model on tasks whose rates were drawn."""
    kinds = list(families.values())
    shape = (len(kinds), TASKS)
    before = np.array([[kind.start] for kind in kinds]) + generator.normal(0, SPREAD, shape)
    learns = np.array([kind.learns for kind in kinds])
    more = learns * generator.normal(1, LUCK, (seeds, len(kinds)))
    after = before + more[:, :, None] + generator.normal(0, OF_TASK, (1, *shape)) * (learns != 0)[None, :, None]
    base, trained = (generator.binomial(RUNS, 1 / (1 + np.exp(-np.broadcast_to(logit, (seeds, *shape)))))
                     .reshape(seeds, -1).tolist() for logit in (before, after))  # fmt: skip
    family = tuple(name for name in families for _ in range(TASKS))
    return Pair(base=counts(base), trained=counts(trained), seeds=tuple(range(seeds)), base_seeds=seeds,
                trained_seeds=seeds, tasks=tuple(map(str, range(len(family)))), cluster=np.arange(len(family)),
                family=family, left_out=(), ungraded_bounds=None)  # fmt: skip


def gained(design: str, seeds: int, runs: int) -> tuple[int, int]:
    """Return how often `gained` was said of families that taught nothing, and of how many."""
    families = DESIGNS[design]
    credits = [Credit(family=name, share=SHARE, tasks=60, groups=100, informative=80)
               for name, kind in families.items() if kind.has_credit]  # fmt: skip
    said = [one.reading for run in range(runs) for one in
            taught_by_credit(pair_of(families, seeds, np.random.default_rng([7, run])), credits)
            if one.family != "teacher"]  # fmt: skip
    return said.count("gained"), len(said)


def table(runs: int = 300) -> None:
    for design in DESIGNS:
        print(design, [gained(design, seeds, runs) for seeds in (1, 3, 5)])


if __name__ == "__main__":
    table()
