"""Which tasks taught, by arms trained without them: the rate with every family less the rate without one.

The base is the same for both, so the difference of two gains is the difference of two rates, paired by training seed
and held-out task: what `fairtrial lift --base ARM` gives. It holds all that the family did, for its own tasks and for
others, and what the rest did with the room that it left: at a fixed number of steps other families are drawn more
often. Not covered: families for which no arm was trained (`by_credit`).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from fairtrial.measure.crossed import CrossedMean
from fairtrial.records import Checkpoint
from fairtrial.train.lift.arms import Pair
from fairtrial.train.lift.gains import estimate_of, mean_of
from fairtrial.train.lift.options import Options
from fairtrial.train.price.paired import p_value_of
from fairtrial.train.price.readings import q_values, reading_of
from fairtrial.train.price.result import Taught

NO_RECIPES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A model trained as another was, but without one family."""

    family: str
    model: str


def arms_of(
    trained: str, checkpoints: Sequence[Checkpoint], recipes: Mapping[str, str] = NO_RECIPES
) -> tuple[Arm, ...]:
    """Return the models that were trained as `trained` was but without a family.

    `recipes` hold the resolved recipe (TOML) of a checkpoint by its address: stages must be the same, their data apart,
    for a set may leave the family out too. Where a recipe is not held, base, last stage and steps must be the same.
    """
    whole = {_made(one, recipes) for one in checkpoints if one.model == trained and not one.left_out_family}
    found = {
        (one.left_out_family, one.model)
        for one in checkpoints
        if one.left_out_family and one.model != trained and _made(one, recipes) in whole
    }
    return tuple(Arm(family=family, model=model) for family, model in sorted(found))


def _made(one: Checkpoint, recipes: Mapping[str, str]) -> str:
    """Return in one text how a checkpoint was trained, but for its name, seed and data."""
    told = {"base": one.base, "step": one.step, "stage": one.stage}
    if one.document in recipes:
        recipe = tomllib.loads(recipes[one.document])
        stages = [
            {name: value for name, value in stage.items() if name != "data"} for stage in recipe.get("stages", ())
        ]
        told |= {"stages": stages}
    return json.dumps(told, sort_keys=True, default=str)


def taught_by_arms(trained: str, pairs: Mapping[Arm, Pair], options: Options) -> tuple[Taught, ...]:
    """Return what each left-out family taught `trained`, largest effect first.

    `pairs` hold, of each arm, its rollouts as the base and those of `trained` as the trained.
    """
    effects = {arm: mean_of(pair.differences, pair.cluster, options) for arm, pair in pairs.items()}
    p_values = [p_value_of(effect.value, effect.spread) for effect in effects.values()]
    q = dict(zip(effects, q_values(p_values), strict=True))
    found = [_taught(arm, trained, pairs[arm], effects[arm], q[arm], options) for arm in pairs]
    return tuple(sorted(found, key=lambda one: (-(one.effect.value or 0.0), one.family)))


def _taught(
    arm: Arm, trained: str, pair: Pair, effect: CrossedMean, q: float | None, options: Options
) -> Taught:  # fmt: skip
    mine = np.array([family == arm.family for family in pair.family], dtype=bool)
    own = None
    if mine.any():
        alone = pair.of_tasks(mine)
        own = estimate_of(mean_of(alone.differences, alone.cluster, options), alone,
                          "with the family less without it, on its own tasks; ")  # fmt: skip
    said = estimate_of(effect, pair, "with the family less without it; ")
    only = " One training seed: another may say otherwise." if len(pair.seeds) == 1 else ""
    return Taught(family=arm.family, method="left_out", effect=said, tasks=int(mine.sum()), own=own, q=q,
                  reading=reading_of(said.value, q), trained=trained, arm=arm.model,
                  detail=f"{trained} against {arm.model}, which was trained without it.{only}")  # fmt: skip
