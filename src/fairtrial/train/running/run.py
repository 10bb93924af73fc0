"""A whole run: settle the recipe in its folder, run its seeds, say how each ended.

Loads no torch: the seeds' processes do. Not covered: what a gain is worth (`lift`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.tasks import Suite
from fairtrial.train.recipe.checking import total_steps
from fairtrial.train.recipe.reading import SEED, for_seed
from fairtrial.train.recipe.resolving import ResolvedRecipe, require_extra, versions
from fairtrial.train.rewards.criteria import refuse_criteria
from fairtrial.train.running.chain import sandbox_of, standing
from fairtrial.train.running.due import is_done
from fairtrial.train.running.folder import RunFolder
from fairtrial.train.running.paying import settle_function
from fairtrial.train.running.seeds import Heard, Orders, SeedEnd, has_gpu, run_seeds
from fairtrial.train.running.sharing import refuse_taken


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a person may choose of a run; none of it changes what is trained."""

    ledger: Path | None = None
    """Ledger of the evaluations; None: the run's own."""
    seeds: tuple[int, ...] = ()
    """Of the recipe's; none: all."""
    at_once: int = 1
    resume: bool = True
    go_on: bool = False
    """Go on past the step at which the watch paused the run."""
    explore: int | None = None
    """Evaluate this step alone, and train nothing."""
    grader: str = ""
    """MODULE:FUNCTION of the user's that pays in place of the tasks' own grader; empty: that one pays."""
    allow_unisolated: bool = False
    """Run a model's commands in a sandbox that does not isolate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a run ended."""

    resolved: ResolvedRecipe
    seeds: tuple[SeedEnd, ...]
    ledger: Path
    notes: tuple[str, ...] = ()
    """What a reader must know."""

    @property
    def paused(self) -> bool:
        """Say whether the watch paused a seed."""
        return any(end.paused for end in self.seeds)

    @property
    def failed(self) -> tuple[SeedEnd, ...]:
        """Return the seeds that did not end as they should."""
        return tuple(end for end in self.seeds if end.error)


def run_recipe(recipe: Path, out: Path, options: RunOptions, heard: Heard, begin: Callable[[int], None]) -> Run:
    """Run the recipe; `begin` is told how many optimiser steps are left over the chosen seeds.

    Raise InputError before anything is trained where it cannot work.
    """
    require_extra()
    run = RunFolder(out)
    if options.explore and not run.recipe.exists():
        raise InputError("holds no run", path=out, hint="Only a checkpoint that was kept can be evaluated.")
    resolved = run.settle(recipe, options.seeds, resume=options.resume)
    _refuse_unisolated(resolved, options)
    if options.explore is None:
        settle_function(out, resolved.recipe, options.grader)
        refuse_criteria(resolved.recipe, [task.hash for task in resolved.held_out.tasks] if resolved.held_out else [])
    seeds = [seed for seed in resolved.recipe.seeds if not options.seeds or seed in options.seeds]
    ledger = options.ledger or run.ledger
    opened = Ledger.open(ledger, create=True)
    refuse_taken(opened, run, resolved, seeds)
    base_by = _base_by(resolved, seeds, options)
    done = {} if options.explore is not None else _done(run, resolved, seeds, options, base_by, opened)
    begin(0 if options.explore is not None else sum(_steps_left(run, resolved, seed) for seed in seeds))
    orders = Orders(ledger=str(ledger), threads=resolved.recipe.threads, go_on=options.go_on,
                    methods=tuple(sorted({stage.method for stage in resolved.recipe.stages})),
                    forks=resolved.recipe.device == "cpu" or not has_gpu(),
                    base_by=base_by, explore=options.explore, grader=options.grader)  # fmt: skip
    left = [seed for seed in seeds if seed not in done]
    ends = {end.seed: end for end in run_seeds(run, left, orders, at_once=options.at_once, heard=heard)} if left else {}
    return Run(resolved=resolved, seeds=tuple((ends | done)[seed] for seed in seeds), ledger=ledger,
               notes=_notes(resolved))  # fmt: skip


def _done(run: RunFolder, resolved: ResolvedRecipe, seeds: Sequence[int], options: RunOptions,
          base_by: frozenset[int], ledger: Ledger) -> dict[int, SeedEnd]:  # fmt: skip
    """Return how the seeds ended of which nothing is left to do. Raise InputError where another process has one."""
    found = {}
    for seed in seeds:
        folder, recipe = run.seed(seed), for_seed(resolved.recipe, seed)
        with folder.held():
            at = standing(folder, Path(recipe.base))
            goes_on = bool(at.paused) and options.go_on
            if not goes_on and is_done(run.path, folder, resolved, seed, at, ledger, with_base=seed in base_by):
                found[seed] = SeedEnd(seed=seed, steps=at.step, whole=at.next >= len(recipe.stages), paused=at.paused)
    return found


def _steps_left(run: RunFolder, resolved: ResolvedRecipe, seed: int) -> int:
    return max(0, total_steps(resolved.recipe, seed) - standing(run.seed(seed), Path(resolved.recipe.base)).step)


def _refuse_unisolated(resolved: ResolvedRecipe, options: RunOptions) -> None:
    if options.allow_unisolated or not any(isinstance(one, Suite) for one in (resolved.train, resolved.held_out)):
        return
    sandbox = sandbox_of(resolved.recipe)
    if not sandbox.capability().isolated:
        raise InputError(f"the sandbox `{sandbox.name}` does not isolate, and a model would choose commands in it",
                         field="tasks.sandbox", hint="Name bwrap or container, or take the risk with "
                         "--allow-unisolated.")  # fmt: skip


def _base_by(resolved: ResolvedRecipe, seeds: Sequence[int], options: RunOptions) -> frozenset[int]:
    """Return the seeds that evaluate the base: each its own, or the first the one that they share."""
    asked = resolved.recipe.evaluation
    if options.explore is not None:
        return frozenset(seeds if SEED in resolved.recipe.base else seeds[:1]) if options.explore == 0 else frozenset()
    if not asked.base and 0 not in asked.steps and resolved.recipe.stages:
        return frozenset()
    return frozenset(seeds if SEED in resolved.recipe.base else seeds[:1])


def _notes(resolved: ResolvedRecipe) -> tuple[str, ...]:
    began, now = resolved.versions, versions()
    changed = [f"{name} {began[name]} -> {now.get(name, 'absent')}" for name in began if began[name] != now.get(name)]
    notes = [f"the run began under other versions ({', '.join(changed)}); weights may differ from an uninterrupted run"]
    if resolved.held_out is None:
        return (*(notes if changed else ()), "the recipe names no held-out tasks, so nothing was evaluated")
    return tuple(notes) if changed else ()
