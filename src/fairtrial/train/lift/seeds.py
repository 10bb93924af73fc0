"""Training seed or sampling seed? A rollout's `seed` may be either, and the data tell.

A seed of training is shared by all that one trained model did, so it spans many tasks; `fairtrial run` gives each
attempt a seed of its own, which spans one. Where a checkpoint of the model is recorded with a seed, that seed is of
training. Not covered: a sampling seed that is used again for every task, which looks like a training seed with one run
a task; it is said, and `--seeds none` reads it as what it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from fairtrial.train.lift.options import SeedReading
from fairtrial.train.lift.reading import Line


def are_of_training(lines: Sequence[Line], recorded: Collection[int], asked: SeedReading) -> bool:
    """Say whether the seeds of one model's rollouts are training seeds; `recorded` are those of its checkpoints."""
    seeds = {line.seed for line in lines if line.seed is not None}
    if not seeds or asked == "none":
        return False
    if asked == "training" or (recorded and seeds <= set(recorded)):
        return True
    tasks: dict[int, set[str]] = defaultdict(set)
    for line in lines:
        if line.seed is not None:
            tasks[line.seed].add(line.task)
    every = {line.task for line in lines}
    # Drawn from 32 bits, a few seeds of attempts coincide; a training seed spans tasks as a rule, not by chance.
    return len(every) > 1 and float(np.median([len(each) for each in tasks.values()])) > 1


def with_seeds(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines that name a seed: of the others nobody knows which training they are of."""
    return tuple(line for line in lines if line.seed is not None)


def without_seeds(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines as those of one model."""
    return tuple(line._replace(seed=None) for line in lines)


def is_one_run_each(lines: Sequence[Line]) -> bool:
    """Say whether every seed has one rollout a task, so that it may as well be a seed of sampling."""
    runs: dict[tuple[int | None, str], int] = defaultdict(int)
    for line in lines:
        runs[line.seed, line.task] += line.runs
    return len({seed for seed, _ in runs}) > 1 and all(count == 1 for count in runs.values())
