"""BENCH.toml, ours: a post-training benchmark that anyone can run. Bases, tracks, weights and what is forbidden come
from the rules file that it names, so that agent, checks and board stand under the same.

    [bench]
    rules = "rules.toml"            # its [[base]] are the base models, its [[track]] the benchmarks

    [[benchmark]]
    track = "sort"
    evaluator = "sort"              # folder with evaluate.py, as agents get it

That is a whole file. An unknown key is an error. Paths lie beside the file. docs/posttrain.md describes every field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.records import canonical_json, digest
from fairtrial.rules import BenchmarkRules, read_rules
from fairtrial.rules.fields import MaybePath, Name, PathText, Title, Words, beside
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

SCHEMA = "fairtrial.posttrain_bench/1"
EVALUATOR = "evaluate.py"
HASH_DIGITS = 16

Minutes = Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)]
Megabytes = Annotated[int, Field(ge=16, le=10_000_000)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Head(_Table):
    """[bench]"""

    rules: PathText
    """rules.toml: base models, tracks, what is allowed."""
    title: Title = ""


class Benchmark(_Table):
    """[[benchmark]]: what models are evaluated on."""

    track: Name
    """A track of the rules."""
    evaluator: PathText
    """Folder with `evaluate.py` and all that it needs, as agents get it: takes `--model-path`, `--limit` and
    `--json-output-file`, and writes `{"accuracy": ...}`, with `items: [{id, passed}]` where it knows them."""
    hidden: MaybePath = ""
    """Folder laid over a copy of it for the evaluation that counts; agents never see it."""
    decoys: MaybePath = ""
    """Folder laid over that, which makes it ask the decoys in place of the items; agents never see it."""
    limit: Annotated[int, Field(ge=0)] = 0
    """Items of the evaluation that counts; 0 for all."""


class Budget(_Table):
    """[budget]: of one agent's work on one base model and one benchmark."""

    minutes: Minutes = 60.0
    """Wall clock."""
    cpu_minutes: Minutes | None = None
    """Processor time of all its processes together."""
    memory_mb: Megabytes = 8192
    processes: Annotated[int, Field(ge=8, le=100_000)] = 512
    file_mb: Megabytes = 16_384
    """Largest file that it may write."""
    handed_in_mb: Megabytes = 65_536
    """Most that is taken of the model, and most of the workspace beside it."""


class World(_Table):
    """[world]: what the agent and the evaluator find in their boxes."""

    python: bool = True
    """The Python that runs fairtrial, with its packages, is shown read-only and comes first in PATH."""
    mounts: list[PathText] = []
    """`HOST:INSIDE`, shown read-only: data sets, tools."""
    variables: dict[str, str] = {}


class Network(_Table):
    """[network]: the agent has none but the recording proxy, and through it these hosts."""

    allowed_hosts: list[Words] = []
    """`host` or `*.host`; anything else is refused, and the attempt recorded."""
    routes: dict[str, str] = {}
    """Host -> `address:port` where the proxy finds it (a local model server); others by their own name."""


class Evaluation(_Table):
    """[evaluation]: the one that counts, outside the agent's reach."""

    seeds: Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(min_length=1, max_length=1000)] = [0, 1, 2]
    """One evaluation each; the evaluator finds its seed in FAIRTRIAL_SEED."""
    minutes: Minutes = 60.0
    memory_mb: Megabytes = 8192


