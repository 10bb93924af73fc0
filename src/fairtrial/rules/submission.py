"""SUBMISSION.toml, ours: what somebody hands in, and what it was made from.

    model = "ada-1"                     # as its rollouts name it
    base = "small-base"                 # as the base model's rollouts name it
    entrant = "ada"
    training_set = ["train.jsonl"]      # the rows that were trained on
    training_log = "hashes.txt"         # what the training run wrote of the files that it read
    weights = "weights"
    trajectories = ["trajectory.json"]
    artifacts = ["workspace"]           # scripts, logs and the like

Paths lie beside the file. What is not named is not measured. docs/rules.md describes every field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.records import InputError
from fairtrial.rules.fields import Count, MaybePath, PathText, Title, Words, beside, is_there
from fairtrial.rules.schema import BenchmarkRules, Track
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

MOST_TOLD = 200
"""Characters of a path that an error repeats."""
UNFOLLOWED = ("trajectories", "artifacts", "evaluator", "evaluator_versions")
"""Fields in whose folders links are not followed: an environment of programs that an agent left is full of them."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Cost(_Table):
    """[cost]: of making the model, not of evaluating it."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class SubmissionToml(_Table):
    """The whole of SUBMISSION.toml."""

    model: Words
    base: Title = ""
    entrant: Title = ""
    track: Title = ""
    """Track for which it is handed in; empty: every one."""
    training_set: list[PathText] = []
    training_log: MaybePath = ""
    """`sha256sum` lines, or a JSON object of path to hash."""
    weights: MaybePath = ""
    base_weights: MaybePath = ""
    """Only where the rules name none for the base."""
    known: list[PathText] = []
    """Folders of models beside those that the rules name."""
    evaluator: MaybePath = ""
    """Folder of the evaluator as the agent left it."""
    evaluator_versions: MaybePath = ""
    """Folder with what the evaluator's files held meanwhile: PATH/DIGEST for each version."""
    trajectories: list[PathText] = []
    artifacts: list[PathText] = []
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A submission as it lies on disk, held against the rules."""

    path: Path
    toml: SubmissionToml
    tracks: tuple[Track, ...]

    def beside(self, path: str) -> Path:
        """Return a path that the file names, from the folder in which the file lies."""
        return beside(self.path, path)

    def all_beside(self, paths: Iterable[str]) -> list[Path]:
        """Return several of them."""
        return [self.beside(path) for path in paths]

    def base_weights(self, rules: BenchmarkRules) -> Path | None:
        """Return the folder of the base's weights: that of the rules, else the one which was handed in."""
        named = next((base.weights for base in rules.toml.base if base.model == self.toml.base), "")
        if named:
            return rules.beside(named)
        return self.beside(self.toml.base_weights) if self.toml.base_weights else None

    def known(self, rules: BenchmarkRules) -> list[Path]:
        """Return the folders of other models with which the weights are compared, each once."""
        folders = [rules.beside(path) for path in rules.toml.identity.known] + self.all_beside(self.toml.known)
        return list({folder.resolve(): folder for folder in folders}.values())


def read_submission(path: Path, rules: BenchmarkRules, within: Path | None = None) -> HandedIn:
    """Read the SUBMISSION.toml at `path`, whose paths stay `within` a folder, its own unless another is named.

    Raise FormatError with line and field for what does not fit the rules.
    """
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(SubmissionToml, file)
    if errors or read is None:
        raise errors[0]
    found = HandedIn(path, read, _tracks(read, rules, file))
    _check_model(read, rules, file)
    _check_base(read, rules, file)
    _check_paths(found, file, (within or path.parent).resolve())
    return found


def _tracks(read: SubmissionToml, rules: BenchmarkRules, file: TomlFile) -> tuple[Track, ...]:
    tracks = tuple(track for track in rules.tracks if read.track in ("", track.name))
    if not tracks:
        raise file.error(f"the rules have no track `{read.track}`", ("track",),
                         f"Tracks: {', '.join(track.name for track in rules.tracks)}.")  # fmt: skip
    return tracks


def _check_model(read: SubmissionToml, rules: BenchmarkRules, file: TomlFile) -> None:
    """Raise FormatError for a submission that goes by the name of a base or of its sibling."""
    if read.model in {name for base in rules.toml.base for name in (base.model, base.instruct)} or (
        read.model == read.base
    ):
        raise file.error(f"`{read.model}` is a base model or its sibling, not a submission", ("model",),
                         "A submission has a name of its own, by which its rollouts are known.")  # fmt: skip


def _check_base(read: SubmissionToml, rules: BenchmarkRules, file: TomlFile) -> None:
    bases = {base.model: base for base in rules.toml.base}
    if not bases:
        return
    if read.base not in bases:
        what = f"`{read.base}` is no base model of the rules" if read.base else "is missing"
        raise file.error(what, ("base",), f"Base models: {', '.join(bases)}.")
    if read.base_weights and bases[read.base].weights:
        raise file.error("the rules name the weights of this base, and these are compared", ("base_weights",),
                         "Leave it out.")  # fmt: skip


def _check_paths(found: HandedIn, file: TomlFile, within: Path) -> None:
    """Raise FormatError for a path that leads nowhere, or out of the folder: who hands in chooses what is read."""
    toml = found.toml
    named: dict[str, list[str]] = {
        "training_set": toml.training_set, "training_log": [toml.training_log], "weights": [toml.weights],
        "base_weights": [toml.base_weights], "known": toml.known, "trajectories": toml.trajectories,
        "artifacts": toml.artifacts, "evaluator": [toml.evaluator], "evaluator_versions": [toml.evaluator_versions],
    }  # fmt: skip
    for field, path in ((field, path) for field, paths in named.items() for path in paths if path):
        place = found.beside(path)
        if not is_there(place):
            raise file.error(f"there is no {path[:MOST_TOLD]}", (field,), "Paths lie beside the file.")
        reached = [place] if field in UNFOLLOWED else _reached(place)
        if astray := next((one for one in reached if not one.resolve().is_relative_to(within)), None):
            by = "" if astray == place else f" by {astray.relative_to(place)}"
            raise file.error(f"{path} leads{by} out of {within}", (field,),
                             "What is read is shown to judges. `--within FOLDER` names a wider folder.")  # fmt: skip


def _reached(place: Path) -> Iterator[Path]:
    """Yield a path, and the links below it: what else lies there stays there."""
    yield place
    if place.is_dir():
        yield from sorted(one for one in place.rglob("*") if one.is_symlink())


def check_rules_paths(rules: BenchmarkRules) -> None:
    """Raise InputError for a path of the rules file that leads nowhere."""
    for track in rules.toml.track:
        for field in ("against", "control", "decoys"):
            for path in getattr(track, field):
                _must_exist(rules, path, f"track.{field}")
        if track.evaluator:
            _must_exist(rules, track.evaluator, "track.evaluator")
    for base in rules.toml.base:
        if base.weights:
            _must_exist(rules, base.weights, "base.weights")
    for path in rules.toml.identity.known:
        _must_exist(rules, path, "identity.known")


def _must_exist(rules: BenchmarkRules, path: str, field: str) -> None:
    if not is_there(rules.beside(path)):
        raise InputError(
            f"there is no {path[:MOST_TOLD]}", path=rules.path, field=field, hint="Paths lie beside the file."
        )
