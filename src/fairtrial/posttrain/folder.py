"""What one run keeps on disk, below the folder of the benchmark's results. The agent's box never sees any of it.

runs/AGENT/BASE/TRACK/REPEAT/
  run.json          how far it is, and what came of each part (fairtrial.posttrain_run/1)
  model/            the final model: safetensors, tokenizer and configuration, nothing that could be executed
  workspace/        what else the agent left, as it left it
  evaluator/        the evaluator as the agent left it
  written/          every version of every file with rows or code that was written meanwhile, by its digest
  writes.jsonl      {time, path, size, digest | null, why}: what was written where
  processes.jsonl   {time, pid, parent, argv, seconds}: what was seen running
  network.jsonl     {time, host, port, method, path, status, sent, received, allowed}: what went through the proxy
  trajectory.json   the agent's own ATIF trajectory, where it wrote one
  recorded.json     what was recorded, as an ATIF trajectory: processes and requests in the order of time
  agent.log         what it printed
  evaluations/      SEED.json: what the pristine evaluator said of this model; decoys-SEED.json: on decoys
  training/         the rows that it may have been trained on, gathered from all of these
  versions/         what the evaluator's files held meanwhile, PATH/DIGEST
  submission.toml   what is checked by the rules
  checks.json       what the checks found (fairtrial.rules_check/1)

Names of agents, bases and tracks are written so that none leads anywhere else (`/` is %2F).
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import orjson

from fairtrial.posttrain.bench import Cell
from fairtrial.records import FormatError, InputError

SCHEMA = "fairtrial.posttrain_run/1"
STATE = "run.json"

PLAIN = " +,=@~"
"""Characters that a name keeps as the name of a folder, beside letters, digits and `_.-`."""

Stop = Literal["finished", "agent_error", "agent_timeout", "cpu_limit", "memory", "harness_error"]


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The paths of one run."""

    path: Path

    @classmethod
    def of(cls, results: Path, cell: Cell) -> RunFolder:
        """Return the folder of a cell below the folder of all results."""
        names = (cell.agent.name, cell.base, cell.track, str(cell.repeat))
        return cls(results.joinpath("runs", *map(place_of, names)))

    @property
    def model(self) -> Path:
        """Return the folder of the final model."""
        return self.path / "model"

    @property
    def workspace(self) -> Path:
        """Return the folder of what the agent left."""
        return self.path / "workspace"

    @property
    def evaluator(self) -> Path:
        """Return the folder of the evaluator as the agent left it."""
        return self.path / "evaluator"

    @property
    def written(self) -> Path:
        """Return the folder of file versions, by digest."""
        return self.path / "written"

    @property
    def evaluations(self) -> Path:
        """Return the folder of what the pristine evaluator wrote."""
        return self.path / "evaluations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempted:
    """What came of the agent's work. Written once, as the last thing of an attempt."""

    stop: Stop
    exit_code: int | None
    seconds: float
    cpu_seconds: float | None
    """None where it could not be counted."""
    began: str
    """ISO 8601, UTC."""
    has_model: bool
    why_no_model: str = ""
    model_hash: str = ""
    declared: tuple[str, ...] = ()
    """Training files that the agent named, as paths inside its workspace."""
    requests: int = 0
    refused_requests: int = 0
    processes: int = 0
    writes: int = 0
    left_out: tuple[tuple[str, str], ...] = ()
    """(inside path, why) of what was not taken along: pickles, links, files over the cap."""
    not_recorded: tuple[str, ...] = ()
    """What the recorder could not see, each a sentence: a page says it."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """How far one run is. A part is there once it is done; what is there is not done again."""

    cell: Mapping[str, Any]
    """Agent, command, base, track, repeat; with the hash of the bench: another one is another run."""
    attempted: Mapping[str, Any] | None = None
    evaluated: Mapping[str, Any] | None = None
    judged: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = field(default=())

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"schema": SCHEMA} | asdict(self)


def place_of(name: str) -> str:
    """Return a name as the name of a folder.

    >>> place_of("org/base-1.5"), place_of("..")
    ('org%2Fbase-1.5', '%2E.')
    """
    quoted = quote(name, safe=PLAIN)
    return quoted.replace(".", "%2E", 1) if quoted.startswith(".") else quoted


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON document such that a kill leaves the one before or this one. Raise InputError where it cannot."""
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(_encoded(document))
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror or error}", path=path,
                         hint="What was done before is kept; make room and run the same command again.",
                         ) from error  # fmt: skip


def _encoded(document: Mapping[str, Any]) -> bytes:
    """Return JSON. What an agent left may hold numbers beyond 64 bits and halves of surrogate pairs."""
    try:
        return orjson.dumps(document, option=orjson.OPT_INDENT_2)
    except orjson.JSONEncodeError:
        return json.dumps(document, indent=2, default=str).encode()


def read_document(path: Path, schema: str) -> dict[str, Any] | None:
    """Return a document that was written here; None where there is none. Raise FormatError where it is another."""
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    if not isinstance(content, dict) or content.get("schema") != schema:
        raise FormatError(f"is no {schema}", path=path, field="schema")
    return content


def read_state(folder: RunFolder) -> RunState | None:
    """Return how far a run is; None where it has not begun. Raise FormatError where run.json is something else."""
    path = folder.path / STATE
    content = read_document(path, SCHEMA)
    if content is None:
        return None
    if unknown := set(content) - {"schema", *RunState.__dataclass_fields__}:
        raise FormatError(f"holds the field `{sorted(unknown)[0]}`, which this fairtrial does not know", path=path)
    return RunState(**{name: content[name] for name in RunState.__dataclass_fields__ if name in content})


def write_state(folder: RunFolder, state: RunState) -> None:
    """Keep how far a run is."""
    write_document(folder.path / STATE, state.document())
