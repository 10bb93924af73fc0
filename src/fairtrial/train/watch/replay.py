"""The log of a run step by step, each with its groups."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from fairtrial.records import FormatError
from fairtrial.train.log import GROUPS, STEPS, GroupLine, StepLine, read_groups, read_steps


def steps_with_groups(folder: Path, through: int | None = None) -> Iterator[tuple[StepLine, list[GroupLine]]]:
    """Yield every step of the log in `folder` up to `through` with its groups, one step in memory at a time.

    Raise InputError where there is no log, FormatError where a line is no line of one or steps are not in order, from
    1. Groups of a step that a killed run did not end are left out.
    """
    groups = read_groups(folder) if (folder / GROUPS).exists() else iter(())
    ahead: GroupLine | None = None
    last = 0
    for step in read_steps(folder):
        if step.step <= last:
            raise FormatError(f"is {step.step} after {last}: steps come in order, from 1, each once",
                              path=folder / STEPS, field="step")  # fmt: skip
        last = step.step
        if through is not None and step.step > through:
            return
        mine: list[GroupLine] = []
        for group in chain([ahead] if ahead else [], groups):
            ahead = None
            if group.step > step.step:
                ahead = group
                break
            if group.step == step.step:
                mine.append(group)
        yield step, mine
