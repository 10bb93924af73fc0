"""Which checkpoint of a model is compared: of each seed the last that was planned, or the step that was asked for.

What was chosen after the results could be seen is exploratory, and marked: a checkpoint that the recipe did not name,
or, where no checkpoint is recorded, a step other than the last. Not covered: what a checkpoint is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairtrial.records import Checkpoint, InputError
from fairtrial.train.lift.reading import Line

Recorded = Mapping[tuple[int | None, int], Checkpoint]
"""Checkpoints of one model by (seed, step)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The rollouts of one checkpoint a seed."""

    lines: tuple[Line, ...]
    steps: Mapping[int | None, int | None]
    """Step of each seed."""
    others: tuple[int, ...]
    exploratory: bool
    checkpoints: tuple[Checkpoint, ...]
    """Of the seeds that record one."""
    notes: tuple[str, ...] = ()

    @property
    def step(self) -> int | None:
        """Return the step that all seeds share; None where there is none."""
        found = set(self.steps.values())
        return next(iter(found)) if len(found) == 1 else None


def chosen(name: str, lines: Sequence[Line], recorded: Recorded, asked: int | None) -> Chosen:
    """Return what of the model `name` is compared. Raise InputError where no rollout is of the step `asked`."""
    by_seed: dict[int | None, set[int | None]] = {}
    for line in lines:
        by_seed.setdefault(line.seed, set()).add(line.step)
    every = sorted({step for steps in by_seed.values() for step in steps if step is not None})
    if asked is not None and asked not in every:
        held = f"It holds {', '.join(map(str, every))}." if every else "Its rollouts name no step."
        raise InputError(f"no rollout of `{name}` is of step {asked}", field="--step", hint=held)
    steps: dict[int | None, int | None] = {}
    notes: list[str] = []
    exploratory = False
    for seed, found in sorted(by_seed.items(), key=lambda item: (item[0] is not None, item[0] or 0)):
        mine = {step: each for (of, step), each in recorded.items() if seed in (of, None)}
        step, is_planned = _step_of(found, mine, asked)
        if asked is not None and step is None:
            notes.append(f"seed {seed} has no rollout of step {asked} and is left out")
            continue
        steps[seed] = step
        exploratory |= not is_planned
    kept = tuple(line for line in lines if line.seed in steps and line.step == steps[line.seed])
    if unnamed := sum(line.runs for line in lines if line.step is None and steps.get(line.seed) is not None):
        notes.append(f"{unnamed:,} rollouts that name no step are left out")
    found_steps = {step for step in steps.values() if step is not None}
    if len(found_steps) > 1:
        notes.append("seeds stand at several steps: "
                     + ", ".join(f"seed {seed} at {step}" for seed, step in steps.items()))  # fmt: skip
    checkpoints = tuple(each for (seed, step), each in recorded.items()
                        if step in (steps.get(seed), steps.get(None)))  # fmt: skip
    return Chosen(lines=kept, steps=steps, others=tuple(step for step in every if step not in found_steps),
                  exploratory=exploratory, checkpoints=checkpoints, notes=tuple(notes))  # fmt: skip


def _step_of(found: set[int | None], recorded: Mapping[int, Checkpoint], asked: int | None) -> tuple[int | None, bool]:
    """Return the step of one seed, and whether it was fixed before training, as far as the records tell."""
    numbered = sorted(step for step in found if step is not None)
    if asked is not None and asked not in numbered:
        return None, True
    if not numbered:
        return None, True
    if not recorded:
        step = numbered[-1] if asked is None else asked
        return step, step == numbered[-1]
    planned = [step for step in numbered if step in recorded and recorded[step].planned]
    if asked is None:
        return (planned or numbered)[-1], bool(planned)
    return asked, asked in planned
