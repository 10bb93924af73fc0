"""A task's two halves, as different types: `Task` is what an agent may see, `Key` is what only graders may.

`run` takes tasks and has no parameter that could carry a key. A `Task` holds no path from which a key could be
reached: its environment points at the `environment/` folder alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from fairtrial.records import Environment, Limits

CandidateKind = Literal["defect", "alternative", "hack"]
Freedom = Literal[
    "row_order",
    "column_order",
    "number_form",
    "date_form",
    "encoding",
    "line_ends",
    "csv_layout",
    "markdown_layout",
    "statement_order",
]
"""What a right deliverable may do in another way than the reference, if the task says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a task; a task of Harbor's single-step form has exactly one."""

    name: str
    """Empty for the only step of a single-step task."""
    instruction: str
    agent_seconds: float
    workdir: Path | None = None
    """Folder whose contents are laid into the workdir before the step (`steps/NAME/workdir`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The public half: instruction and environment."""

    name: str
    suite: str = ""
    """Identity of the suite it was loaded with, `name@hash`."""
    hash: str
    """Content address of all that changes the outcome (grader, key, environment, modes, image; not a README)."""
    environment: Environment
    steps: tuple[Step, ...]
    artifacts: tuple[str, ...] = ()
    """Inside paths that belong to the deliverable besides the workdir."""
    live: bool = False
    """Its grading needs the agent's services alive (`live = true` in proof.toml)."""
    domain: str = ""
    family: str = ""
    cluster: str = ""

    @property
    def instruction(self) -> str:
        """Return the instructions of all steps, in order."""
        return "\n\n".join(step.instruction for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepKey:
    """The private half of one step."""

    name: str
    tests: Path
    """Folder laid at /tests."""
    solution: Path | None
    """Folder laid at /solution; holds solve.sh."""
    verifier_seconds: float
    min_reward: float | None = None
    """Below it the trial ends early (Harbor's `min_reward`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A submission whose right score is known, declared in proof.toml."""

    name: str
    kind: CandidateKind
    solve: Path
    """Script that makes it; its folder is laid where the reference's is."""
    fails: tuple[str, ...] = ()
    """The checks that a defect must fail, and no other."""
    trajectory: Path | None = None
    """ATIF file that says how it would have come about, for checks of the process; None: they are not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The private half of a task. Only `grade`, `prove`, `attack` and the judge of an `audit` ever receive it."""

    task: str
    path: Path
    """The task folder."""
    grader_hash: str
    """Content address of what grades: tests, grading.toml, verifier settings."""
    steps: tuple[StepKey, ...]
    verifier_variables: Mapping[str, str] = field(default_factory=dict)
    solution_variables: Mapping[str, str] = field(default_factory=dict)
    verifier_limits: Limits = field(default_factory=Limits)
    reward_strategy: Literal["mean", "final"] = "mean"
    candidates: tuple[Candidate, ...] = ()
    free: tuple[Freedom, ...] = ()
    """Freedoms that the task declares (`free` in proof.toml)."""
    oracle: Path | None = None
    """Folder of a second grader, slower or stricter, that the task declares (`oracle` in proof.toml)."""
    oracle_hash: str = ""
    """Content address of what the oracle grades with; empty where there is none."""
    grading: Path | None = None
    """grading.toml, where there is one: at the task's root or, of one step, in its tests."""

    @property
    def under_oracle(self) -> Key | None:
        """Return the key with the oracle in place of the last step's tests; None where none is declared."""
        if self.oracle is None:
            return None
        *earlier, last = self.steps
        steps = (*earlier, replace(last, tests=self.oracle))
        return replace(self, steps=steps, grader_hash=self.oracle_hash, grading=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A set of tasks with one content hash, and their keys apart."""

    name: str
    path: Path
    hash: str
    tasks: tuple[Task, ...]
    keys: Mapping[str, Key]

    @property
    def identity(self) -> str:
        """Return `name@` and twelve digits of the hash."""
        return f"{self.name}@{self.hash.removeprefix('sha256:')[:12]}"
