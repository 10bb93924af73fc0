"""What a seed still has to do, read from its folder and the ledger. No torch here: a run that is whole loads none."""

from __future__ import annotations

from pathlib import Path

from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.train.recipe import Recipe
from fairtrial.train.recipe.reading import SEED, for_seed
from fairtrial.train.recipe.resolving import ResolvedRecipe
from fairtrial.train.running.attempts import Subject, is_whole
from fairtrial.train.running.chain import REWARD_MODEL, Standing
from fairtrial.train.running.folder import SeedFolder
from fairtrial.train.running.paying import recipe_of
from fairtrial.train.trainers.checkpoints import kept_steps, read_marker


def base_of(resolved: ResolvedRecipe, seed: int) -> Subject:
    """Return the base as it is evaluated; it has a seed only where each seed has a base of its own."""
    recipe = for_seed(resolved.recipe, seed)
    own = SEED in resolved.recipe.base
    return Subject(model=recipe.base_name, seed=seed if own else None, step=None, folder=Path(recipe.base))


def checkpoint_of(recipe: Recipe, seed: int, step: int, folder: Path) -> Subject:
    """Return a checkpoint as it is evaluated."""
    return Subject(model=recipe.name, seed=seed, step=step, folder=folder)


def planned_steps(recipe: Recipe, folder: SeedFolder, at: Standing) -> tuple[dict[int, Path], list[int]]:
    """Return the planned checkpoints of a policy that are kept, and the planned steps that were passed and are not."""
    kept = dict(kept_steps(folder.checkpoints))
    steps = {step for step in recipe.evaluation.steps if step}
    has_ended = at.next >= len(recipe.stages)
    if has_ended and at.policy in kept.values():
        steps.add(int(at.policy.name[5:]))
    missed = sorted(step for step in steps - set(kept) if step <= at.step or has_ended)
    policies = {step: kept[step] for step in sorted(steps & set(kept))
                if read_marker(kept[step]).method != REWARD_MODEL}  # fmt: skip
    return policies, missed


def is_done(run: Path, folder: SeedFolder, resolved: ResolvedRecipe, seed: int, at: Standing, ledger: Ledger,
            *, with_base: bool) -> bool:  # fmt: skip
    """Say whether nothing is left of a seed that stands `at`: trained to its end or a pause, evaluated, recorded."""
    recipe = for_seed(resolved.recipe, seed)
    is_laid = folder.model.is_dir() or at.policy == Path(recipe.base)
    if not at.paused and (at.next < len(recipe.stages) or not is_laid):
        return False
    planned, missed = planned_steps(recipe, folder, at)
    own = recipe_of(run, resolved.hash)
    known = {each.step for each in all_checkpoints(ledger)
             if each.model == recipe.name and each.seed == seed and each.recipe == own and each.planned}  # fmt: skip
    if missed or set(planned) - known:
        return False
    subjects = [checkpoint_of(recipe, seed, step, path) for step, path in planned.items()]
    subjects += [base_of(resolved, seed)] if with_base else []
    return resolved.held_out is None or all(is_whole(ledger, one, resolved.held_out, recipe) for one in subjects)
