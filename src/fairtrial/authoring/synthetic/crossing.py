"""Cross-grading: the reference of one task folder is run in another task's box and graded by that task's grader.

A grader that passes it accepts work that answers another task. Pairs are drawn with a seed, near copies left out.
What could not be run or graded is counted as broken and is no evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairtrial.authoring.near_copies import groups_of
from fairtrial.authoring.synthetic.material import Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.result import Crossed
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.measure.intervals import wilson
from fairtrial.records import Estimate
from fairtrial.run import Assignment, Engine, Lost, SubmissionAgent, Trial, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """What came of the pairs."""

    asked: int
    graded: int
    broken: int
    passes: tuple[Crossed, ...]

    def estimate(self) -> Estimate:
        """Return the share of graded pairs that pass."""
        low, high = wilson(len(self.passes), self.graded)
        return Estimate(value=len(self.passes) / self.graded, low=low, high=high, n=self.graded, ungraded=self.broken,
                        method="Wilson over pairs drawn at random", unit="pairs")  # fmt: skip


def cross(
    suite: Material, sandbox: Sandbox, engine: Engine, options: Options, on_done: Callable[[], None]
) -> Crossing | None:
    """Grade `options.crossed` pairs; None where none was asked for or the suite has no folders."""
    if not options.crossed or suite.folders is None:
        return None
    pairs = _pairs(suite, options)
    jobs = [_trial(suite, one, two, sandbox, options) for one, two in pairs]
    passes: list[Crossed] = []
    graded = 0
    for ended in engine.map(jobs):
        on_done()
        if isinstance(ended, Lost):
            continue
        one, two = pairs[ended.index]
        outcome = ended.value.gradings[0].outcome
        graded += outcome != "ungraded"
        if outcome == "passed":
            passes.append(Crossed(reference_of=one, passes=two))
    found = tuple(sorted(passes, key=lambda each: (each.passes, each.reference_of)))
    return Crossing(asked=len(pairs), graded=graded, broken=len(pairs) - graded, passes=found)


def _pairs(suite: Material, options: Options) -> list[tuple[str, str]]:
    """Return (whose reference, under whose grader), every task's grader once before any twice."""
    items = suite.items
    group = groups_of([item.text for item in items], [item.cluster for item in items]).tolist()
    generator = np.random.default_rng(options.seed)
    by_grader = []
    for two in generator.permutation(len(items)).tolist():
        others = [one for one in range(len(items)) if group[one] != group[two] and items[one].reference]
        by_grader.append([(items[one].name, items[two].name) for one in generator.permutation(others).tolist()])
    rounds = max(map(len, by_grader), default=0)
    pairs = [each[turn] for turn in range(rounds) for each in by_grader if turn < len(each)]
    return pairs[: options.crossed]


def _trial(suite: Material, one: str, two: str, sandbox: Sandbox, options: Options) -> Trial:
    assert suite.folders is not None
    task = next(each for each in suite.folders.tasks if each.name == two)
    key, solution = suite.folders.keys[two], suite.folders.keys[one]
    agent = SubmissionAgent(model=f"reference of {one}", folders=_folders(solution, [step.name for step in task.steps]),
                            variables=solution.solution_variables)  # fmt: skip
    assignment = Assignment(task=task, agent=agent, attempt=0, seed=attempt_seed(options.seed, two, 0),
                            sandbox=sandbox, origin="known")  # fmt: skip
    rules = read_rules(key.grading) if key.grading is not None else None
    return Trial(assignment=assignment, grader=HarborGrader(key=key, sandbox=sandbox, rules=rules), keep=False)


def _folders(solution: Key, steps: Sequence[str]) -> dict[str, Path]:
    """Return the solution's folders under the names of the other task's steps, as far as both go."""
    held = [step.solution for step in solution.steps]
    return {name: folder for name, folder in zip(steps, held, strict=False) if folder is not None}
