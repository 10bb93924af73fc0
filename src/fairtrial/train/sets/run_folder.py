"""What the folder of a run says of the rollouts that were sampled in its training: a control arm's, or of an outage.

The ledger `training` of a run holds them from the first step on, long before a checkpoint is recorded; the recipe and
the watch lie beside it. A ledger that lies in no run says it by its checkpoints alone (`objections`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson

from fairtrial.records import FormatError
from fairtrial.train.recipe.reading import read_recipe
from fairtrial.train.watch.live import WATCH_WHOLE

_RECIPE, _TRAINING = "recipe.toml", "training"
_DEGENERATE = ("random", "constant", "format", "length")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRun:
    """What is known of a run's rollouts."""

    controls: frozenset[tuple[str, int]] = frozenset()
    """(model, seed) whose reward teaches nothing."""
    outages: frozenset[tuple[str, int | None, int | None]] = frozenset()
    """(model, seed, step) that the watch leaves out of the claim."""
    not_measured: tuple[str, ...] = ()


def read_run(ledger: Path) -> OfRun:
    """Return what lies beside the ledger of a run's training; nothing of any other. Raise FormatError as read."""
    folder = ledger.resolve()
    file = folder.parent / _RECIPE
    if folder.name != _TRAINING or not file.is_file():
        return OfRun()
    recipe = read_recipe(file).recipe
    if any(stage.reward in _DEGENERATE for stage in recipe.stages):
        return OfRun(controls=frozenset((recipe.name, seed) for seed in recipe.seeds))
    outages: set[tuple[str, int | None, int | None]] = set()
    unsaid = []
    for seed in recipe.seeds:
        watch = folder.parent / f"seed-{seed}" / WATCH_WHOLE
        if watch.is_file():
            outages |= {(recipe.name, seed, step) for step in _left_out(watch)}
        else:
            unsaid.append(str(seed))
    why = (f"Steps of an outage: the watch has not ended on seed {', '.join(unsaid)}.",) if unsaid else ()
    return OfRun(outages=frozenset(outages), not_measured=why)


def _left_out(path: Path) -> list[int]:
    try:
        return [int(step) for step in orjson.loads(path.read_bytes())["left_out_steps"]]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"cannot be read: {error}", path=path) from error
