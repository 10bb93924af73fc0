"""Read a grading.toml into `Rules`; errors name file, line and field.

quality_weight = 0.1            # how far the other axes may lower a correct rollout's score; 0 unless set
[[workflow]]
name = "refund"                 # a group of checks that a user would call one piece of work
weight = 1
[[check]]
name = "amount"
workflow = "refund"
role = "item"                   # gate, blocker, item, quality
axis = "correctness"            # process, quality, scope, efficiency
weight = 1
depends_on = ["opened"]
[[efficiency]]
measure = "output_tokens"       # what a rollout cost, or the check whose value it is; among correct rollouts alone
weight = 1
direction = "less"              # which is better; or more
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.checks.aggregation import Axis, Role, Rules
from fairtrial.checks.aggregation.rules import MOST_WEIGHT, faults
from fairtrial.tasks.toml import check_values, read_toml

Weight = Annotated[float, Field(ge=0, le=MOST_WEIGHT, allow_inf_nan=False)]


class _Workflow(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1)]
    weight: Weight = 1.0


class _Check(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1)]
    workflow: str = ""
    role: Role = "item"
    axis: Axis = "correctness"
    weight: Weight = 1.0
    depends_on: list[str] = []


class _Measure(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    measure: Annotated[str, Field(min_length=1)]
    weight: Weight = 1.0
    direction: Literal["less", "more"] = "less"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    quality_weight: Annotated[float, Field(ge=0, le=1)] = 0.0
    workflow: list[_Workflow] = []
    check: Annotated[list[_Check], Field(min_length=1)]
    efficiency: list[_Measure] = []


def read_rules(path: Path) -> Rules:
    """Read the grading.toml at `path`. Raise FormatError for circles, unknown names and weights that are none."""
    file = read_toml(path, may_be_marked=True)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    names = [workflow.name for workflow in read.workflow]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise file.error(f"`{name}` is named twice", ("workflow", index, "name"))
    rules = Rules.plain(file.values)
    for what, place in faults(rules):
        raise file.error(what, place)
    return rules
