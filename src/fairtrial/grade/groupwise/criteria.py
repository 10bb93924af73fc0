"""Criteria on which passing rollouts are ranked, and the file that states them; errors name file, line and field.

[[criterion]]
name = "short"
measure = "output_tokens"       # what a rollout cost, or the check whose value it is
direction = "less"              # which is better; or more
[[criterion]]
name = "tidy"
checks = ["lint", "diff-small"] # the share of these that pass
weight = 2
[[criterion]]
name = "sourced"
question = "Which names the source of more of its figures?"    # a language model is asked, in both orders
looks_at = ["answer", "deliverable"]                           # and steps
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.checks.aggregation.rules import MOST_WEIGHT
from fairtrial.records import canonical_json, digest
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

Direction = Literal["less", "more"]
Part = Literal["answer", "deliverable", "steps"]
KIND = b"criteria/1\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One thing by which work is better or worse. Exactly one of measure, checks and question is stated."""

    name: str
    weight: float = 1.0
    measure: str = ""
    """What a rollout cost (input_tokens, output_tokens, tokens, turns, cost_usd), or the check whose value it is."""
    direction: Direction = "less"
    """Which value of the measure is better."""
    checks: tuple[str, ...] = ()
    """Checks whose passing share counts; more is better."""
    question: str = ""
    """What a judge is asked of two pieces of work."""
    looks_at: tuple[Part, ...] = ("answer", "deliverable")
    """What of each rollout the judge is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """All criteria of one ranking."""

    criteria: tuple[Criterion, ...] = (Criterion(name="fewer output tokens", measure="output_tokens"),)

    @property
    def hash(self) -> str:
        """Return the content address of what is asked: layout and comments of the file are no part of it."""
        return digest(KIND + canonical_json([asdict(criterion) for criterion in self.criteria]))

    @property
    def judged(self) -> tuple[Criterion, ...]:
        """Return those that a judge is asked for."""
        return tuple(criterion for criterion in self.criteria if criterion.question)


class _Criterion(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1)]
    weight: Annotated[float, Field(gt=0, le=MOST_WEIGHT, allow_inf_nan=False)] = 1.0
    measure: str = ""
    direction: Direction = "less"
    checks: list[str] = []
    question: str = ""
    looks_at: Annotated[list[Part], Field(min_length=1)] = ["answer", "deliverable"]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    criterion: Annotated[list[_Criterion], Field(min_length=1)]


def read_criteria(path: Path) -> Criteria:
    """Read the criteria at `path`. Raise FormatError where a criterion asks nothing, or two things."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    names = [table.name for table in read.criterion]
    for index, table in enumerate(read.criterion):
        _refuse(file, index, table, names)
    return Criteria(criteria=tuple(
        Criterion(name=t.name, weight=t.weight, measure=t.measure, direction=t.direction, checks=tuple(t.checks),
                  question=t.question.strip(), looks_at=tuple(t.looks_at))
        for t in read.criterion
    ))  # fmt: skip


def _refuse(file: TomlFile, index: int, table: _Criterion, names: list[str]) -> None:
    place = ("criterion", index)
    if table.name in names[:index]:
        raise file.error(f"`{table.name}` is named twice", (*place, "name"))
    stated = [key for key in ("measure", "checks", "question") if getattr(table, key) and key in table.model_fields_set]
    if len(stated) != 1 or (table.question and not table.question.strip()):
        found = " and ".join(f"`{key}`" for key in stated) or "none"
        raise file.error(f"states {found} of measure, checks and question; exactly one is needed", place)
    for key, of in (("direction", "measure"), ("looks_at", "question")):
        if key in table.model_fields_set and of not in stated:
            raise file.error(f"is for a criterion with `{of}`", (*place, key))
