"""Resolve a recipe: hash all that it names, note versions, and refuse before training what cannot work.

The recipe's hash covers every setting and the content of every file, and not the seeds, so that all seeds of a recipe
share it. A path that holds `{seed}` names one file a seed; it counts by its text, for the files differ as they should.
"""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from fairtrial import __version__
from fairtrial.contamination.identity.folder import content_hash, open_model, read_json
from fairtrial.ledger import Ledger, connect
from fairtrial.records import FairtrialError, InputError, record_id
from fairtrial.tasks.hashes import file_digest
from fairtrial.tasks.text import TextSuite
from fairtrial.tasks.toml import Place, field_name
from fairtrial.train.recipe.checking import check
from fairtrial.train.recipe.reading import SEED, ReadRecipe, paths_of, with_paths
from fairtrial.train.recipe.schema import Recipe, Resolved
from fairtrial.train.recipe.suites import AnySuite, read_tasks, without_family

PACKAGES = ("torch", "transformers", "trl", "peft", "accelerate", "datasets", "tokenizers", "numpy")
"""What training rests on; a version of one of them may change the last bit of every weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRecipe:
    """A recipe that can be run, with all that was read on the way."""

    recipe: Recipe
    """Paths absolute, `resolved` filled in."""
    train: AnySuite | None
    """Training tasks, without the family that is left out."""
    held_out: AnySuite | None

    @property
    def hash(self) -> str:
        """Return the content address of the recipe."""
        assert self.recipe.resolved is not None
        return self.recipe.resolved.recipe

    def file_hash(self, field: str, seed: int) -> str:
        """Return the content address of what `field` names; empty where it names nothing."""
        assert self.recipe.resolved is not None
        files = self.recipe.resolved.files
        return files.get(field) or files.get(f"{field} seed {seed}", "")

    @property
    def versions(self) -> Mapping[str, str]:
        """Return the versions under which it was first resolved."""
        assert self.recipe.resolved is not None
        return self.recipe.resolved.versions

    def after(self, earlier: Resolved) -> ResolvedRecipe:
        """Return it with the versions under which its run began, and what was known of the files of other seeds."""
        assert self.recipe.resolved is not None
        now = self.recipe.resolved
        resolved = now.model_copy(update={"versions": earlier.versions, "files": earlier.files | now.files})
        return replace(self, recipe=self.recipe.model_copy(update={"resolved": resolved}))

    def of_seed(self, seed: int) -> Recipe:
        """Return the recipe as it holds for one seed alone, `{seed}` still in its paths."""
        assert self.recipe.resolved is not None
        files = {field: digest for field, digest in self.recipe.resolved.files.items()
                 if " seed " not in field or field.endswith(f" seed {seed}")}  # fmt: skip
        resolved = self.recipe.resolved.model_copy(update={"files": files})
        return self.recipe.model_copy(update={"seeds": [seed], "resolved": resolved})

    def data_hash(self, seed: int) -> str:
        """Return the content address of all that a seed is trained on."""
        return record_id("training-data/1", {field: self.file_hash(field, seed) for field in self._data_fields()})

    def _data_fields(self) -> Iterator[str]:
        if any(stage.method == "grpo" for stage in self.recipe.stages):
            yield "tasks.train"
        yield from (f"stages[{number}].data" for number, stage in enumerate(self.recipe.stages) if stage.data)


def require_extra() -> None:
    """Raise InputError where what trains models is not installed."""
    if missing := [name for name in ("torch", "transformers", "trl") if find_spec(name) is None]:
        raise InputError(
            f"training needs {', '.join(missing)}, not installed here", hint='pip install "fairtrial[train]"'
        )


def resolve(read: ReadRecipe) -> ResolvedRecipe:
    """Resolve what was read. Raise FormatError, naming line and field, for the first thing that cannot work."""
    recipe = read.recipe
    train = _tasks(read, "train")
    held_out = _tasks(read, "held_out")
    files: dict[str, str] = {}
    for place, text in paths_of(recipe):
        files |= _hashed(read, place, text, train if place[-1] == "train" else held_out)
    check(read, train, held_out)
    if train is not None:
        train = without_family(train, recipe.tasks.left_out_family)
    first = recipe.resolved.versions if recipe.resolved is not None else {}
    resolved = Resolved(recipe=_recipe_hash(recipe, files), files=files, versions=first or versions())
    _refuse_changed(read, resolved)
    values = recipe.model_copy(update={"resolved": resolved})
    return ResolvedRecipe(recipe=values, train=train, held_out=held_out)


def versions() -> dict[str, str]:
    """Return the versions of what trains here; what is not installed is left out."""
    found = {"fairtrial": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _tasks(read: ReadRecipe, field: str) -> AnySuite | None:
    text = getattr(read.recipe.tasks, field)
    if not text:
        return None
    if SEED in text:
        raise read.error("holds `{seed}`; all seeds share their tasks", ("tasks", field))
    if not Path(text).exists():
        raise read.error(f"there is no {text}", ("tasks", field), "Paths lie beside the recipe.")
    return read_tasks(Path(text))


def _hashed(read: ReadRecipe, place: Place, text: str, suite: AnySuite | None) -> Iterator[tuple[str, str]]:
    """Yield (field, content address) of one path: one entry, or one a seed."""
    if place[0] == "tasks":
        assert suite is not None
        yield field_name(place), _suite_hash(suite)
        return
    seeds = read.seeds if SEED in text else [0]
    for seed in seeds:
        path = Path(text.replace(SEED, str(seed)))
        name = field_name(place) + (f" seed {seed}" if SEED in text else "")
        if not path.exists():
            raise read.error(f"there is no {path}", place, "Paths lie beside the recipe.")
        try:
            yield name, _hash_of(place, path)
        except FairtrialError as error:
            raise read.error(str(error), place) from error


def _hash_of(place: Place, path: Path) -> str:
    if place[-1] in ("base", "reward_model"):
        model = open_model(path)
        if any("auto_map" in read_json(path / name) for name in ("config.json", "tokenizer_config.json")):
            raise InputError("names code of its own (`auto_map`), which is never run",
                             hint="Where transformers knows the model, take the key out of its files.")  # fmt: skip
        if model.adapter is not None:
            raise InputError("is an adapter alone", hint="Merge it into its base and name the merged model.")
        if place[-1] == "base" and not any((path / name).is_file() for name in ("tokenizer.json", "tokenizer.model")):
            raise InputError("holds no tokenizer (tokenizer.json)", hint="Save the tokenizer beside the model.")
        return content_hash(model)
    if place[-1] == "rates":
        return _rates_hash(path)
    if not path.is_file():
        raise InputError("is not a file")
    return file_digest(path)


def _rates_hash(path: Path) -> str:
    """Return the content address of the pass rates that a ledger holds; its files are named for times."""
    rows = (
        connect(Ledger.open(path))
        .execute("select task, model, outcome, count(*) from outcomes group by all order by all")
        .fetchall()
    )
    return record_id("rates/1", {"rows": [list(row) for row in rows]})


def _suite_hash(suite: AnySuite) -> str:
    return suite.identity if isinstance(suite, TextSuite) else f"{suite.name}@{suite.hash}"


def _recipe_hash(recipe: Recipe, files: Mapping[str, str]) -> str:
    """Return the content address of a recipe: a path counts by content, one with `{seed}` by the name it ends in."""
    placed = with_paths(recipe, lambda place, text: files.get(field_name(place), Path(text).name))
    # What a judge may cost says when a run stops, not what it trains: more may be granted to one that stopped.
    bounds = {"__all__": {"credit": {"judge_usd", "judge_tokens"}}}
    return record_id("recipe/1", placed.model_dump(exclude={"seeds": True, "resolved": True, "stages": bounds}))


def _refuse_changed(read: ReadRecipe, now: Resolved) -> None:
    """Refuse a resolved recipe whose files, or whose settings, are no longer what they were."""
    before = read.recipe.resolved
    if before is None:
        return
    for field, digest in before.files.items():
        if field in now.files and now.files[field] != digest:
            raise read.error(f"what `{field}` names has changed since the recipe was resolved", ("resolved", "files"),
                             "Put back what was there, or take out [resolved] to start anew.")  # fmt: skip
    if before.recipe != now.recipe:
        raise read.error("the recipe has changed since it was resolved", ("resolved", "recipe"),
                         "Take out [resolved] to start anew under another folder.")  # fmt: skip
