"""rules.toml, ours: the rules of a benchmark, in one file. What the agent reads, the judges' prompts, the checks that
run and the board all come from it.

    [benchmark]
    name = "ledgers"            # with version, the name of the rules: ledgers@1.0#HASH
    version = "1.0"
    runs_per_task = 4

That is a whole file. The tables below may be added; an unknown key is an error, as a misspelt one would silently rule
less. Paths are as written, and lie beside the file. docs/rules.md describes every field.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from fairtrial.contamination.result import LEVEL
from fairtrial.records import Rule, canonical_json, digest
from fairtrial.rules import words
from fairtrial.rules.fields import MaybePath, Name, PathText, Runs, Title, Variable, Words, beside
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

SCHEMA = "fairtrial.rules/1"
RULES: tuple[Rule, ...] = get_args(Rule)
CHECKED: tuple[Rule, ...] = ("contamination", "usage", "lookup", "identity")
"""What is checked unless the rules name it: `edits` is for benchmarks whose evaluator lies in the agent's reach."""
HASH_DIGITS = 16
LEAST_FPR = 0.00001
"""The smallest that the command takes."""


def _once(rules: list[Rule]) -> list[Rule]:
    if len(set(rules)) < len(rules):
        raise ValueError("should name each rule once")
    return rules


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Benchmark(_Table):
    """[benchmark]"""

    name: Name
    version: Name
    title: Title = ""
    runs_per_task: Runs | None = None
    """For every track that names none of its own."""
    checked: Annotated[list[Rule], AfterValidator(_once)] = list(CHECKED)
    """Rules by which a row must have been judged; [] where only results are compared."""
    repository: list[Words] = []
    leaderboard: list[Words] = []
    traces: list[Words] = []
    names: list[Words] = []
    """Other words (data sets, packages) by which it is found: opening what they name is a look-up."""


class Track(_Table):
    """[[track]]: one suite, and what its results are locked to."""

    name: Name
    suite: Title = ""
    """Hash or name; empty, as the next two: the board locks on what most rows have, and says so."""
    settings: Title = ""
    environment: Title = ""
    runs_per_task: Runs | None = None
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """None: from the base and instruct models' scores."""
    against: list[PathText] = []
    """Evaluation files, or folders of tasks, with which training sets are compared."""
    control: list[PathText] = []
    """Rows that cannot be contaminated, from which thresholds are set."""
    decoys: list[PathText] = []
    """Items like those of the evaluation set that nobody could see."""
    evaluator: MaybePath = ""
    """Folder with the evaluator, as agents get it."""


class Base(_Table):
    """[[base]]: a model from which submissions may be made."""

    model: Words
    """As rollouts name it."""
    instruct: Title = ""
    """Its official instruct sibling, as rollouts name it; for the weights of tracks."""
    weights: MaybePath = ""
    """Folder of its weights; where it is named, a submission is compared with these and no others."""


class Contamination(_Table):
    """[contamination]"""

    allowed: list[Words] = list(words.ALLOWED_DATA)
    forbidden: list[Words] = list(words.FORBIDDEN_DATA)
    fpr: Annotated[float, Field(ge=LEAST_FPR, lt=0.5)] = 0.01
    """Share of uncontaminated rows that the command may flag."""
    level: Annotated[float, Field(ge=LEAST_FPR, lt=0.5)] = LEVEL
    """How often each question of the command may call an uncontaminated training set."""


class Usage(_Table):
    """[usage]"""

    allowed: list[Words] = list(words.ALLOWED_USAGE)
    forbidden: list[Words] = list(words.FORBIDDEN_USAGE)
    external_hosts: list[Words] = ["default"]
    """Hosts of models that count as external; `default` stands for the list that fairtrial has."""
    allowed_hosts: list[Words] = []
    """Hosts that do not, beside the machine's own."""


class Lookup(_Table):
    """[lookup]: what is looked up is named in [benchmark]."""

    allowed: list[Words] = list(words.ALLOWED_LOOKUP)
    forbidden: list[Words] = list(words.FORBIDDEN_LOOKUP)


class Identity(_Table):
    """[identity]"""

    allowed: list[Words] = list(words.ALLOWED_IDENTITY)
    forbidden: list[Words] = list(words.FORBIDDEN_IDENTITY)
    known: list[PathText] = []
    """Folders of models that a submission might be instead: instruct siblings above all."""


