"""All that is done for one seed: train what is left, then evaluate what was planned, or one other checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.train.recipe.reading import for_seed, read_recipe
from fairtrial.train.recipe.resolving import resolve
from fairtrial.train.running.chain import standing, train_stages
from fairtrial.train.running.folder import RunFolder
from fairtrial.train.running.paying import settle_function
from fairtrial.train.running.planned import Evaluator
from fairtrial.train.running.recorder import Tell
from fairtrial.train.trainers.settings import settle


def train_seed(run: RunFolder, seed: int, orders: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Do what `orders` say: `ledger`, `go_on`, `base_by` (seeds that evaluate it too), `explore` (a step; None: train),
    `grader` (what pays in place of the tasks' own).
    """
    resolved = resolve(read_recipe(run.recipe).only([seed]))
    recipe = for_seed(resolved.recipe, seed)
    settle(recipe)
    explore = orders["explore"]
    if explore is None:
        at = train_stages(run, resolved, recipe, seed, tell, go_on=bool(orders["go_on"]),
                          function=settle_function(run.path, recipe, str(orders.get("grader", ""))))  # fmt: skip
    else:
        at = standing(run.seed(seed), Path(recipe.base))
    evaluator = Evaluator(run=run, resolved=resolved, seed=seed, tell=tell,
                          ledger=Ledger.open(Path(orders["ledger"]), create=True))  # fmt: skip
    added = evaluator.base() if seed in orders["base_by"] else 0
    if explore is None:
        added += evaluator.planned(at)
    elif int(explore):
        added += evaluator.explore(int(explore), at)
    return {"seed": seed, "steps": at.step, "paused": at.paused, "whole": at.next >= len(recipe.stages),
            "attempts_added": added}  # fmt: skip