class BenchToml(_Table):
    """The whole of BENCH.toml."""

    bench: Head
    benchmark: Annotated[list[Benchmark], Field(min_length=1)]
    budget: Budget = Budget()
    world: World = World()
    network: Network = Network()
    evaluation: Evaluation = Evaluation()


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark and its rules, as their files state them."""

    path: Path
    toml: BenchToml
    rules: BenchmarkRules
    hash: str
    """Of what the file says: comments and defaults that are written out do not change it."""

    @property
    def name(self) -> str:
        """Return the name of its rules with the hash of both, `ledgers@1.0#RULES+BENCH`."""
        return f"{self.rules.name}+{self.hash}"

    def beside(self, path: str) -> Path:
        """Return a path that the file names, from the folder in which the file lies."""
        return beside(self.path, path)

    def benchmark(self, track: str) -> Benchmark:
        """Return the benchmark of a track."""
        return next(one for one in self.toml.benchmark if one.track == track)

    def base_weights(self, base: str) -> Path:
        """Return the folder of a base model's weights."""
        found = next(one for one in self.rules.toml.base if one.model == base)
        return self.rules.beside(found.weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who competes."""

    name: str
    command: str
    """For `/bin/sh -c`, in the workspace."""
    files: Path | None = None
    """Folder shown read-only at /agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One run: one agent, one base model, one benchmark, one repeat."""

    agent: Agent
    base: str
    track: str
    repeat: int = 0

    @property
    def model(self) -> str:
        """Return the name of the model that it hands in, as rollouts name it."""
        again = f"~{self.repeat + 1}" if self.repeat else ""
        return f"{self.agent.name}/{self.base}/{self.track}{again}"


def cells_of(bench: Bench, agent: Agent, repeats: int) -> Iterator[Cell]:
    """Yield every run of an agent, in a fixed order."""
    for repeat in range(repeats):
        for base in bench.rules.toml.base:
            for benchmark in bench.toml.benchmark:
                yield Cell(agent=agent, base=base.model, track=benchmark.track, repeat=repeat)


def read_bench(path: Path) -> Bench:
    """Read the BENCH.toml at `path`, and its rules. Raise FormatError with line and field for what does not fit."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(BenchToml, file)
    if errors or read is None:
        raise errors[0]
    rules = read_rules(beside(path, read.bench.rules))
    _check_benchmarks(read, rules, file)
    _check_bases(rules, file)
    stated = {"schema": SCHEMA, "bench": read.model_dump(exclude_defaults=True)}
    return Bench(path=path, toml=read, rules=rules, hash=digest(canonical_json(stated))[7 : 7 + HASH_DIGITS])


def _check_benchmarks(read: BenchToml, rules: BenchmarkRules, file: TomlFile) -> None:
    """Raise FormatError where a benchmark is no track of the rules, is named twice, or has no evaluator."""
    tracks = [track.name for track in rules.tracks]
    for at, one in enumerate(read.benchmark):
        if one.track not in tracks:
            raise file.error(f"`{one.track}` is no track of the rules", ("benchmark", at, "track"),
                             f"They name {', '.join(tracks)}.")  # fmt: skip
        if one.track in [other.track for other in read.benchmark[:at]]:
            raise file.error(f"`{one.track}` is named twice", ("benchmark", at, "track"))
        if not (beside(file.path, one.evaluator) / EVALUATOR).is_file():
            raise file.error(f"holds no {EVALUATOR}", ("benchmark", at, "evaluator"))
        if one.hidden and not beside(file.path, one.hidden).is_dir():
            raise file.error("is no folder", ("benchmark", at, "hidden"))
        if one.decoys:
            _check_decoys(one, at, file)


def _check_decoys(one: Benchmark, at: int, file: TomlFile) -> None:
    """Raise FormatError where a folder of decoys would change nothing of what the evaluator asks."""
    folder = beside(file.path, one.decoys)
    if not folder.is_dir():
        raise file.error("is no folder", ("benchmark", at, "decoys"))
    roots = [beside(file.path, root) for root in (one.evaluator, one.hidden) if root]
    held = [(path, folder / path.relative_to(root)) for root in roots for path in root.rglob("*") if path.is_file()]
    if not any(other.is_file() and other.read_bytes() != path.read_bytes() for path, other in held):
        raise file.error("takes the place of no file of the evaluator, which would ask the items again",
                         ("benchmark", at, "decoys"),
                         "Lay the decoys out under the name that its items have, such as items.jsonl.")  # fmt: skip


def _check_bases(rules: BenchmarkRules, file: TomlFile) -> None:
    """Raise FormatError where the rules name no base model, or one without weights."""
    if not rules.toml.base:
        raise file.error("these rules name no base model", ("bench", "rules"), "Add a [[base]] with its weights.")
    for base in rules.toml.base:
        if not base.weights or not rules.beside(base.weights).is_dir():
            raise file.error(f"the rules name no folder of weights for the base `{base.model}`", ("bench", "rules"))