class Edits(_Table):
    """[edits]: of the evaluator, the copy of which an agent works with."""

    allowed: list[Words] = list(words.ALLOWED_EDITS)
    forbidden: list[Words] = list(words.FORBIDDEN_EDITS)


class Credentials(_Table):
    """[credentials]"""

    pass_env: list[Variable] = []
    """Environment variables that the agent's commands may see beside those that every run lets through."""


class Judges(_Table):
    """[judges]"""

    runs: Annotated[int, Field(ge=1, le=99)] = 3
    """Runs of each rule; more than half of them must say the same."""
    model: Title = ""
    """Model that judges, as its server calls it; empty: whichever is named on the command line."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0


class Penalty(_Table):
    """[penalty]"""

    flagged: Literal["base_score", "removed"] = "base_score"
    """What a row gets that is ruled a violation."""
    awaiting: Literal["own_score", "base_score"] = "own_score"
    """What a row gets in which a check found something, as long as nobody has decided."""


class RulesToml(_Table):
    """The whole of rules.toml."""

    benchmark: Benchmark
    track: list[Track] = []
    base: list[Base] = []
    contamination: Contamination = Contamination()
    usage: Usage = Usage()
    lookup: Lookup = Lookup()
    identity: Identity = Identity()
    edits: Edits = Edits()
    credentials: Credentials = Credentials()
    judges: Judges = Judges()
    penalty: Penalty = Penalty()


@dataclass(frozen=True, slots=True)
class BenchmarkRules:
    """The rules of one benchmark, as one file states them."""

    path: Path
    toml: RulesToml
    hash: str
    """Of what the file says: comments, order of keys and defaults that are written out do not change it."""

    @property
    def name(self) -> str:
        """Return `name@version#hash`, by which rulings name the rules that they were made under."""
        return f"{self.toml.benchmark.name}@{self.toml.benchmark.version}#{self.hash}"

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Return the tracks, runs per task filled in; without any there is one, of the benchmark's name."""
        benchmark = self.toml.benchmark
        tracks = self.toml.track or [Track(name=benchmark.name)]
        return tuple(
            track if track.runs_per_task else track.model_copy(update={"runs_per_task": benchmark.runs_per_task})
            for track in tracks
        )

    def beside(self, path: str) -> Path:
        """Return a path that the file names, from the folder in which the file lies."""
        return beside(self.path, path)


def read_rules(path: Path) -> BenchmarkRules:
    """Read the rules.toml at `path`. Raise FormatError with line and field for what does not fit."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(RulesToml, file)
    if errors or read is None:
        raise errors[0]
    _check_names(read, file)
    _check_runs(read, file)
    return BenchmarkRules(path=path, toml=read, hash=_hash(read))


def _hash(read: RulesToml) -> str:
    stated = {"schema": SCHEMA, "rules": read.model_dump(exclude_defaults=True)}
    return digest(canonical_json(stated)).removeprefix("sha256:")[:HASH_DIGITS]


def _check_names(read: RulesToml, file: TomlFile) -> None:
    """Raise FormatError for what is named twice."""
    for table, key, names in (
        ("track", "name", [track.name for track in read.track]),
        ("base", "model", [base.model for base in read.base]),
    ):
        for index, name in enumerate(names):
            if name in names[:index]:
                raise file.error(f"`{name}` is named twice", (table, index, key))
    for index, base in enumerate(read.base):
        if base.instruct == base.model:
            raise file.error("is the base itself", ("base", index, "instruct"), "Its official instruct sibling.")


def _check_runs(read: RulesToml, file: TomlFile) -> None:
    """Raise FormatError where a track has no number of runs, or where the weights of some tracks are not named."""
    if read.benchmark.runs_per_task is None:
        if not read.track:
            raise file.error("is missing", ("benchmark", "runs_per_task"), "How often every task is run.")
        for index, track in enumerate(read.track):
            if track.runs_per_task is None:
                raise file.error("is missing", ("track", index, "runs_per_task"),
                                 "How often every task is run; [benchmark] can say it for all tracks.")  # fmt: skip
    weighed = [track.weight is not None for track in read.track]
    if any(weighed) and not all(weighed):
        raise file.error(
            "is missing: either every track has a weight or none", ("track", weighed.index(False), "weight")
        )
