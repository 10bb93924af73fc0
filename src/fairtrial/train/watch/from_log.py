"""Watch a run again from its log: the same words as while it went on, and the reviews that came since.

A folder is that of a run (`seed-N` in it), or that of one seed. What a seed's watch began with lies beside its log; of
a log that was not watched, the recipe's settings count, or the defaults; no rate is known before, nothing was paused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fairtrial.audit.hacks import Member
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.train.log import STEPS, GroupLine
from fairtrial.train.recipe import Recipe, Watch
from fairtrial.train.recipe.reading import read_recipe
from fairtrial.train.watch.from_ledger import Said, Told, said_in
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.replay import steps_with_groups
from fairtrial.train.watch.result import Watched
from fairtrial.train.watch.settings import Began, read_settings
from fairtrial.train.watch.watcher import Watcher

_RECIPE, _TRAINING = "recipe.toml", "training"


def is_log(folder: Path) -> bool:
    """Say whether `folder` is that of a run or of one seed."""
    return bool(_seed_folders(folder))


def watch_log(folder: Path) -> tuple[Watched, ...]:
    """Return what the watch says of each seed in `folder`, by number.

    Raise InputError where there is no log, FormatError where a line is no line of one.
    """
    if folder.name in ("", ".."):  # `.` has no name and no parent of its own
        folder = folder.resolve()
    folders = _seed_folders(folder)
    if not folders:
        raise InputError("holds no log of a training run", path=folder,
                         hint=f"DIR of `fairtrial train --out DIR`, or a folder with {STEPS}.")  # fmt: skip
    recipe = _recipe(folder) or _recipe(folder.parent)
    training = next((path for path in (folder / _TRAINING, folder.parent / _TRAINING) if path.is_dir()), None)
    name = recipe.name if recipe else folder.name
    said = said_in(Ledger.open(training), name) if training else {}
    return tuple(_watched(one, seed, name, recipe, said.get(seed)) for one, seed in folders)


def _seed_folders(folder: Path) -> list[tuple[Path, int | None]]:
    if (folder / STEPS).exists():
        return [(folder, _seed_of(folder))]
    found = [(path, _seed_of(path)) for path in folder.glob("seed-*") if (path / STEPS).exists()]
    return sorted((one for one in found if one[1] is not None), key=lambda one: one[1] or 0)


def _seed_of(folder: Path) -> int | None:
    number = folder.name.removeprefix("seed-")
    return int(number) if number != folder.name and number.isdecimal() else None


def _recipe(folder: Path) -> Recipe | None:
    path = folder / _RECIPE
    return read_recipe(path).recipe if path.exists() else None


def _watched(folder: Path, seed: int | None, name: str, recipe: Recipe | None, said: Said | None) -> Watched:
    settings = recipe.watch if recipe else Watch()
    began = read_settings(folder) or Began(settings=settings.model_copy(update={"pause": False}), known=Known())
    watcher = Watcher(began.settings, began.known, continue_past=began.continue_past)
    for step, groups in steps_with_groups(folder):
        told = said.get(step.step, ()) if said is not None and groups else None
        watcher.observe(step, groups, None if told is None else _with_log(told, groups))
    return replace(watcher.watched(), model=name, seed=seed)


def _with_log(told: Sequence[Told], groups: Sequence[GroupLine]) -> list[Member]:
    """Return the attempts with what the ledger says of each, and the log where the ledger does not say."""
    known = {(group.task, text.strip()): hack for group in groups
             for text, hack in zip(group.completions, group.hacks, strict=False) if hack is not None}  # fmt: skip
    return [one.member if one.member.hack is not None or one.answer is None
            else replace(one.member, hack=known.get((one.task, one.answer.strip()))) for one in told]  # fmt: skip
