"""What a recipe must not ask for: refused by name, before anything is trained."""

from __future__ import annotations

import math
from pathlib import Path

from fairtrial.train.recipe.leaks import Asked
from fairtrial.train.recipe.reading import SEED, ReadRecipe
from fairtrial.train.recipe.rows import read_rows
from fairtrial.train.recipe.schema import Recipe, Stage
from fairtrial.train.recipe.suites import AnySuite, shared


def check(read: ReadRecipe, train: AnySuite | None, held_out: AnySuite | None) -> None:
    """Raise FormatError, naming line and field, for the first thing that cannot work or would spoil the claim."""
    _check_tasks(read, train, held_out)
    _check_stages(read, train)
    lengths = [_stage_steps(read, number, held_out) for number in range(len(read.recipe.stages))]
    _check_planned(read, lengths)


def _check_tasks(read: ReadRecipe, train: AnySuite | None, held_out: AnySuite | None) -> None:
    recipe = read.recipe
    asked = recipe.evaluation.base or bool(recipe.evaluation.steps) or not recipe.stages
    if asked and held_out is None:
        raise read.error("is missing, and an evaluation is asked for", ("tasks", "held_out"),
                         "Name the tasks that nothing is trained on.")  # fmt: skip
    if train is not None and held_out is not None and (why := shared(train, held_out)):
        raise read.error(why, ("tasks", "held_out"), "Near copies stay on one side: `fairtrial contamination split`.")
    if family := recipe.tasks.left_out_family:
        _check_family(read, family, train)


def _check_family(read: ReadRecipe, family: str, train: AnySuite | None) -> None:
    place = ("tasks", "left_out_family")
    if train is None or not any(stage.method == "grpo" for stage in read.recipe.stages):
        raise read.error(f"no stage trains on tasks, so nothing leaves out `{family}`", place,
                         "`train` is for grpo; leave the family out of the sets of the other stages.")  # fmt: skip
    families = sorted({task.family for task in train.tasks})
    if family not in families:
        raise read.error(f"no task is of the family `{family}`", place, f"There are {', '.join(families)}.")
    if len(families) == 1:
        raise read.error("leaves no task to train on", place)


def _check_stages(read: ReadRecipe, train: AnySuite | None) -> None:
    has_reward_model = False
    for number, stage in enumerate(read.recipe.stages):
        place = ("stages", number)
        has_reward_model = has_reward_model or stage.method == "reward_model"
        if stage.method != "grpo":
            continue
        if train is None:
            raise read.error("a grpo stage needs `train` in [tasks]", place)
        if stage.reward == "reward_model" and not stage.reward_model and not has_reward_model:
            raise read.error("needs a reward model, and no stage before it makes one", (*place, "reward"))
        if "criteria" in (stage.reward, stage.credit.rank_by) and not stage.credit.criteria:
            raise read.error("needs a file of criteria", (*place, "credit", "criteria"))
        if stage.sampling.rate_low > stage.sampling.rate_high:
            raise read.error("is above `rate_high`", (*place, "sampling", "rate_low"))
        if (stage.sampling.rate_low, stage.sampling.rate_high) != (0.0, 1.0) and not stage.sampling.rates:
            raise read.error("a band of rates needs the ledger in which they were measured",
                             (*place, "sampling", "rates"))  # fmt: skip
    if read.recipe.stages and all(stage.method == "reward_model" for stage in read.recipe.stages) \
            and read.recipe.evaluation.steps:  # fmt: skip
        raise read.error("a reward model answers no task", ("evaluation", "steps"))


def _stage_steps(read: ReadRecipe, number: int, held_out: AnySuite | None) -> int:
    """Return the optimiser steps of a stage; its set is read, and held against the held-out tasks."""
    stage = read.recipe.stages[number]
    if not stage.data:
        assert stage.steps is not None
        return stage.steps
    lengths = set()
    for seed in read.seeds if SEED in stage.data else [0]:
        rows = read_rows(Path(stage.data.replace(SEED, str(seed))), stage.method)
        _refuse_leak(read, number, rows, held_out)
        lengths.add(stage.steps or steps_of(stage, len(rows)))
    if len(lengths) > 1:
        raise read.error("the sets of the seeds differ in length, and so would their steps",
                         ("stages", number, "data"), "Set `steps`.")  # fmt: skip
    return lengths.pop()


def steps_of(stage: Stage, rows: int) -> int:
    """Return the optimiser steps of `epochs` over `rows`.

    >>> steps_of(Stage(method="sft", data="a", epochs=2, batch_size=16), 300)
    38
    """
    return math.ceil(stage.epochs * math.ceil(rows / stage.batch_size))


def total_steps(recipe: Recipe, seed: int) -> int:
    """Return the optimiser steps of all stages for a seed, of a recipe that was checked."""
    total = 0
    for stage in recipe.stages:
        if stage.steps is not None:
            total += stage.steps
        else:
            path = Path(stage.data.replace(SEED, str(seed)))
            total += steps_of(stage, len(read_rows(path, stage.method)))
    return total


def _refuse_leak(read: ReadRecipe, number: int, rows: list[dict[str, object]], held_out: AnySuite | None) -> None:
    if held_out is None:
        return
    asked = Asked(held_out.tasks)
    for row in rows:
        if task := asked.in_row(row):
            raise read.error(f"holds the prompt of the held-out task `{task}`", ("stages", number, "data"),
                             "Take the row out: nothing held out may be trained on.")  # fmt: skip


def _check_planned(read: ReadRecipe, lengths: list[int]) -> None:
    total = sum(lengths)
    for at, step in enumerate(read.recipe.evaluation.steps):
        if step > total:
            raise read.error(f"names step {step}; the stages have {total}", ("evaluation", "steps", at))
        began = 0
        for stage, length in zip(read.recipe.stages, lengths, strict=True):
            own, updates = step - began, stage.updates_per_batch
            if stage.method == "grpo" and 0 < own <= length and own % updates:
                raise read.error(f"names step {step}, which is within a batch of {updates} updates",
                                 ("evaluation", "steps", at),
                                 f"The next batch ends at {step + -own % updates}.")  # fmt: skip
            began += length
