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
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fairtrial.checks.aggregation import Axis, Role, Rules, dependency_order
from fairtrial.records import InputError
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


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


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    quality_weight: Annotated[float, Field(ge=0, le=1)] = 0.0
    workflow: list[_Workflow] = []
    check: Annotated[list[_Check], Field(min_length=1)]


def read_rules(path: Path) -> Rules:
    """Read the grading.toml at `path`. Raise InputError for circles, unknown names and weights below 0."""
    file = read_toml(path)
    read, errors = check_values(_File, file)
    if errors or read is None:
        raise errors[0]
    _refuse_twins(file, read)
    _refuse_strangers(file, read)
    try:
        dependency_order({check.name: check.depends_on for check in read.check})
    except InputError as error:
        raise InputError(error.what, path=path, field=error.field) from error
    weights = [w.weight for w in read.workflow] + [c.weight for c in read.check if not c.workflow]
    if not math.fsum(weights) > 0:
        raise file.error("all weights are 0, so nothing counts", ("check",))
    return Rules.of(file.values)


def _refuse_twins(file: TomlFile, read: _File) -> None:
    for table, names in (("workflow", [w.name for w in read.workflow]), ("check", [c.name for c in read.check])):
        for index, name in enumerate(names):
            if name in names[:index]:
                raise file.error(f"`{name}` is named twice", (table, index, "name"))


def _refuse_strangers(file: TomlFile, read: _File) -> None:
    checks, workflows = {c.name for c in read.check}, {w.name for w in read.workflow}
    for index, check in enumerate(read.check):
        if check.workflow and check.workflow not in workflows:
            raise file.error(f"there is no workflow `{check.workflow}`", ("check", index, "workflow"))
        for parent in check.depends_on:
            if parent not in checks:
                raise file.error(f"there is no check `{parent}`", ("check", index, "depends_on"))
    for index, workflow in enumerate(read.workflow):
        if not any(check.workflow == workflow.name for check in read.check):
            raise file.error(f"workflow `{workflow.name}` has no check", ("workflow", index, "name"))
