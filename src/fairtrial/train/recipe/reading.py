"""Read recipe.toml: paths lie beside the file and are made absolute; `{seed}` stays until a seed is filled in.

Errors name file, line and field. Not covered: whether what the paths name is fit to train on (`resolving`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairtrial.records import FormatError
from fairtrial.tasks.toml import Place, TomlFile, check_values, read_toml
from fairtrial.train.recipe.schema import Recipe, Stage

SEED = "{seed}"


@dataclass(frozen=True, slots=True)
class ReadRecipe:
    """A recipe with absolute paths, and the file that it came from, which words the errors."""

    recipe: Recipe
    file: TomlFile
    seeds: tuple[int, ...]
    """Those whose files are looked at; at first all of the recipe's."""

    def only(self, seeds: Sequence[int]) -> ReadRecipe:
        """Return it for some of its seeds alone; none named: for all. Raise FormatError where it has no such seed."""
        if unknown := [seed for seed in seeds if seed not in self.recipe.seeds]:
            raise self.error(f"does not name the seed {unknown[0]}", ("seeds",))
        return replace(self, seeds=tuple(seed for seed in self.recipe.seeds if not seeds or seed in seeds))

    def error(self, what: str, place: Place, hint: str | None = None) -> FormatError:
        """Return an error that names the file, the line and the field at `place`."""
        return self.file.error(what, place, hint)


def read_recipe(path: Path) -> ReadRecipe:
    """Read the recipe at `path`. Raise FormatError with the line of the first key that does not fit."""
    file = read_toml(path, may_be_marked=True)
    recipe, errors = check_values(Recipe, file)
    if recipe is None:
        raise errors[0]
    beside = path.resolve().parent
    absolute = with_paths(recipe, lambda _, text: os.path.normpath(beside / Path(text).expanduser()))
    read = ReadRecipe(absolute, file, tuple(absolute.seeds))
    _refuse_repeats(read)
    return read


def _refuse_repeats(read: ReadRecipe) -> None:
    """Refuse what the types allow and no run can mean."""
    recipe = read.recipe
    if len(set(recipe.seeds)) < len(recipe.seeds):
        raise read.error("names a seed twice", ("seeds",))
    if recipe.name == recipe.base_name:
        raise read.error(f"`{recipe.name}` is the name of the base too; a ledger could not tell them apart", ("name",),
                         "Give one of them another name.")  # fmt: skip


def paths_of(recipe: Recipe) -> Iterator[tuple[Place, str]]:
    """Yield the place and text of every path that `recipe` names."""
    yield ("base",), recipe.base
    for name in ("train", "held_out"):
        if text := getattr(recipe.tasks, name):
            yield ("tasks", name), text
    for number, stage in enumerate(recipe.stages):
        yield from _paths_of_stage(stage, ("stages", number))


def _paths_of_stage(stage: Stage, at: Place) -> Iterator[tuple[Place, str]]:
    named: dict[Place, str] = {
        ("data",): stage.data,
        ("reward_model",): stage.reward_model,
        ("credit", "criteria"): stage.credit.criteria,
        ("sampling", "rates"): stage.sampling.rates,
    }
    return (((*at, *place), text) for place, text in named.items() if text)


def with_paths(recipe: Recipe, change: Callable[[Place, str], str]) -> Recipe:
    """Return `recipe` with each path as `change` of its place and text makes it."""
    values = recipe.model_dump()
    for place, text in paths_of(recipe):
        inside: Any = values
        for part in place[:-1]:
            inside = inside[part]
        inside[place[-1]] = change(place, text)
    return Recipe.model_validate(values)


def for_seed(recipe: Recipe, seed: int) -> Recipe:
    """Return `recipe` with `seed` in place of `{seed}` in every path."""
    return with_paths(recipe, lambda _, text: text.replace(SEED, str(seed)))
