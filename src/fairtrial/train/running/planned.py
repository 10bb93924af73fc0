"""Evaluate what the recipe fixed before training (base, planned steps, the last), and record each checkpoint.

A checkpoint's record goes into the ledger before its rollouts, so that none is ever seen without it. What was not
named in the recipe is exploratory, and its record says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from fairtrial.contamination.identity.folder import content_hash, open_model
from fairtrial.ledger import Ledger
from fairtrial.records import Checkpoint, Degenerate, FormatError, InputError
from fairtrial.tasks.text import TextSuite
from fairtrial.train.log import StepLine, read_groups, read_steps
from fairtrial.train.recipe import Recipe, Stage
from fairtrial.train.recipe.reading import for_seed
from fairtrial.train.recipe.resolving import ResolvedRecipe
from fairtrial.train.recipe.rows import read_rows
from fairtrial.train.recipe.writing import placeless_toml
from fairtrial.train.running.attempts import Subject
from fairtrial.train.running.boxed import evaluate_boxed
from fairtrial.train.running.chain import REWARD_MODEL, Standing, sandbox_of
from fairtrial.train.running.due import base_of, checkpoint_of, planned_steps
from fairtrial.train.running.evaluating import evaluate_text
from fairtrial.train.running.folder import RunFolder, SeedFolder
from fairtrial.train.running.paying import recipe_of
from fairtrial.train.running.recorder import Tell
from fairtrial.train.trainers.checkpoints import kept_steps, read_marker
from fairtrial.train.watch.live import WATCH_WHOLE

_DEGENERATE: tuple[Degenerate, ...] = ("random", "constant", "format", "length")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Evaluates models of one seed of one run into one ledger."""

    run: RunFolder
    resolved: ResolvedRecipe
    seed: int
    ledger: Ledger
    tell: Tell

    @property
    def recipe(self) -> Recipe:
        """Return the recipe with the seed filled in."""
        return for_seed(self.resolved.recipe, self.seed)

    def base(self) -> int:
        """Evaluate the base; it has a seed only where each seed has a base of its own."""
        return self._evaluate(base_of(self.resolved, self.seed))

    def planned(self, at: Standing) -> int:
        """Evaluate each planned checkpoint that was reached; return how many attempts were added."""
        planned, missed = planned_steps(self.recipe, self.run.seed(self.seed), at)
        if missed:
            self.tell({"note": f"no checkpoint of the planned steps {missed}: the stages made fewer than expected"})
        return sum(self._checkpoint(step, folder, is_planned=True, at=at) for step, folder in planned.items())

    def explore(self, step: int, at: Standing) -> int:
        """Evaluate the checkpoint of `step`, planned or not. Raise InputError where there is none."""
        kept = dict(kept_steps(self.run.seed(self.seed).checkpoints))
        if step not in kept:
            raise InputError(f"seed {self.seed} kept no checkpoint of step {step}", field="--evaluate-step",
                             hint=f"There are {', '.join(map(str, kept)) or 'none'}.")  # fmt: skip
        if read_marker(kept[step]).method == REWARD_MODEL:
            raise InputError(f"step {step} is of a reward model, which answers no task", field="--evaluate-step")
        is_last = at.next >= len(self.recipe.stages) and at.policy == kept[step]
        return self._checkpoint(step, kept[step], is_planned=is_last or step in self.recipe.evaluation.steps, at=at)

    def _checkpoint(self, step: int, folder: Path, *, is_planned: bool, at: Standing) -> int:
        record = self._record(step, folder, is_planned, at.paused if at.step == step else "")
        for ledger in (self.ledger, self._training()):  # so that a copy of either knows whose rollouts it holds
            if ledger is not None:
                ledger.put_blob(self.ledger.get_blob(record.document))
                ledger.append("checkpoints", [record])
        return self._evaluate(checkpoint_of(self.recipe, self.seed, step, folder))

    def _training(self) -> Ledger | None:
        """Return the ledger of what was sampled in training, where something was."""
        return Ledger.open(self.run.training) if self.run.training.exists() else None

    def _evaluate(self, subject: Subject) -> int:
        suite = self.resolved.held_out
        if suite is None:
            return 0
        if isinstance(suite, TextSuite):
            return evaluate_text(subject, suite, self.recipe, self.ledger, self.tell)
        added, lost = evaluate_boxed(subject, suite, self.recipe, sandbox_of(self.recipe), self.ledger, self.tell)
        if lost:
            self.tell({"note": f"{len(lost)} attempts were lost to an error of the harness, the first to: {lost[0]}"})
        return added

    def _record(self, step: int, folder: Path, is_planned: bool, paused: str) -> Checkpoint:
        recipe, seed_folder = self.recipe, self.run.seed(self.seed)
        marker = read_marker(folder)
        begun = recipe.stages[: marker.stage]
        lines = [line for line in read_steps(seed_folder.path) if line.step <= step]
        seconds = sum(line.seconds or 0.0 for line in lines)
        return Checkpoint(
            model=recipe.name, seed=self.seed, step=step, recipe=recipe_of(self.run.path, self.resolved.hash),
            document=self.ledger.put_blob(placeless_toml(self.resolved.of_seed(self.seed)).encode()),
            stage=marker.method, base=recipe.base_name, base_hash=self.resolved.file_hash("base", self.seed),
            weights_hash=content_hash(open_model(folder)), data_hash=self.resolved.data_hash(self.seed),
            planned=is_planned, degenerate=_degenerate(begun),
            left_out_family=recipe.tasks.left_out_family, tasks=_tasks(begun, seed_folder, step),
            sampled=sum(line.attempts for line in lines),
            input_tokens=sum(line.input_tokens for line in lines),
            output_tokens=sum(line.output_tokens for line in lines),
            cost_usd=_cost(recipe, lines, seconds), seconds=seconds,
            outage_steps=_left_out(seed_folder, step), paused=paused,
            versions=orjson.dumps(dict(self.resolved.versions), option=orjson.OPT_SORT_KEYS).decode(),
            recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )  # fmt: skip


def _tasks(begun: list[Stage], folder: SeedFolder, step: int) -> int:
    """Return how many distinct tasks and rows were trained on until `step`."""
    rows = sum(len(read_rows(Path(stage.data), stage.method)) for stage in begun if stage.data)
    return rows + len({line.task for line in read_groups(folder.path) if line.step <= step})


def _degenerate(begun: list[Stage]) -> Degenerate:
    """Return the kind of reward that teaches nothing, where a stage had one; it makes a control of the whole run."""
    return next((kind for stage in begun for kind in _DEGENERATE if stage.reward == kind), "")


def _left_out(folder: SeedFolder, step: int) -> tuple[int, ...]:
    """Return the steps until `step` that the watch leaves out of the claim."""
    try:
        said = orjson.loads((folder.path / WATCH_WHOLE).read_bytes())
        return tuple(int(n) for n in said["left_out_steps"] if int(n) <= step)
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"cannot be read: {error}", path=folder.path / WATCH_WHOLE) from error


def _cost(recipe: Recipe, lines: list[StepLine], seconds: float) -> float | None:
    """Return what training cost in USD; None where the recipe states no price of the machine."""
    if recipe.price.usd_per_hour is None:
        return None
    graded = sum(line.attempts for line in lines) * (recipe.price.usd_per_grading or 0.0)
    return seconds / 3600 * recipe.price.usd_per_hour + graded
