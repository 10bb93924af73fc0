"""The folder of a run, and the recipe in it: written once, held against on every later call.

DIR/recipe.toml                the recipe as it was resolved
DIR/ledger, DIR/training       evaluations and checkpoints; rollouts sampled in training
DIR/seed-N/groups.jsonl        the log (and steps.jsonl, watch.json)
DIR/seed-N/checkpoints/step-K  models, the latest with what it is resumed from
DIR/seed-N/model               the last policy, when the seed is whole
DIR/seed-N/train.log           what the libraries said
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import InputError
from fairtrial.train.recipe.reading import read_recipe
from fairtrial.train.recipe.resolving import ResolvedRecipe, resolve
from fairtrial.train.recipe.writing import recipe_toml

RECIPE = "recipe.toml"
_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class SeedFolder:
    """The folder of one seed."""

    path: Path

    @property
    def checkpoints(self) -> Path:
        """Folder of `step-K`."""
        return self.path / "checkpoints"

    @property
    def model(self) -> Path:
        """Folder of the last policy."""
        return self.path / "model"

    @property
    def log(self) -> Path:
        """File of what the libraries said."""
        return self.path / "train.log"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep all other processes out. Raise InputError where one is at work; the lock goes with its process."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / _LOCK).open("ab")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=self.path) from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError("another process trains this seed", path=self.path,
                                 hint="Wait for it, or name another folder.") from error  # fmt: skip
            yield


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run."""

    path: Path

    @property
    def recipe(self) -> Path:
        """File of the resolved recipe."""
        return self.path / RECIPE

    @property
    def ledger(self) -> Path:
        """Ledger of evaluations, where no other is named."""
        return self.path / "ledger"

    @property
    def training(self) -> Path:
        """Ledger of the rollouts sampled in training."""
        return self.path / "training"

    @property
    def log(self) -> Path:
        """File of what the libraries said as they were loaded for several seeds."""
        return self.path / "train.log"

    def seed(self, number: int) -> SeedFolder:
        """Return the folder of a seed."""
        return SeedFolder(self.path / f"seed-{number}")

    def settle(self, recipe: Path, seeds: Sequence[int] = (), *, resume: bool = True) -> ResolvedRecipe:
        """Resolve the recipe for `seeds` (none: all) and write it here; return it.

        Raise InputError where the folder holds another recipe, or holds a run that is not to be resumed.
        """
        resolved = resolve(read_recipe(recipe).only(seeds))
        if self.recipe.exists():
            resolved = self._held_to(resolved, resume=resume)
        elif self.path.is_file():
            raise InputError("is a file", path=self.path, hint="Name a folder.")
        elif self.path.exists() and any(self.path.iterdir()):
            raise InputError("is not empty, and no run", path=self.path, hint="Name another folder.")
        self._write(resolved)
        return resolved

    def _held_to(self, resolved: ResolvedRecipe, *, resume: bool) -> ResolvedRecipe:
        """Return the recipe with the versions under which the run began, if it is the one that the folder holds."""
        held = read_recipe(self.recipe).recipe.resolved
        if not resume:
            raise InputError("holds a run already", path=self.path, hint="Name another folder, or resume it.")
        if held is None or held.recipe != resolved.hash:
            raise InputError("holds a run of another recipe", path=self.path,
                             hint="What a run is held to is fixed before it starts; name another folder.")  # fmt: skip
        now = resolved.recipe.resolved
        if now is not None and (moved := sorted(field for field, digest in now.files.items()
                                                if held.files.get(field, digest) != digest)):  # fmt: skip
            raise InputError(f"was begun with another content of `{moved[0]}`", path=self.path,
                             hint="Put back what was there, or name another folder.")  # fmt: skip
        return resolved.after(held)

    def _write(self, resolved: ResolvedRecipe) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            temporary = self.path / f".{RECIPE}.{os.getpid()}"
            temporary.write_text(recipe_toml(resolved.recipe, self.path), encoding="utf-8")
            temporary.replace(self.recipe)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=self.path) from error
