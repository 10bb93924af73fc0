"""What stands beside the gains of a board: their price, and which families taught, from ledger and logs.

Controls have neither: a gain that should not be there has no price. Not covered: the gains themselves (`train.lift`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import Checkpoint, InputError
from fairtrial.train.lift import Lift, Lifted, Options, pairs
from fairtrial.train.lift.arms import Pair
from fairtrial.train.log import GROUPS, GroupLine, read_groups
from fairtrial.train.price.by_credit import credit_by_family, taught_by_credit
from fairtrial.train.price.cost import price
from fairtrial.train.price.left_out import Arm, arms_of, taught_by_arms
from fairtrial.train.price.result import Priced, Taught
from fairtrial.train.price.tokens import tokens_ratio
from fairtrial.train.recipe.reading import read_recipe

RECIPE = "recipe.toml"
_ELSEWHERE = (
    "The gain over {base} holds what {what} taught too, for which no credit is dealt, so what credit taught cannot be "
    "told. Compare with the model that reinforcement learning began with."
)
Logs = Mapping[str, Sequence[Path]]
"""Folders of seeds (`DIR/seed-N`), by the name of the model that was trained there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """Prices and lessons of one board."""

    priced: tuple[Priced, ...] = ()
    taught: tuple[Taught, ...] = ()
    untold: tuple[str, ...] = ()
    """What could not be said of which tasks taught, and why."""


def logs_of(runs: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the logs in the folders that `fairtrial train --out` wrote, by model.

    Raise InputError where a folder holds no recipe or no log.
    """
    found: dict[str, list[Path]] = {}
    for run in {run.resolve(): run for run in runs}.values():
        hint = "Name the folder that `fairtrial train RECIPE.toml --out DIR` wrote."
        if not (run / RECIPE).is_file():
            raise InputError(f"holds no {RECIPE}", path=run, hint=hint)
        seeds = sorted(path.parent for path in run.glob(f"seed-*/{GROUPS}"))
        if not seeds:
            raise InputError(f"holds no log: no seed-N/{GROUPS}", path=run, hint=hint)
        found.setdefault(read_recipe(run / RECIPE).recipe.name, []).extend(seeds)
    return found


def worth(ledger: Ledger, lifted: Lifted, options: Options | None = None, logs: Logs | None = None) -> Worth:
    """Return what each gain of `lifted` cost and which families taught; `options` are those it was made with."""
    asked = options or Options()
    told = [one for one in lifted.comparisons if not one.control]
    if not told:
        return Worth()
    checkpoints = all_checkpoints(ledger)
    compared = pairs(ledger, told[0].base, [one.trained for one in told], replace(asked, controls=()))
    priced: list[Priced] = []
    taught: list[Taught] = []
    untold: list[str] = []
    for one in told:
        pair = compared.get(one.trained)
        ratio = tokens_ratio(pair, asked.confidence) if pair else None
        priced.append(price(one, checkpoints, ratio, asked.base_step))
        mine = [*_by_arms(ledger, one, checkpoints, asked, untold),
                *by_credit(one, pair, (logs or {}).get(one.trained, ()), checkpoints, untold)]  # fmt: skip
        if not mine and not any(why.startswith(f"{one.trained}:") for why in untold):
            untold.append(f"{one.trained}: which families taught: no arm was trained without one, and no log was named")
        taught += mine
    return Worth(priced=tuple(priced), taught=tuple(taught), untold=tuple(untold))


def _by_arms(
    ledger: Ledger, one: Lift, checkpoints: Sequence[Checkpoint], asked: Options, untold: list[str]
) -> tuple[Taught, ...]:
    met: dict[Arm, Pair] = {}
    beside = replace(asked, controls=(), step=one.step if asked.step is not None else None, base_step=asked.step)
    for arm in arms_of(one.trained, checkpoints, _recipes(ledger, checkpoints)):
        try:
            pair = pairs(ledger, arm.model, [one.trained], beside).get(one.trained)
        except InputError as error:
            untold.append(f"{one.trained}: what {arm.family} taught: {error.what}")
            continue
        if pair is None:
            untold.append(f"{one.trained}: what {arm.family} taught: {arm.model} cannot be compared on equal terms")
        else:
            met[arm] = pair
    return taught_by_arms(one.trained, met, asked)


def _recipes(ledger: Ledger, checkpoints: Sequence[Checkpoint]) -> dict[str, str]:
    """Return the recipes that the ledger holds, by address."""
    return {address: ledger.get_blob(address).decode() for address in {one.document for one in checkpoints} if address}


def by_credit(
    one: Lift, pair: Pair | None, folders: Sequence[Path], checkpoints: Sequence[Checkpoint], untold: list[str]
) -> tuple[Taught, ...]:
    """Return what the logs in `folders` say: those of the seeds that were paired, up to the step that was compared."""
    if not folders or pair is None:
        return ()
    seeds = {f"seed-{seed}" for seed in pair.seeds if seed is not None}
    used = [folder for folder in folders if folder.name in seeds or not seeds]
    groups: list[GroupLine] = [group for folder in used for group in read_groups(folder)
                               if one.step is None or group.step <= one.step]  # fmt: skip
    credits = credit_by_family(groups)
    taught = taught_by_credit(pair, credits, one.trained)
    if why := _why_no_credit(used, groups, bool(credits), bool(taught)):
        untold.append(f"{one.trained}: which families taught, by credit: {why}")
    elif elsewhere := trained_elsewhere(one, used[0].parent, min(each.step for each in groups), checkpoints):
        return tuple(each if each.effect.value is None else replace(each, reading="not_told", detail=elsewhere)
                     for each in taught)  # fmt: skip
    return taught if any(group.family for group in groups) else ()


def _why_no_credit(used: Sequence[Path], groups: Sequence[GroupLine], credits: bool, taught: bool) -> str:
    """Return why nothing is said by credit; empty where something is."""
    if not used:
        return "no log is of a training seed that was compared"
    if not groups:
        return "its log holds no group of attempts; only reinforcement learning deals credit"
    if not any(group.family for group in groups):
        return "its log names no family of tasks"
    if not credits:
        return "no group of its log carried credit"
    return "" if taught else "no held-out task is of a family in its log"


def trained_elsewhere(one: Lift, run: Path, first: int, checkpoints: Sequence[Checkpoint]) -> str:
    """Return what of the training between base and trained model no credit was dealt for; empty where all is covered.

    The first group of the log is of step `first`. A base that is not the recipe's covers the stages before it where it
    was trained from the recipe's base by as many steps of the same method.
    """
    if not (run / RECIPE).is_file():
        return ""
    recipe = read_recipe(run / RECIPE).recipe
    stages = list(recipe.stages)
    if one.base != recipe.base_name:
        begun = list(takewhile(lambda stage: stage.method != "grpo", stages))
        covers = [each for each in checkpoints if each.model == one.base and each.base == recipe.base_name]
        if not begun or not any((each.step, each.stage) == (first - 1, begun[-1].method) for each in covers):
            return _ELSEWHERE.format(base=one.base, what=f"what lies between it and {recipe.base_name}")
        stages = stages[len(begun) :]
    others = dict.fromkeys(stage.method for stage in stages if stage.method != "grpo")
    return _ELSEWHERE.format(base=one.base, what=" and ".join(others)) if others else ""
