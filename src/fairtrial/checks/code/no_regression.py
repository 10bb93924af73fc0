"""Say whether what worked still works: every test that passes on the original passes on the work."""

from __future__ import annotations

from typing import Any

from fairtrial.checks.code.laying import CONTROL, controls_of, laid, tests_of
from fairtrial.checks.code.outcomes import meant, names_in
from fairtrial.checks.code.runs import Runner
from fairtrial.checks.code.tests_pass import judged
from fairtrial.checks.code.trees import Tree, key, work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work

BASELINE_RUNS = 2
"""A test whose end differs between two runs on the original is set aside: it would be charged to the work by chance."""


@of_the_work
def no_regression(
    code: Inside,
    original: Inside,
    at: str = "tests",
    runner: str = "pytest",
    known: list[str] | Inside | None = None,
    may_change: list[str] | None = None,
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if every test of the `original` that passes there passes with the code of the work, too.

    `original` is the pristine project, in the key, with its tests in the folder `at`; they are laid over a copy of
    `code`. What passes there is measured in the same place at the same time, unless `known` lists it. `may_change`
    names the tests that the task allows to end otherwise. See `tests_pass` for the rest.
    """
    how = Runner.of(runner, run)
    pristine, tree = key(original, "original"), work(code)
    wanted = names_in(known, "known") or _passing(how, pristine, at)
    changing = {name for one in may_change or [] for name in meant(one, wanted)}
    wanted = sorted(set(wanted) - changing)
    if not wanted:
        raise CheckError("no test passes on the original, so none can be lost")
    with laid(tree, [controls_of(pristine), tests_of(pristine, at)], without=CONTROL, user=how.limits.user) as folder:
        return judged(how.run(folder, [at]), wanted, [])


def _passing(how: Runner, pristine: Tree, at: str) -> list[str]:
    """Return the tests that pass on the original each time."""
    passing: set[str] | None = None
    for _ in range(BASELINE_RUNS):
        with laid(pristine, user=how.limits.user) as folder:
            run = how.run(folder, [at])
        if run.problem:
            raise CheckError(f"the tests cannot be run on the original: {run.problem}")
        passing = run.passed if passing is None else passing & run.passed
    return sorted(passing or ())
