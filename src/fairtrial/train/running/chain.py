"""Train the stages of one seed in order, from wherever it stands; the last policy is laid at `model`.

A stage that makes a reward model hands the policy on as it got it. Not covered: evaluation (`evaluating`).
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.sandbox import Sandbox, default, find
from fairtrial.tasks import Suite
from fairtrial.train.recipe import Recipe
from fairtrial.train.recipe.resolving import ResolvedRecipe
from fairtrial.train.rewards.function import RewardFunction
from fairtrial.train.running.folder import RunFolder, SeedFolder
from fairtrial.train.running.known import known_of
from fairtrial.train.running.recorder import SeedRecorder, Tell
from fairtrial.train.trainers.checkpoints import MARKER, kept_steps, read_marker, sync
from fairtrial.train.trainers.protocol import STATE, Context
from fairtrial.train.trainers.registry import stage_trainer

REWARD_MODEL = "reward_model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a seed stands."""

    policy: Path
    """Folder of the latest policy."""
    reward_model: Path | None = None
    offset: int = 0
    """Steps of the stages that ended."""
    next: int = 0
    """Index of the stage that is next, or is going on."""
    resume: Path | None = None
    """Checkpoint of that stage; None: it has not begun."""
    paused: str = ""
    """Why it was paused there."""

    @property
    def step(self) -> int:
        """Return the last step that is kept."""
        return int(self.resume.name[5:]) if self.resume is not None else self.offset


def standing(folder: SeedFolder, base: Path) -> Standing:
    """Return where the checkpoints in `folder` say that a seed stands. Raise FormatError where one cannot be read."""
    at = Standing(policy=base)
    for step, checkpoint in kept_steps(folder.checkpoints):
        marker = read_marker(checkpoint)
        if not marker.ended and not (checkpoint / STATE).is_dir():
            continue  # a later one went: what it was resumed from is gone, and the stage begins anew
        if not marker.ended:
            at = replace(at, next=marker.stage - 1, resume=checkpoint, paused=marker.paused)
            continue
        made = {"reward_model": checkpoint} if marker.method == REWARD_MODEL else {"policy": checkpoint}
        at = replace(at, offset=step, next=marker.stage, resume=None, paused=marker.paused, **made)
    return at


def train_stages(run: RunFolder, resolved: ResolvedRecipe, recipe: Recipe, seed: int, tell: Tell,
                 *, go_on: bool = False, function: RewardFunction | None = None) -> Standing:  # fmt: skip
    """Train what is left of `recipe`, whose `{seed}` is filled in; return where the seed stands then."""
    folder = run.seed(seed)
    at = standing(folder, Path(recipe.base))
    if at.paused and not go_on:
        return at
    known = known_of(recipe, resolved.train)
    with SeedRecorder(
        folder.path, recipe.watch, known, tell, through=at.step, go_on=at.step if go_on else 0
    ) as recorder:
        for index in range(at.next, len(recipe.stages)):
            stage = recipe.stages[index]
            has_tasks = stage.method == "grpo"
            end = stage_trainer(stage.method)(Context(
                recipe=recipe, stage=stage, number=index + 1, seed=seed, offset=at.offset, model=at.policy,
                checkpoints=folder.checkpoints, resume=at.resume, recorder=recorder,
                tasks=resolved.train if has_tasks else None, reward_model=at.reward_model,
                sandbox=sandbox_of(recipe) if has_tasks and isinstance(resolved.train, Suite) else None,
                ledger=run.training if has_tasks else None, function=function if stage.reward == "grade" else None,
            ))  # fmt: skip
            at = standing(folder, Path(recipe.base))
            if end.paused:
                return at
    return _whole(at, folder)


def sandbox_of(recipe: Recipe) -> Sandbox:
    """Return the sandbox that the recipe names, or the best that works here."""
    return find(recipe.tasks.sandbox, from_person=True) if recipe.tasks.sandbox else default()[0]


def _whole(at: Standing, folder: SeedFolder) -> Standing:
    if not folder.model.is_dir() and at.policy.parent == folder.checkpoints:
        _lay_model(at.policy, folder.model)
    return at


def _lay_model(checkpoint: Path, model: Path) -> None:
    """Lay a copy of the model of `checkpoint` at `model`, whole or not at all."""
    making = model.with_name(f".{model.name}")  # no other process is here: the seed is held
    shutil.rmtree(making, ignore_errors=True)
    shutil.copytree(checkpoint, making, ignore=lambda *_: [STATE, MARKER])
    for path in making.rglob("*"):
        sync(path)
    making.rename(model)
    sync(model.parent)
