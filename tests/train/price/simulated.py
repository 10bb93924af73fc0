"""Training runs whose truth is known: families that teach, that teach nothing, that harm, that get no credit.

A run is a log of groups and rates on held-out tasks before and after. The logit of a family's pass rate moves by what
each family teaches it, times the credit dealt; so what an arm without a family would have gained is known too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fairtrial.train.lift.arms import Counts, Pair
from fairtrial.train.log.lines import GroupLine

Floats = NDArray[np.float64]
TASKS = 60
"""Training tasks of a family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One family: where its pass rate begins, what one unit of its credit teaches, and whether its reward is noise."""

    start: float
    """Logit of the base's pass rate."""
    teaches: Mapping[str, float]
    """Change of the logit of each family by a whole run of its credit."""
    noise: bool = False
    """Its reward hangs on nothing that can be learned; credit flows and teaches as `teaches` says."""
    trained_on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    families: Mapping[str, Family]
    seeds: int = 3
    held_out: int = 30
    """Held-out tasks of a family."""
    runs: int = 8
    steps: int = 40
    groups: int = 8
    group_size: int = 8
    spread: float = 1.0
    """Standard deviation of task difficulty, in logits."""
    luck: float = 0.3
    """Standard deviation between training seeds of what a run teaches, as a share of it."""


@cache
def _hard(spread: float) -> Floats:
    """Return the difficulty of every training task of up to nine families."""
    return np.random.default_rng(9).normal(0, spread, size=(9, TASKS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    base: Counts
    trained: Counts
    groups: tuple[GroupLine, ...]


def run(design: Design, seed: int, without: str = "") -> Run:
    """Return a simulated run of all seeds; `without` a family it is an arm. The base and tasks hang on `seed` alone."""
    names = list(design.families)
    hardness = np.random.default_rng([seed, 0]).normal(0, design.spread, size=(len(names), design.held_out))
    mark = sum(map(ord, without))
    trained = [_trained(design, seed, index, without) for index in range(design.seeds)]
    start = np.array([[family.start for family in design.families.values()]] * design.seeds)
    ability = np.array([each for each, _ in trained])
    return Run(base=_counts(start, hardness, design, np.random.default_rng([seed, 7])),
               trained=_counts(ability, hardness, design, np.random.default_rng([seed, 500, mark])),
               groups=tuple(group for _, groups in trained for group in groups))  # fmt: skip


def _trained(design: Design, seed: int, index: int, without: str) -> tuple[list[float], list[GroupLine]]:
    """Return the logit of each family after one training, and its log."""
    names = list(design.families)
    trained_on = [f for f in names if design.families[f].trained_on and f != without]
    generator = np.random.default_rng([seed, 1 + index, sum(map(ord, without))])
    lucky = np.random.default_rng([seed, 1_000 + index]).normal(1, design.luck, size=len(names)).tolist()
    ability, groups = [family.start for family in design.families.values()], []
    pace = len(names) / (design.steps * design.groups)
    for step in range(1, design.steps + 1):
        for d in generator.integers(len(trained_on), size=design.groups).tolist():
            name = trained_on[d]
            taught, at = design.families[name], names.index(name)
            groups.append(_group(design, name, at, ability[at], step, generator))
            p = 0.5 if taught.noise else _sigmoid(ability[at])
            credit = 1 - p**design.group_size - (1 - p) ** design.group_size
            for other, much in taught.teaches.items():
                ability[names.index(other)] += much * lucky[names.index(other)] * credit * pace
    return ability, groups


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _group(
    design: Design, family: str, at: int, ability: float, step: int, generator: np.random.Generator
) -> GroupLine:  # fmt: skip
    task, size = int(generator.integers(TASKS)), design.group_size
    p = 0.5 if design.families[family].noise else _sigmoid(ability + float(_hard(design.spread)[at, task]))
    passes = int(generator.binomial(size, p))
    mean = passes / size
    spread = math.sqrt(size * mean * (1 - mean) / (size - 1)) + 1e-4
    return GroupLine(step=step, stage=0, task=f"{family}-{task}", family=family, completions=("x",) * size,
                     tokens=(4,) * size, finished=(True,) * size, reasons=("",) * size, epsilon=1e-4,
                     outcomes=("passed",) * passes + ("failed",) * (size - passes),
                     rewards=(1.0,) * passes + (0.0,) * (size - passes),
                     advantages=((1 - mean) / spread,) * passes + (-mean / spread,) * (size - passes))  # fmt: skip


def _counts(ability: Floats, hardness: Floats, design: Design, generator: np.random.Generator) -> Counts:
    p = (1 / (1 + np.exp(-ability[:, :, None] - hardness[None]))).reshape(design.seeds, -1)
    passed = generator.binomial(design.runs, p)
    full = np.full(passed.shape, design.runs, dtype=np.int64)
    return Counts(passed=passed, graded=full, ungraded=np.zeros_like(full), limit_passed=np.zeros_like(full), told=full,
                  tokens=full * 6)  # fmt: skip


def pair_of(design: Design, base: Counts, trained: Counts) -> Pair:
    """Return two models on the held-out tasks of the design."""
    tasks = [(f"{family}-{i:03}", family) for family in design.families for i in range(design.held_out)]
    return Pair(base=base, trained=trained, seeds=tuple(range(design.seeds)), tasks=tuple(name for name, _ in tasks),
                cluster=np.arange(len(tasks)), family=tuple(family for _, family in tasks), left_out=(),
                ungraded_bounds=None, base_seeds=design.seeds, trained_seeds=design.seeds)  # fmt: skip
